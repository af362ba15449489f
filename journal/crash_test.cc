// J4: recovery keeps a prefix that holds every acknowledged record, or refuses.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/testing/campaign_size.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/log_digest.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

WriterOptions SmallOptions(engine::Prng& prng) {
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = static_cast<uint32_t>(1 + prng.Below(60));
  options.block_attachment_bytes = static_cast<uint32_t>(1 + prng.Below(2000));
  options.compression = prng.Chance(50) ? Compression::kZstd : Compression::kNone;
  return options;
}

engine::Digest DigestOfRecords(const std::vector<OwnedRecord>& records) {
  LogDigest digest;
  for (const OwnedRecord& record : records) digest.Add(record.row, record.attachment);
  return digest.Value();
}

// A history: appends, writes, syncs, crashes and takeovers, in random order, and the promises.
class History {
 public:
  explicit History(uint64_t seed)
      : prng_(seed), log_(RecordSource(seed, prng_.Below(30)).Take(3000)) {}

  // One generation, then a page goes bad: what the log itself marks as durable is kept, or the
  // journal is refused and left as it is.
  void RunAndDamage() {
    OpenWriter();
    if (::testing::Test::HasFatalFailure()) return;
    Work();
    Stop();
    const auto files = directory_.Snapshot();
    const auto before = Verify(directory_);
    ASSERT_TRUE(before.ok()) << before.status();
    for (const auto& [name, bytes] : files) {
      if (!name.ends_with(".tape")) continue;
      for (size_t page = 0; page < bytes.size(); page += 4096) {
        auto damaged = files;
        const auto at = damaged[name].begin() + static_cast<ptrdiff_t>(page);
        const size_t end = std::min<size_t>(4096, bytes.size() - page);
        if (prng_.Chance(50)) {
          std::fill_n(at, end, std::byte{0});
        } else {
          at[static_cast<ptrdiff_t>(prng_.Below(std::min<size_t>(end, 700)))] ^= std::byte{4};
        }
        ExpectKeptOrRefused(damaged, before->durable_sequence.value());
      }
    }
  }

  void Run() {
    const uint64_t generations = 2 + prng_.Below(6);
    for (uint64_t i = 0; i < generations && !::testing::Test::HasFatalFailure(); ++i) {
      OpenWriter();
      if (::testing::Test::HasFatalFailure()) return;
      Work();
      Stop();
      CheckReadable();
    }
  }

