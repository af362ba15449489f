// R2: restoring a snapshot and going on is never having stopped. And a snapshot that is damaged,
// unproven or another journal's is skipped.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/snapshot_parts.h"
#include "engine/views/venue_memory.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/writer.h"
#include "replay/checked_replay.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/recorder.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/state_source.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using engine::SequenceNumber;

constexpr uint64_t kRun = 4096;

std::unique_ptr<Machine> Fresh() { return std::make_unique<ExchangeMachine>(); }

class NoListener final : public engine::EventListener {
 public:
  void OnEvents(const engine::Command&, std::span<const engine::Event>) override {}
};

// A recorded journal of some 20,000 commands, in memory, and its snapshots.
class SnapshotTest : public testing::Test {
 protected:
  static constexpr size_t kLength = 20'000;

  SnapshotTest() {
    log_ = BusySession({.seed = 5, .length = kLength});
    Record(journal_, log_.size(), nullptr);
    reader_ = journal::Reader::Open(journal_).value();
    recorded_ =
        journal::ReadSidecar(journal_, reader_->info().uuid, SequenceNumber(kLength)).value();
  }

  // Records the log's commands up to `last`, from `start` if there is one.
  void Record(journal::Directory& directory, size_t last, StartingPoint* start) {
    engine::ManualClock clock;
    NoListener listener;
    ExchangeMachine machine;
    Driver driver(start == nullptr ? machine : *start->machine);
    std::unique_ptr<journal::Writer> writer;
    std::unique_ptr<journal::SidecarWriter> sidecar;
    if (start == nullptr) {
      writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                       journal::Uuid::FromWords(1, 2), {}, {})
                   .value();
      sidecar = journal::SidecarWriter::Create(directory, writer->journal_uuid()).value();
    } else {
      writer = journal::Writer::Open(directory, journal::JournalMetadata(),
                                     journal::Uuid::FromWords(1, 2), {}, {})
                   .value();
      driver.ResumeAt(CheckpointOf(*start->snapshot), start->snapshot->event_count);
      const auto reader = journal::Reader::Open(directory).value();
      ASSERT_TRUE(reader->SeekToSequence(driver.last_applied().Next()).ok());
      ASSERT_TRUE(
          driver.Run(*reader, reader->info().last_sequence, [](auto&, auto) { return true; }).ok());
      sidecar =
          journal::SidecarWriter::Open(directory, writer->journal_uuid(), driver.last_applied())
              .value();
    }
    Recorder recorder(*writer, clock, *sidecar, driver, listener, {.ack = AckPolicy::kWritten});
    for (size_t i = driver.last_applied().value(); i < last; ++i) {
      clock.Set(log_[i].row.timestamp);
      ASSERT_TRUE(recorder.Submit(ToCommand(log_[i].row), log_[i].bytes()).ok());
    }
    ASSERT_TRUE(recorder.Finish().ok());
  }

  // Takes one at each of these.
  void TakeAt(std::vector<uint64_t> sequences) {
    StartingPoint start{
        .machine = Fresh(), .snapshot = {}, .warnings = {}, .memory = engine::VenueMemory()};
    SnapshotTaker taker(start, reader_->info().uuid, "test");
    ASSERT_TRUE(reader_->SeekToSequence(SequenceNumber::First()).ok());
    for (const uint64_t sequence : sequences) {
      while (taker.last_applied().value() < sequence) taker.Apply(*reader_->Next().value());
      const auto taken = taker.Take(snapshots_, Fresh);
      ASSERT_TRUE(taken.ok()) << taken.status();
    }
  }

  std::vector<Snapshot> List() { return ListSnapshots(snapshots_, reader_->info().uuid).value(); }

  absl::StatusOr<StartingPoint> Start(uint64_t at_most) {
    journal::PrefixDigests digests(journal_);
    return FindStart(&snapshots_, digests, reader_->info(), SequenceNumber(at_most), Fresh);
  }

  // What the records up to `last` make a venue remember.
  engine::Digest MemoryAfter(uint64_t last) {
    StartingPoint start{
        .machine = Fresh(), .snapshot = {}, .warnings = {}, .memory = engine::VenueMemory()};
    SnapshotTaker taker(start, reader_->info().uuid, "test");
    EXPECT_TRUE(taker.ApplyUntil(SequenceNumber(last), *reader_, [](auto) {}).ok());
    return start.memory->MemoryDigest();
  }

  absl::StatusOr<StartingPoint> StartWithMemory(uint64_t at_most) {
    journal::PrefixDigests digests(journal_);
    return FindStart(&snapshots_, digests, reader_->info(), SequenceNumber(at_most), Fresh,
                     WithMemory::kYes);
  }

  static std::string NameAt(uint64_t sequence, absl::string_view suffix = ".snap") {
    return absl::StrFormat("%020d%s", sequence, suffix);
  }
  static std::string MemoryAt(uint64_t sequence) { return NameAt(sequence, ".memory"); }

  void FlipBitOf(const std::string& file, size_t byte) {
    std::vector<std::byte> bytes = snapshots_.Contents(file);
    bytes[byte] ^= static_cast<std::byte>(1 << byte % 8);
    snapshots_.SetContents(file, bytes);
  }

  Log log_;
  journal::MemoryDirectory journal_;
  journal::MemoryDirectory snapshots_;
  std::unique_ptr<journal::Reader> reader_;
  std::vector<journal::Checkpoint> recorded_;
};

