// The two halves of a writer, in every order of their steps: acknowledged records are kept, no data
// is lost, no half waits forever. The test takes the steps, so that a seed repeats an order.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/finding.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/testing/stepped_halves.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr char kSegment0[] = "segment-000000.tape";

engine::SteadyTime AtMicros(int64_t micros) { return engine::SteadyTime::FromNanos(micros * 1000); }

WriterOptions SmallBlocks(const SteppedHalves& halves) {
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = 10;
  options.threads = halves.threads();
  options.blocks_in_flight = 3;
  return options;
}

// A writer whose writing half takes a step only when the test calls it.
class TwoHalves {
 public:
  explicit TwoHalves(std::optional<WriterOptions> options = std::nullopt, uint64_t seed = 1)
      : halves(seed), log(RecordSource(seed, 5).Take(3000)) {
    WriterOptions all = options.value_or(SmallBlocks(halves));
    all.threads = halves.threads();
    writer = Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated, all).value();
    halves.Attach(*writer);
  }

  absl::Status Append(uint64_t count) {
    absl::Status status;
    for (uint64_t i = 0; i < count && status.ok(); ++i) status = AppendOne();
    return status;
  }
  absl::Status AppendOne(Writer::Space space = Writer::Space::kPlenty) {
    const OwnedRecord& record = log[appended];
    const absl::Status status = writer->Append(record.row, record.attachment, space);
    if (status.ok()) ++appended;
    return status;
  }
  BlockWriter& half() { return writer->writing_half(); }

  void ExpectAllReadable() {
    const ReadResult read = ReadJournal(directory);
    EXPECT_TRUE(read.status.ok()) << read.status;
    ASSERT_EQ(read.records.size(), appended);
    EXPECT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
  }

  SteppedHalves halves;
  const std::vector<OwnedRecord> log;
  MemoryDirectory directory;
  FaultyDirectory faulty{directory, {}};
  std::unique_ptr<Writer> writer;
  uint64_t appended = 0;
};

TEST(TwoThreads, AGroupIsOneWriteAndOneSync) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(run.Append(30).ok());  // Three blocks.
  while (run.half().CompressOne()) continue;
  const uint64_t before = run.faulty.calls();
  EXPECT_TRUE(run.half().WriteOne());
  EXPECT_EQ(run.faulty.calls() - before, 1u);
  EXPECT_EQ(run.writer->written_sequence(), SequenceNumber(30));
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(0));
  EXPECT_TRUE(run.half().SyncOne());
  EXPECT_EQ(run.faulty.calls() - before, 2u);
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(30));
  EXPECT_FALSE(run.half().Work());
}

TEST(TwoThreads, TheOpenBlockIsHandedOverOnlyToAnIdleWriter) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(run.Append(1).ok());
  ASSERT_TRUE(run.writer->HandOver().ok());
  ASSERT_TRUE(run.Append(3).ok());
  ASSERT_TRUE(run.writer->HandOver().ok());  // Not written yet: these gather.
  EXPECT_TRUE(run.half().CompressOne());
  EXPECT_TRUE(run.half().WriteOne());
  ASSERT_TRUE(run.writer->HandOver().ok());  // Written, not synced: still.
  EXPECT_FALSE(run.half().CompressOne());
  EXPECT_TRUE(run.half().SyncOne());
  ASSERT_TRUE(run.writer->HandOver().ok());
  EXPECT_TRUE(run.half().Work());
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(4));
  EXPECT_EQ(run.writer->stats().blocks, 2u);
}

TEST(TwoThreads, ASlowDiskSlowsIntakeAndMemoryIsBounded) {
  TwoHalves run;
  // Three blocks of ten; the next record must wait until one has been written.
  ASSERT_TRUE(run.Append(30).ok());
  EXPECT_EQ(run.halves.waits(), 0u);
  ASSERT_TRUE(run.Append(1).ok());
  EXPECT_GT(run.halves.waits(), 0u);
  EXPECT_GE(run.writer->written_sequence(), SequenceNumber(10));
}