 private:
  void OpenWriter() {
    auto writer = began_ ? Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated,
                                        SmallOptions(prng_))
                         : Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated,
                                          SmallOptions(prng_));
    ASSERT_TRUE(writer.ok()) << writer.status();
    writer_ = *std::move(writer);
    began_ = true;
    const uint64_t kept = writer_->next_sequence().value() - 1;
    ASSERT_GE(kept, promised_) << "an acknowledged record is gone";
    ASSERT_LE(kept, appended_);
    appended_ = promised_ = kept;
    ASSERT_EQ(writer_->log_digest(), DigestOfRecords(Appended()));
    ASSERT_EQ(writer_->durable_sequence().value(), kept);
  }

  void Work() {
    const uint64_t steps = prng_.Below(40);
    for (uint64_t i = 0; i < steps && appended_ + 100 < log_.size(); ++i) {
      const uint64_t dice = prng_.Below(100);
      if (dice < 70) {
        const uint64_t count = 1 + prng_.Below(90);
        for (uint64_t j = 0; j < count; ++j) {
          ASSERT_TRUE(writer_->Append(log_[appended_].row, log_[appended_].attachment).ok());
          ++appended_;
        }
      } else if (dice < 80) {
        ASSERT_TRUE(writer_->Write().ok());
      } else if (dice < 95) {
        ASSERT_TRUE(writer_->Sync().ok());
        promised_ = appended_;
      } else {
        ASSERT_TRUE(writer_->Heartbeat().ok());
      }
      promised_ = std::max(promised_, writer_->durable_sequence().value());
    }
  }

  void Stop() {
    const uint64_t dice = prng_.Below(10);
    if (dice == 0) {
      ASSERT_TRUE(writer_->Close().ok());
      promised_ = appended_;
    } else if (dice == 1) {
      promised_ = std::max(promised_, writer_->written_sequence().value());
      directory_.Kill();
      writer_.reset();
      return;
    }
    directory_.Crash(prng_);
    writer_.reset();
  }

  void ExpectKeptOrRefused(const std::map<std::string, std::vector<std::byte>>& files,
                           uint64_t durable) {
    const auto directory = MemoryDirectory::FromSnapshot(files);
    const auto writer =
        Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated, SmallOptions(prng_));
    if (!writer.ok()) {
      EXPECT_EQ(directory->Snapshot(), files) << writer.status();
      return;
    }
    const ReadResult read = ReadJournal(*directory);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log_.begin()));
    ASSERT_GE(read.records.size(), durable);
  }

  void CheckReadable() {
    const std::vector<std::string> names = directory_.List().value();
    for (const std::string& name : names) {
      if (name.ends_with(".tape")) {
        EXPECT_EQ(directory_.synced_sectors_rewritten(name), 0u) << name;
      }
    }
    const auto report = Verify(directory_);
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_NE(report->verdict, Verdict::kDamaged) << report->findings.front().ToString();
    const ReadResult read = ReadJournal(directory_);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_GE(read.records.size(), promised_);
    ASSERT_LE(read.records.size(), appended_);
    ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log_.begin()));
    EXPECT_EQ(report->record_count, read.records.size());
    EXPECT_EQ(report->log_digest, DigestOfRecords(read.records));
  }

  std::vector<OwnedRecord> Appended() const {
    return {log_.begin(), log_.begin() + static_cast<ptrdiff_t>(appended_)};
  }

  engine::Prng prng_;
  const std::vector<OwnedRecord> log_;
  MemoryDirectory directory_;
  std::unique_ptr<Writer> writer_;
  bool began_ = false;
  uint64_t appended_ = 0;
  uint64_t promised_ = 0;
};

// One seed in four, all with TICKTAPE_CAMPAIGN=all.
bool InSample(uint64_t seed) { return engine::GetCampaignSize().Has(seed, 4); }

TEST(Crash, RecoveryKeepsAPrefixThatHoldsEveryAcknowledgedRecord) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    if (!InSample(seed)) continue;
    SCOPED_TRACE(seed);
    History(seed).Run();
    if (HasFatalFailure()) return;
  }
}

TEST(Crash, APageThatGoesBadNeverLosesDurableRecordsSilently) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    if (!InSample(seed)) continue;
    SCOPED_TRACE(seed);
    History(seed).RunAndDamage();
    if (HasFatalFailure()) return;
  }
}

// Every call of the storage fails, once or from then on; a failed sync may also
// leave pages in memory that are on no disk.
class FailingCall : public ::testing::TestWithParam<int> {};

TEST_P(FailingCall, NeverLosesAnAcknowledgedRecord) {
  const bool stays_broken = (GetParam() & 1) != 0;
  const bool short_writes = (GetParam() & 2) != 0;
  const bool syncs_forget = (GetParam() & 4) != 0;
  const bool only_process_stops = (GetParam() & 8) != 0;
  const std::vector<OwnedRecord> log = RecordSource(7, 20).Take(240);
  bool failed = true;
  for (uint64_t call = 0; failed; ++call) {
    SCOPED_TRACE(call);
    MemoryDirectory directory;
    engine::Prng prng(call);
    FaultPlan plan{
        .failing_call = call, .stays_broken = stays_broken, .short_writes = short_writes};
    if (syncs_forget) {
      directory.SetKeepsCache(call % 2 == 0);
      plan.on_failed_sync = [&](absl::string_view name) { directory.FailSync(name, prng); };
    }
    FaultyDirectory faulty(directory, plan);
    WriterOptions options;
    options.segment_bytes = 64 << 10;
    options.block_records = 20;

    uint64_t promised = 0;
    uint64_t appended = 0;
    // Twice, so that recovery is hit too.
    for (int generation = 0; generation < 2; ++generation) {
      auto writer = generation == 0
                        ? Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated, options)
                        : Writer::Open(faulty, TestMetadata(), TestUuid(), kTestCreated, options);
      absl::Status status = writer.status();
      if (writer.ok()) appended = (*writer)->next_sequence().value() - 1;
      for (int i = 0; i < 120 && status.ok(); ++i) {
        status = (*writer)->Append(log[appended].row, log[appended].attachment);
        ++appended;
        if (status.ok() && i % 30 == 29) {
          status = (*writer)->Sync();
          if (status.ok()) promised = appended;
        }
      }
      if (writer.ok() && !status.ok()) {
        EXPECT_EQ((*writer)->Sync(), status) << "failure is sticky";
        EXPECT_EQ((*writer)->Append(log[0].row), status);
        EXPECT_EQ((*writer)->Close(), status);
      } else if (writer.ok() && (*writer)->Close().ok()) {
        promised = appended;
      }
      if (only_process_stops) {
        directory.Kill();
      } else {
        directory.CrashDroppingAll();
      }
    }
    failed = faulty.has_failed();

    directory.CrashDroppingAll();
    const auto writer = Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options);
    if (absl::IsNotFound(writer.status())) {
      ASSERT_EQ(promised, 0u);
      continue;
    }
    ASSERT_TRUE(writer.ok()) << writer.status();
    const uint64_t kept = (*writer)->next_sequence().value() - 1;
    ASSERT_GE(kept, promised);
    const ReadResult read = ReadJournal(directory);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_EQ(read.records.size(), kept);
    ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
  }
}