TEST_F(SnapshotTest, ReplayFromASnapshotEqualsReplayFromTheFirstRecord) {
  TakeAt({kRun, 3 * kRun});
  StartingPoint first{
      .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  const auto whole =
      ReplayCheckedFrom(first, *reader_, recorded_, SequenceNumber(kLength), [](auto&, auto) {});
  ASSERT_TRUE(whole.ok()) << whole.status();
  for (const uint64_t from : {kRun, 3 * kRun}) {
    auto start = Start(from + 17);
    ASSERT_TRUE(start.ok()) << start.status();
    ASSERT_EQ(start->last_applied(), SequenceNumber(from));
    const auto tail =
        ReplayCheckedFrom(*start, *reader_, recorded_, SequenceNumber(kLength), [](auto&, auto) {});
    ASSERT_TRUE(tail.ok()) << tail.status();
    EXPECT_EQ(tail->last, whole->last);
    EXPECT_EQ(tail->record_count, kLength - from);
    EXPECT_EQ(start->snapshot->event_count + tail->output_count, whole->output_count);
    EXPECT_FALSE(tail->divergence.has_value()) << tail->divergence->ToString();
    EXPECT_GT(tail->checkpoints_compared, 0u);
  }
}

TEST_F(SnapshotTest, ARecordingThatResumesFromASnapshotLeavesTheCheckpointsOfAnUninterruptedOne) {
  TakeAt({2 * kRun});
  journal::MemoryDirectory interrupted;
  Record(interrupted, 3 * kRun - 100, nullptr);
  auto start = Start(kLength);
  ASSERT_TRUE(start.ok()) << start.status();
  Record(interrupted, log_.size(), &*start);
  const auto reader = journal::Reader::Open(interrupted).value();
  std::vector<journal::Checkpoint> left =
      journal::ReadSidecar(interrupted, reader->info().uuid, SequenceNumber(kLength)).value();
  // Where it was interrupted, there is one more.
  std::erase_if(left, [](const journal::Checkpoint& checkpoint) {
    return checkpoint.sequence == SequenceNumber(3 * kRun - 100);
  });
  EXPECT_EQ(left, recorded_);
}

TEST_F(SnapshotTest, TheStateAnywhereIsTheSameWithAndWithoutSnapshots) {
  TakeAt({kRun, 2 * kRun, 4 * kRun});
  for (const uint64_t at : {uint64_t{1}, kRun - 1, kRun, kRun + 1, 3 * kRun + 5, kLength}) {
    journal::PrefixDigests digests(journal_);
    const auto with = OpenState(&snapshots_, digests, *reader_, SequenceNumber(at), Fresh);
    const auto without = OpenState(nullptr, digests, *reader_, SequenceNumber(at), Fresh);
    ASSERT_TRUE(with.ok() && without.ok()) << with.status() << without.status();
    EXPECT_EQ(with->machine->StateDigest(), without->machine->StateDigest()) << at;
    EXPECT_EQ(with->snapshot.has_value(), at >= kRun);
    EXPECT_FALSE(without->snapshot.has_value());
  }
}

TEST_F(SnapshotTest, ASnapshotThatWasNotRestoredOnceIsNotUsed) {
  TakeAt({kRun});
  ASSERT_TRUE(List()[0].is_proven_and_whole());
  const std::string proof = NameAt(kRun).substr(0, 20) + ".proven";
  ASSERT_TRUE(snapshots_.Remove(proof).ok());
  EXPECT_FALSE(List()[0].is_proven_and_whole());
  const auto start = Start(kLength);
  ASSERT_TRUE(start.ok());
  EXPECT_FALSE(start->snapshot.has_value());
  ASSERT_EQ(start->warnings.size(), 1u);
  EXPECT_TRUE(absl::StrContains(start->warnings[0], "not proven yet")) << start->warnings[0];
}

TEST_F(SnapshotTest, TheProofOfAnotherContentIsIgnored) {
  TakeAt({kRun, 2 * kRun});
  const std::string proof = NameAt(kRun).substr(0, 20) + ".proven";
  snapshots_.SetContents(proof, snapshots_.Contents(NameAt(2 * kRun).substr(0, 20) + ".proven"));
  EXPECT_FALSE(List()[1].is_proven_and_whole());
  EXPECT_TRUE(List()[0].is_proven_and_whole());
}

TEST_F(SnapshotTest, ADamagedSnapshotFallsBackToAnOlderOneWithAWarning) {
  TakeAt({kRun, 3 * kRun});
  std::vector<std::byte> bytes = snapshots_.Contents(NameAt(3 * kRun));
  bytes[bytes.size() / 2] ^= std::byte{1};
  snapshots_.SetContents(NameAt(3 * kRun), bytes);
  const auto start = Start(kLength);
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->last_applied(), SequenceNumber(kRun));
  ASSERT_EQ(start->warnings.size(), 1u);
  EXPECT_TRUE(absl::StrContains(start->warnings[0], "snapshot skipped: ")) << start->warnings[0];
}