TEST(TwoThreads, AnIdleWriterMarksInTheLogWhatIsDurable) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(run.Append(10).ok());
  EXPECT_TRUE(run.half().Work());
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(1000)));  // Idle since then.
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(5999)));
  EXPECT_EQ(Verify(run.directory)->durable_sequence, SequenceNumber(0));
  EXPECT_TRUE(run.half().HeartbeatOne(AtMicros(6000)));
  EXPECT_EQ(Verify(run.directory)->durable_sequence, SequenceNumber(10));
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(99'000))) << "nothing new to mark";
  // It is on the medium, else it would prove nothing after a crash.
  run.directory.CrashDroppingAll();
  EXPECT_EQ(Verify(run.directory)->durable_sequence, SequenceNumber(10));
}

// So that followers and snapshots keep up with a writer that waits for no
// disk. Rarely, as a record that arrives meanwhile waits for that sync.
TEST(TwoThreads, WrittenRecordsAreSyncedInAPauseAtMostOnceASecond) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kWritten).ok());
  ASSERT_TRUE(run.Append(10).ok());
  EXPECT_TRUE(run.half().Work());
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(1000)));  // Idle since then.
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(5999)));
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(0));
  EXPECT_TRUE(run.half().HeartbeatOne(AtMicros(6000)));
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(10));
  run.directory.CrashDroppingAll();
  EXPECT_EQ(Verify(run.directory)->durable_sequence, SequenceNumber(10));
}

TEST(TwoThreads, ConsecutivePausesShareOneSyncASecond) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kWritten).ok());
  const auto write_and_pause = [&](int64_t millis) {
    ASSERT_TRUE(run.Append(10).ok());
    EXPECT_TRUE(run.half().Work());
    EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(millis * 1000)));
  };
  write_and_pause(0);
  EXPECT_TRUE(run.half().HeartbeatOne(AtMicros(5'000)));
  write_and_pause(20);
  const uint64_t calls = run.faulty.calls();
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(25'000)));
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(1'004'999)));
  EXPECT_EQ(run.faulty.calls(), calls);
  EXPECT_TRUE(run.half().HeartbeatOne(AtMicros(1'005'000)));
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(20));
  EXPECT_FALSE(run.half().HeartbeatOne(AtMicros(9'000'000))) << "nothing new to mark";
}

TEST(TwoThreads, AChangeOfPolicyIsLoggedAndSkippedByReaders) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kWritten).ok());  // There was no promise before.
  ASSERT_TRUE(run.Append(15).ok());
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());  // No change.
  ASSERT_TRUE(run.Append(15).ok());
  ASSERT_TRUE(run.writer->Close().ok());
  run.ExpectAllReadable();
  EXPECT_EQ(Verify(run.directory)->verdict, Verdict::kClean);
  const std::vector<std::byte> bytes = run.directory.Contents(kSegment0);
  uint64_t control_count = 0;
  for (size_t at = 0; at + 4096 <= bytes.size(); at += 4096) {
    const bool is_block = engine::AsText(engine::Bytes(bytes).subspan(at, 4)) == "TBLK";
    if (is_block && bytes[at + 6] == std::byte{5}) {
      ++control_count;
      EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[at + 96]), 0x020101u);
    }
  }
  EXPECT_EQ(control_count, 1u);
}

TEST(TwoThreads, EachRecordIsAcknowledgedByThePolicyOfItsTime) {
  TwoHalves run;
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(run.Append(10).ok());
  ASSERT_TRUE(run.writer->SetAckPolicy(AckPolicy::kNone).ok());
  ASSERT_TRUE(run.Append(5).ok());
  while (run.half().CompressOne()) continue;
  EXPECT_TRUE(run.half().WriteOne());
  EXPECT_EQ(run.writer->acknowledged_sequence(), SequenceNumber(0));
  EXPECT_TRUE(run.half().SyncOne());
  EXPECT_EQ(run.writer->acknowledged_sequence(), SequenceNumber(15));
  // From now on no record waits for a sync.
  ASSERT_TRUE(run.Append(5).ok());
  EXPECT_TRUE(run.half().Work());
  EXPECT_EQ(run.writer->durable_sequence(), SequenceNumber(10));
}