INSTANTIATE_TEST_SUITE_P(OnceOrForGood, FailingCall, ::testing::Range(0, 16));

// The machine stops in the middle of any call, rolling and closing included, and keeps any part
// of the data that was not synced.
TEST(Crash, AWriterCanBeInterruptedAnywhere) {
  const std::vector<OwnedRecord> log = RecordSource(9, 10).Take(200);
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = 10;
  options.compression = Compression::kNone;
  bool failed = true;
  for (uint64_t call = 0; failed; ++call) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
      if (!InSample(seed)) continue;
      SCOPED_TRACE(call * 100 + seed);  // Call, then seed.
      MemoryDirectory directory;
      FaultyDirectory faulty(directory, {.failing_call = call, .stays_broken = true});
      uint64_t promised = 0;
      if (auto writer = Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated, options);
          writer.ok()) {
        for (const OwnedRecord& record : log) {
          if (!(*writer)->Append(record.row, record.attachment).ok()) break;
          if (record.row.sequence.value() % 64 == 0) (*writer)->Sync().IgnoreError();
        }
        (*writer)->Close().IgnoreError();
        promised = (*writer)->durable_sequence().value();
      }
      failed = faulty.has_failed();
      engine::Prng prng(call * 100 + seed);
      directory.Crash(prng);
      const auto again = Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options);
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

// Recovery itself may crash, at any call: the next recovery finds the same journal.
TEST(Crash, RecoveryCanBeInterruptedAnywhere) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    engine::Prng prng(seed);
    const std::vector<OwnedRecord> log = RecordSource(seed, 10).Take(300);
    MemoryDirectory torn;
    const WriterOptions options = SmallOptions(prng);
    auto writer = Writer::Create(torn, TestMetadata(), TestUuid(), kTestCreated, options);
    ASSERT_TRUE(writer.ok());
    AppendAll(**writer, {log.begin(), log.begin() + 100});
    ASSERT_TRUE((*writer)->Sync().ok());
    AppendAll(**writer, {log.begin() + 100, log.end()});
    torn.Crash(prng);
    const auto files = torn.Snapshot();
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      const auto directory = MemoryDirectory::FromSnapshot(files);
      FaultyDirectory faulty(*directory, {.failing_call = call, .stays_broken = true});
      const auto interrupted =
          Writer::Open(faulty, TestMetadata(), TestUuid(), kTestCreated, options);
      failed = faulty.has_failed();
      ASSERT_EQ(interrupted.ok(), !failed);
      directory->Crash(prng);
      const auto again =
          Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated, options);
      ASSERT_TRUE(again.ok()) << again.status();
      const ReadResult read = ReadJournal(*directory);
      ASSERT_TRUE(read.status.ok()) << read.status;
      ASSERT_GE(read.records.size(), 100u);
      ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
    }
  }
}

}  // namespace
}  // namespace journal