// The same UUID and length, and other records from `first` on.
class OtherLogTest : public SnapshotTest {
 protected:
  void RecordOther(uint64_t first) {
    const Log other = BusySession({.seed = 6, .length = kLength});
    for (size_t i = first - 1; i < log_.size(); ++i) {
      const engine::Timestamp time = std::max(other[i].row.timestamp, log_[i].row.timestamp);
      log_[i] = other[i];
      log_[i].row.timestamp = time;
    }
    Record(other_, log_.size(), nullptr);
    reader_ = journal::Reader::Open(other_).value();
  }

  absl::StatusOr<StartingPoint> StartOther() {
    journal::PrefixDigests digests(other_);
    return FindStart(&snapshots_, digests, reader_->info(), SequenceNumber(kLength), Fresh);
  }

  journal::MemoryDirectory other_;
};

TEST_F(OtherLogTest, ASnapshotOfItIsSkipped) {
  TakeAt({kRun, 3 * kRun});
  RecordOther(1);
  const auto start = StartOther();
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_FALSE(start->snapshot.has_value());
  ASSERT_EQ(start->warnings.size(), 2u);
  EXPECT_TRUE(absl::StrContains(start->warnings[0], "of another log")) << start->warnings[0];
}

TEST_F(OtherLogTest, ASnapshotOfTheCommonBeginningIsUsed) {
  TakeAt({2 * kRun, 3 * kRun});
  RecordOther(2 * kRun + 1);
  const auto start = StartOther();
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->last_applied(), SequenceNumber(2 * kRun));
  EXPECT_EQ(start->warnings.size(), 1u);
}

TEST_F(SnapshotTest, AJournalThatBeginsLaterNeedsASnapshot) {
  TakeAt({kRun});
  journal::PrefixDigests digests(journal_);
  journal::JournalInfo info = reader_->info();
  info.first_sequence = SequenceNumber(kRun + 1);
  EXPECT_TRUE(FindStart(&snapshots_, digests, info, SequenceNumber(kLength), Fresh).ok());
  info.first_sequence = SequenceNumber(kRun + 2);
  const auto start = FindStart(&snapshots_, digests, info, SequenceNumber(kLength), Fresh);
  EXPECT_EQ(start.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(start.status().message(), "no proven one is there from @4097"))
      << start.status();
}

// ---- Bytes

TEST_F(SnapshotTest, EveryFlippedBitIsFound) {
  TakeAt({kRun});
  const std::vector<std::byte> sound = snapshots_.Contents(NameAt(kRun));
  for (size_t at = 0; at < sound.size(); at += 1 + sound.size() / 2500) {
    std::vector<std::byte> bytes = sound;
    bytes[at] ^= static_cast<std::byte>(1 << at % 8);
    snapshots_.SetContents(NameAt(kRun), bytes);
    const std::vector<Snapshot> listed = List();
    ASSERT_EQ(listed.size(), 1u);
    ExchangeMachine machine;
    EXPECT_FALSE(RestoreSnapshot(snapshots_, listed[0], machine).ok()) << "byte " << at;
  }
}