// One history: appends, policies, steps of the writing half in any order; then the machine or the
// process stops, and recovery is compared with the promises.
TEST(TwoThreads, EveryAcknowledgedRecordIsKeptAtAnyStepOfTheHalves) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    engine::Prng prng(seed);
    SteppedHalves unused(0);
    WriterOptions options = SmallBlocks(unused);
    options.blocks_in_flight = static_cast<uint32_t>(2 + prng.Below(4));
    if (prng.Chance(50)) {
      options.segment_bytes = options.reserve_bytes = ReserveBytesMin(options);
    }
    TwoHalves run(options, seed);
    uint64_t promised = 0;
    for (uint64_t i = prng.Below(60); i > 0; --i) {
      switch (prng.Below(8)) {
        case 0:
          ASSERT_TRUE(run.writer->SetAckPolicy(static_cast<AckPolicy>(prng.Below(3))).ok());
          break;
        case 1:
          ASSERT_TRUE(run.writer->HandOver().ok());
          break;
        case 2:
          ASSERT_TRUE(run.writer->Sync().ok());
          promised = run.appended;
          break;
        default:
          ASSERT_TRUE(run.Append(prng.Below(40)).ok());
          break;
      }
      run.halves.Steps(prng.Below(12));
      // Read as a listener would: it must never be withdrawn.
      const uint64_t acknowledged = run.writer->acknowledged_sequence().value();
      ASSERT_LE(acknowledged, run.appended);
      promised = std::max(promised, run.writer->durable_sequence().value());
      ASSERT_LE(run.writer->durable_sequence(), run.writer->written_sequence());
    }
    if (prng.Chance(20)) {
      promised = std::max(promised, run.writer->written_sequence().value());
      run.directory.Kill();
    } else {
      run.directory.Crash(prng);
    }
    const std::vector<std::string> names = run.directory.List().value();
    for (const std::string& name : names) {
      EXPECT_EQ(run.directory.synced_sectors_rewritten(name), 0u) << name;
    }
    const auto report = Verify(run.directory);
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_NE(report->verdict, Verdict::kDamaged) << report->findings.front().ToString();
    WriterOptions alone;
    const auto again = Writer::Open(run.directory, TestMetadata(), TestUuid(), kTestCreated, alone);
    ASSERT_TRUE(again.ok()) << again.status();
    const ReadResult read = ReadJournal(run.directory);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_GE(read.records.size(), promised);
    ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), run.log.begin()));
  }
}

// Every call of the storage fails, once or from then on, under every order of the steps a seed
// gives.
TEST(TwoThreads, AFailureIsStickyLosesNothingAndHangsNoThread) {
  for (const bool short_writes : {false, true}) {
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      SCOPED_TRACE(call);
      SteppedHalves halves(call);
      MemoryDirectory directory;
      engine::Prng prng(call);
      FaultyDirectory faulty(directory, {.failing_call = call,
                                         .stays_broken = call % 2 == 0,
                                         .short_writes = short_writes,
                                         .on_failed_sync = [&](absl::string_view name) {
                                           directory.FailSync(name, prng);
                                         }});
      const std::vector<OwnedRecord> log = RecordSource(3, 10).Take(200);
      uint64_t promised = 0;
      auto writer =
          Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated, SmallBlocks(halves));
      if (writer.ok()) {
        halves.Attach(**writer);
        absl::Status status = (*writer)->SetAckPolicy(AckPolicy::kDisk);
        for (size_t i = 0; i < log.size() && status.ok(); ++i) {
          status = (*writer)->Append(log[i].row, log[i].attachment);
          halves.Steps(i % 3);
          promised = (*writer)->acknowledged_sequence().value();
        }
        if (status.ok()) status = (*writer)->Close();
        promised = std::max(promised, (*writer)->durable_sequence().value());
        if (!status.ok()) {
          EXPECT_EQ((*writer)->status(), status);
          EXPECT_EQ((*writer)->Sync(), status);
          EXPECT_EQ((*writer)->Close(), status);
          EXPECT_EQ((*writer)->HandOver(), status);
        }
      }
      failed = faulty.has_failed();
      directory.CrashDroppingAll();
      const auto again = Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated);
      if (absl::IsNotFound(again.status())) {
        ASSERT_EQ(promised, 0u);
        continue;
      }
      ASSERT_TRUE(again.ok()) << again.status();
      ASSERT_GE((*again)->next_sequence().value() - 1, promised);
      const ReadResult read = ReadJournal(directory);
      ASSERT_TRUE(read.status.ok()) << read.status;
      ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
    }
  }
}

}  // namespace
}  // namespace journal