TEST_F(SnapshotTest, ASnapshotCutShortOrLongerIsFoundWithoutReadingIt) {
  TakeAt({kRun});
  const std::vector<std::byte> sound = snapshots_.Contents(NameAt(kRun));
  for (size_t length = 0; length < sound.size(); length += 1 + sound.size() / 300) {
    std::vector<std::byte> bytes = sound;
    bytes.resize(length);
    snapshots_.SetContents(NameAt(kRun), bytes);
    EXPECT_FALSE(List()[0].damage.empty()) << length;
  }
  std::vector<std::byte> longer = sound;
  longer.push_back({});
  snapshots_.SetContents(NameAt(kRun), longer);
  EXPECT_FALSE(List()[0].damage.empty());
}

// With valid hashes: a file of zeros between its ends, and a state of another number.
TEST_F(SnapshotTest, FalseSizesAreRefusedBeforeMemoryIsAllocated) {
  TakeAt({kRun});
  const SnapshotHeader header = List()[0].header;
  {
    const auto writer = SnapshotFileWriter::Create(snapshots_, "zeros.snap", header).value();
    const std::vector<std::byte> part(engine::kSnapshotPartBytesMax);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(writer->Add(part).ok());
    ASSERT_TRUE(writer->Finish().ok());
  }
  // 4096 records have a state of at most 32 MiB: two such parts.
  const auto reader = SnapshotFileReader::Open(snapshots_, "zeros.snap").value();
  EXPECT_TRUE(reader->Next().ok());
  EXPECT_TRUE(reader->Next().ok());
  EXPECT_TRUE(absl::IsDataLoss(reader->Next().status()));

  TakeAt({2 * kRun});
  const auto of_2_runs = SnapshotFileReader::Open(snapshots_, NameAt(2 * kRun)).value();
  {
    const auto writer = SnapshotFileWriter::Create(snapshots_, "other.snap", header).value();
    while (true) {
      const auto part = of_2_runs->Next().value();
      if (!part.has_value()) break;
      ASSERT_TRUE(writer->Add(*part).ok());
    }
    ASSERT_TRUE(writer->Finish().ok());
  }
  ASSERT_TRUE(snapshots_.Replace("other.snap", NameAt(kRun)).ok());
  ExchangeMachine machine;
  const absl::Status restored = RestoreSnapshot(snapshots_, List()[1], machine);
  EXPECT_TRUE(absl::StrContains(restored.message(), "is not the summary of the state after 4096"))
      << restored;
}

TEST_F(SnapshotTest, TheMemoryOfAVenueIsTheSameWithAndWithoutSnapshots) {
  TakeAt({kRun, 3 * kRun});
  for (const uint64_t from : {kRun, 3 * kRun}) {
    auto start = StartWithMemory(from + 17);
    ASSERT_TRUE(start.ok()) << start.status();
    EXPECT_EQ(start->last_applied(), SequenceNumber(from));
    EXPECT_EQ(start->memory->MemoryDigest(), MemoryAfter(from));
    SnapshotTaker taker(*start, reader_->info().uuid, "test");
    ASSERT_TRUE(taker.ApplyUntil(SequenceNumber(kLength), *reader_, [](auto) {}).ok());
    EXPECT_EQ(start->memory->MemoryDigest(), MemoryAfter(kLength));
  }
  EXPECT_NE(MemoryAfter(kRun), MemoryAfter(3 * kRun)) << "the log has something to remember";
}

TEST_F(SnapshotTest, OneWithoutASoundMemoryIsNoneForAVenue) {
  TakeAt({kRun, 2 * kRun, 3 * kRun});
  const std::vector<Snapshot> all = List();
  ASSERT_TRUE(all[0].has_memory);
  ASSERT_TRUE(snapshots_.Remove(MemoryAt(3 * kRun)).ok());
  EXPECT_FALSE(List()[0].has_memory);
  EXPECT_EQ(StartWithMemory(kLength)->last_applied(), SequenceNumber(2 * kRun));
  EXPECT_EQ(Start(kLength)->last_applied(), SequenceNumber(3 * kRun)) << "others use it";
  FlipBitOf(MemoryAt(2 * kRun), 300);
  const auto start = StartWithMemory(kLength);
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->last_applied(), SequenceNumber(kRun));
  ASSERT_EQ(start->warnings.size(), 2u);
  EXPECT_TRUE(absl::StrContains(start->warnings[1], "no memory of a venue: "))
      << start->warnings[1];
  // One of another log.
  ASSERT_TRUE(snapshots_.Remove(MemoryAt(kRun)).ok());
  SnapshotHeader foreign = all[2].header;
  foreign.log = {.low = 1, .high = 2};
  ASSERT_TRUE(WriteMemory(snapshots_, foreign, engine::VenueMemory()).ok());
  EXPECT_EQ(StartWithMemory(kLength)->last_applied(), SequenceNumber());
}

TEST_F(SnapshotTest, EveryFlippedBitOfAMemoryIsFound) {
  TakeAt({kRun});
  const SnapshotHeader header = List()[0].header;
  const size_t size = snapshots_.Contents(MemoryAt(kRun)).size();
  for (size_t at = 0; at < size; ++at) {
    FlipBitOf(MemoryAt(kRun), at);
    EXPECT_TRUE(absl::IsDataLoss(ReadMemory(snapshots_, header).status()) ||
                absl::IsUnimplemented(ReadMemory(snapshots_, header).status()))
        << "byte " << at << ": " << ReadMemory(snapshots_, header).status();
    FlipBitOf(MemoryAt(kRun), at);
  }
  EXPECT_TRUE(ReadMemory(snapshots_, header).ok());
}

TEST_F(SnapshotTest, ARemovedSnapshotLeavesNoMemory) {
  TakeAt({kRun});
  ASSERT_TRUE(RemoveSnapshot(snapshots_, SequenceNumber(kRun)).ok());
  EXPECT_EQ(snapshots_.List().value(), std::vector<std::string>());
}

TEST_F(SnapshotTest, AfterACrashASnapshotIsWholeOrMissing) {
  TakeAt({kRun, 2 * kRun});
  snapshots_.CrashDroppingAll();
  const std::vector<Snapshot> kept = List();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_TRUE(kept[0].is_proven_and_whole() && kept[1].is_proven_and_whole());
}

TEST_F(SnapshotTest, MayBeInterruptedAnywhere) {
  TakeAt({kRun});
  const auto before = snapshots_.Snapshot();
  StartingPoint start{
      .machine = Fresh(), .snapshot = {}, .warnings = {}, .memory = engine::VenueMemory()};
  SnapshotTaker taker(start, reader_->info().uuid, "test");
  ASSERT_TRUE(reader_->SeekToSequence(SequenceNumber::First()).ok());
  while (taker.last_applied().value() < 2 * kRun) taker.Apply(*reader_->Next().value());
  bool has_finished = false;
  for (uint64_t call = 0; !has_finished; ++call) {
    ASSERT_LT(call, 1000u);
    const auto directory = journal::MemoryDirectory::FromSnapshot(before);
    {
      journal::FaultyDirectory faulty(*directory, {.failing_call = call, .stays_broken = true});
      has_finished = taker.Take(faulty, Fresh).ok();
    }
    directory->CrashDroppingAll();
    const std::vector<Snapshot> found = ListSnapshots(*directory, reader_->info().uuid).value();
    ASSERT_GE(found.size(), 1u) << "call " << call;
    EXPECT_TRUE(found.back().is_proven_and_whole()) << "call " << call;
    for (const Snapshot& snapshot : found) {
      ExchangeMachine machine;
      EXPECT_TRUE(RestoreSnapshot(*directory, snapshot, machine).ok()) << "call " << call;
      EXPECT_TRUE(ReadMemory(*directory, snapshot.header).ok()) << "call " << call;
    }
    EXPECT_TRUE(!has_finished || found.front().is_proven_and_whole());
  }
}

// A follower that keeps only the newest removes one while another program reads it.
TEST_F(SnapshotTest, OneThatIsRemovedWhileOthersReadIsNotDamaged) {
  TakeAt({kRun, 2 * kRun});
  const journal::Uuid& uuid = reader_->info().uuid;
  int reads = 0;
  journal::HookedDirectory hooked(snapshots_, [&] {
    const bool is_listed = ++reads > 1;
    if (!is_listed) return;
    EXPECT_TRUE(RemoveSnapshot(snapshots_, SequenceNumber(kRun)).ok());
  });
  const std::vector<Snapshot> listed = ListSnapshots(hooked, uuid).value();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].sequence, SequenceNumber(2 * kRun));
  ASSERT_TRUE(RemoveSnapshot(snapshots_, SequenceNumber(2 * kRun)).ok());
  const std::unique_ptr<Machine> machine = Fresh();
  EXPECT_TRUE(absl::IsNotFound(RestoreSnapshot(snapshots_, listed[0], *machine)));
}

TEST_F(SnapshotTest, ASnapshotUnderAnotherNameIsRefused) {
  TakeAt({kRun});
  ASSERT_TRUE(snapshots_.Rename(NameAt(kRun), NameAt(2 * kRun)).ok());
  EXPECT_TRUE(absl::StrContains(List()[0].damage, "its name says otherwise")) << List()[0].damage;
}

}  // namespace
}  // namespace replay
