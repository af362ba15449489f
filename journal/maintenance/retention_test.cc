#include "journal/maintenance/retention.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/follower.h"
#include "journal/format/beginning.h"
#include "journal/holds.h"
#include "journal/reader.h"
#include "journal/recovery/journal_state.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr WriterOptions kOptions = {.segment_bytes = 256 << 10, .block_records = 512};

// Twelve segments or so of a few thousand records, the last one open.
class RetentionTest : public ::testing::Test {
 protected:
  RetentionTest() {
    writer_ =
        Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
    AppendAll(*writer_, log_);
    EXPECT_TRUE(writer_->Sync().ok());
    segments_ = Inspect().segments;
  }

  JournalState Inspect() const { return InspectJournal(directory_, InspectDepth::kBlocks).value(); }
  static EligibleSnapshots At(std::vector<uint64_t> sequences) {
    EligibleSnapshots snapshots;
    for (const uint64_t sequence : sequences) snapshots.emplace_back(sequence);
    return snapshots;
  }
  size_t DeletableWith(const EligibleSnapshots& snapshots) const {
    return PlanPrune(directory_, snapshots)->deletable.size();
  }
  uint64_t FirstOf(size_t segment) const { return segments_[segment].first_sequence().value(); }

  const std::vector<OwnedRecord> log_ = RecordSource(5, 1).Take(120'000);
  MemoryDirectory directory_;
  std::unique_ptr<Writer> writer_;
  std::vector<SegmentState> segments_;
};

TEST_F(RetentionTest, WithoutTwoSnapshotsNothingIsDeleted) {
  ASSERT_GE(segments_.size(), 8u);
  EXPECT_EQ(DeletableWith({}), 0u);
  EXPECT_EQ(DeletableWith(At({110'000})), 0u);
  EXPECT_EQ(DeletableWith(At({110'000, 110'000})), 0u) << "one snapshot, listed twice";
}

TEST_F(RetentionTest, TheSecondNewestSnapshotDecides) {
  const uint64_t second = FirstOf(5) + 4096;
  const PrunePlan plan = PlanPrune(directory_, At({second, 10, FirstOf(7)})).value();
  EXPECT_EQ(plan.deletable.size(), 5u);
  EXPECT_EQ(plan.first_kept_segment, 5u);
  EXPECT_EQ(plan.first_kept, SequenceNumber(FirstOf(5)));
  EXPECT_TRUE(absl::StrContains(plan.reason, "second-newest eligible snapshot")) << plan.reason;
}

TEST_F(RetentionTest, TheRunOfTheDigestWithTheSnapshotStays) {
  // One record into segment 5: its run began in segment 4.
  ASSERT_NE(FirstOf(5) % 4096, 1u);
  EXPECT_EQ(DeletableWith(At({FirstOf(5), 120'000})), 4u);
}

TEST_F(RetentionTest, AHoldKeepsItsRecordAndAllAfter) {
  const EligibleSnapshots snapshots = At({119'000, 120'000});
  const size_t without = DeletableWith(snapshots);
  ASSERT_GE(without, 6u);
  ASSERT_TRUE(
      AddHold(directory_, {.name = "warehouse", .sequence = SequenceNumber(FirstOf(3) + 4096)})
          .ok());
  EXPECT_EQ(DeletableWith(snapshots), 3u);
  EXPECT_EQ(PlanPrune(directory_, snapshots)->reason,
            "hold 'warehouse' at " + std::to_string(FirstOf(3) + 4096));
  directory_.SetContents("warehouse.hold", {});
  EXPECT_EQ(DeletableWith(snapshots), 0u) << "one that cannot be read keeps everything";
  ASSERT_TRUE(RemoveHold(directory_, "warehouse").ok());
  EXPECT_EQ(DeletableWith(snapshots), without);
}

// A hold that is added between the plan and the deletion is either refused or kept.
TEST_F(RetentionTest, AHoldAndADeletionSeeEachOther) {
  const EligibleSnapshots snapshots = At({119'999, 120'000});
  const Hold hold{.name = "late", .sequence = SequenceNumber(FirstOf(2) + 4096)};
  uint64_t announced = 0;  // After so many reads.
  {
    const auto copy = MemoryDirectory::FromSnapshot(directory_.Snapshot());
    HookedDirectory beside(*copy, [&] {
      if (!ReadBeginning(*copy).ok()) ++announced;
    });
    ASSERT_TRUE(Prune(beside, snapshots).ok());
  }
  uint64_t kept = 0;
  uint64_t refused = 0;
  for (uint64_t when = announced - 20; when < announced + 20; ++when) {
    const auto copy = MemoryDirectory::FromSnapshot(directory_.Snapshot());
    uint64_t looks = 0;
    absl::Status added;
    HookedDirectory beside(*copy, [&] {
      if (looks++ == when) added = AddHold(*copy, hold);
    });
    ASSERT_TRUE(Prune(beside, snapshots).ok());
    const auto first = InspectJournal(*copy, InspectDepth::kTail)->segments.front();
    if (looks > when && added.ok()) {
      EXPECT_LE(first.first_sequence(), hold.sequence) << when;
      EXPECT_EQ(ReadBeginning(*copy)->segment_index, first.segment_index) << when;
      ++kept;
    } else {
      ++refused;
      EXPECT_GT(first.first_sequence(), hold.sequence) << when;
      EXPECT_TRUE(ListHolds(*copy)->empty()) << when;
    }
  }
  EXPECT_GT(kept, 0u);
  EXPECT_GT(refused, 0u);
}

// Segments that became deletable after the announcement stay until the next time.
TEST_F(RetentionTest, AHoldThatMovesAndAWriterThatRollsDisturbNoDeletion) {
  const EligibleSnapshots snapshots = At({119'999, 120'000});
  const Hold early{.name = "early", .sequence = SequenceNumber(FirstOf(3) + 4096)};
  const Hold late{.name = "early", .sequence = SequenceNumber(FirstOf(6) + 4096)};
  ASSERT_TRUE(AddHold(directory_, early).ok());
  writer_.reset();
  directory_.Kill();
  const auto files = directory_.Snapshot();
  const std::vector<OwnedRecord> more = RecordSource(5, 1).Take(140'000);
  for (const bool rolls : {false, true}) {
    const auto begin = [&](MemoryDirectory& copy) {
      if (rolls) RemoveHold(copy, "early").IgnoreError();
      return Writer::Open(copy, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
    };
    uint64_t announced = 0;  // After so many reads.
    {
      const auto copy = MemoryDirectory::FromSnapshot(files);
      const auto writer = begin(*copy);
      HookedDirectory beside(*copy, [&] {
        if (!ReadBeginning(*copy).ok()) ++announced;
      });
      ASSERT_GE(Prune(beside, snapshots)->deletable.size(), 3u);
    }
    for (uint64_t when = announced - 10; when < announced + 10; ++when) {
      const auto copy = MemoryDirectory::FromSnapshot(files);
      const auto writer = begin(*copy);
      const size_t planned = PlanPrune(*copy, snapshots)->deletable.size();
      uint64_t looks = 0;
      HookedDirectory beside(*copy, [&] {
        if (looks++ != when) return;
        if (rolls) {
          AppendAll(*writer, {more.begin() + 120'000, more.end()});
        } else {
          ASSERT_TRUE(AddHold(*copy, late).ok());
        }
      });
      const PrunePlan plan = Prune(beside, snapshots).value();
      ASSERT_GT(looks, when);
      EXPECT_GE(plan.deletable.size(), planned) << when;
      const JournalState state = InspectJournal(*copy, InspectDepth::kTail).value();
      EXPECT_EQ(state.verdict, Verdict::kClean) << when << state.VerdictReason();
      EXPECT_EQ(state.segments.front().segment_index, plan.first_kept_segment) << when;
      EXPECT_EQ(ReadBeginning(*copy)->segment_index, plan.first_kept_segment) << when;
    }
  }
}

TEST_F(RetentionTest, ASecondDeletionIsRefusedWhileOneIsUnderWay) {
  const EligibleSnapshots snapshots = At({119'999, 120'000});
  const auto deleted = Prune(directory_, snapshots, [&](const PrunePlan&) {
    const absl::Status second = Prune(directory_, snapshots).status();
    EXPECT_TRUE(absl::IsUnavailable(second)) << second;
    EXPECT_TRUE(absl::StrContains(second.message(), "the maintenance lock")) << second;
    return absl::OkStatus();
  });
  EXPECT_FALSE(deleted.value().deletable.empty()) << "while a writer runs";
}

// The other way round: the deletion is announced while the hold is being added.
TEST_F(RetentionTest, AHoldIsRemovedIfADeletionWasFaster) {
  for (uint64_t when = 0; when < 6; ++when) {
    const auto copy = MemoryDirectory::FromSnapshot(directory_.Snapshot());
    uint64_t looks = 0;
    HookedDirectory beside(*copy, [&] {
      if (looks++ != when) return;
      ASSERT_TRUE(Prune(*copy, At({119'999, 120'000})).ok());
    });
    const bool added =
        AddHold(beside, {.name = "late", .sequence = SequenceNumber(FirstOf(2) + 4096)}).ok();
    const auto first = InspectJournal(*copy, InspectDepth::kTail)->segments.front();
    EXPECT_EQ(added, first.segment_index <= 2) << when;
    EXPECT_EQ(added, !ListHolds(*copy)->empty()) << when;
  }
}

TEST_F(RetentionTest, TheWritersSegmentIsNeverDeleted) {
  EXPECT_LT(DeletableWith(At({119'999, 120'000})), segments_.size());
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_LT(DeletableWith(At({119'999, 120'000})), segments_.size());
}

TEST_F(RetentionTest, ADamagedJournalIsNotChanged) {
  std::vector<std::byte> bytes = directory_.Contents("segment-000001.tape");
  std::fill(bytes.begin(), bytes.begin() + 8192, std::byte{0});
  directory_.SetContents("segment-000001.tape", bytes);
  EXPECT_TRUE(absl::IsDataLoss(PlanPrune(directory_, At({1, 2})).status()));
}

// Its index and all that a writer checks are right: only reading the records shows the damage.
TEST_F(RetentionTest, NothingIsDeletedIfARemainingRecordIsDamaged) {
  const EligibleSnapshots snapshots = At({FirstOf(5) + 4096, FirstOf(7)});
  const size_t would_go = DeletableWith(snapshots);
  ASSERT_EQ(would_go, 5u);
  const std::vector<std::byte> whole = directory_.Contents("segment-000006.tape");
  for (const size_t at : {segments_[6].blocks[2].offset, segments_[6].blocks[3].offset + 500}) {
    std::vector<std::byte> bytes = whole;
    bytes[at + 20] ^= std::byte{1};
    directory_.SetContents("segment-000006.tape", bytes);
    ASSERT_EQ(InspectJournal(directory_, InspectDepth::kTail)->verdict, Verdict::kClean);
    const auto files = directory_.Snapshot();
    for (const absl::Status& status :
         {PlanPrune(directory_, snapshots).status(), Prune(directory_, snapshots).status()}) {
      EXPECT_TRUE(absl::IsDataLoss(status)) << status;
      EXPECT_TRUE(absl::StrContains(status.message(), "in the kept segments")) << status;
    }
    EXPECT_EQ(directory_.Snapshot(), files);
  }
}

TEST_F(RetentionTest, DeletedRecordsMayBeDamaged) {
  std::vector<std::byte> bytes = directory_.Contents("segment-000001.tape");
  bytes[segments_[1].blocks[2].offset + 500] ^= std::byte{1};
  directory_.SetContents("segment-000001.tape", bytes);
  const PrunePlan plan = Prune(directory_, At({FirstOf(5) + 4096, FirstOf(7)})).value();
  EXPECT_EQ(plan.deletable.size(), 5u);
  EXPECT_EQ(plan.checked_segments, segments_.size() - 5);
  EXPECT_EQ(Verify(directory_)->verdict, Verdict::kClean);
}

TEST_F(RetentionTest, TheRestIsAJournalThatBeginsLater) {
  const engine::Digest digest = writer_->log_digest();
  ASSERT_EQ(Prune(directory_, At({FirstOf(5) + 4096, FirstOf(7)}))->deletable.size(), 5u);
  EXPECT_EQ(Inspect().segments.size(), segments_.size() - 5);

  const VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kClean);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.first_sequence, SequenceNumber(FirstOf(5)));
  EXPECT_EQ(report.log_digest, digest) << "the digest is that of the whole log";

  const auto reader = Reader::Open(directory_).value();
  EXPECT_EQ(reader->info().first_sequence, SequenceNumber(FirstOf(5)));
  EXPECT_TRUE(absl::IsOutOfRange(reader->SeekToSequence(SequenceNumber(1))));
  const ReadResult read = ReadJournal(directory_);
  EXPECT_EQ(read.records, std::vector<OwnedRecord>(
                              log_.begin() + static_cast<ptrdiff_t>(FirstOf(5)) - 1, log_.end()));
  EXPECT_EQ(Follower::Open(directory_, {}).value()->next_sequence(), SequenceNumber(FirstOf(5)));
  EXPECT_TRUE(absl::IsOutOfRange(Follower::Open(directory_, {.from = SequenceNumber(1)}).status()));
}

TEST_F(RetentionTest, AWriterContinuesTheRest) {
  const EligibleSnapshots all = At({119'999, 120'000});
  const engine::Digest digest = writer_->log_digest();
  ASSERT_GT(Prune(directory_, all)->deletable.size(), 5u);
  AppendAll(*writer_, {});
  ASSERT_TRUE(writer_->Sync().ok()) << "a running writer does not notice";
  writer_.reset();
  directory_.Kill();
  writer_ = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
  EXPECT_EQ(writer_->next_sequence(), SequenceNumber(120'001));
  EXPECT_EQ(writer_->log_digest(), digest);
  ASSERT_TRUE(writer_->Close().ok());
  Prune(directory_, all).value();
  writer_.reset();
  writer_ = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
  EXPECT_EQ(writer_->log_digest(), digest);
  EXPECT_EQ(Verify(directory_)->verdict, Verdict::kClean);
}

TEST_F(RetentionTest, WithoutTheFileBeginningItIsDamage) {
  ASSERT_FALSE(Prune(directory_, At({FirstOf(5) + 4096, FirstOf(7)}))->deletable.empty());
  const std::vector<std::byte> contents = directory_.Contents(kBeginningFileName);
  const std::vector<std::byte> torn(contents.begin(), contents.begin() + 40);
  directory_.SetContents(kBeginningFileName, torn);
  VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
  EXPECT_TRUE(absl::StrContains(report.findings[0].message, "segments 0 to 4 are missing"));
  EXPECT_EQ(report.findings[0].last_sequence, SequenceNumber(FirstOf(5) - 1));
  // More segments are missing than were deleted.
  directory_.SetContents(kBeginningFileName, contents);
  ASSERT_TRUE(directory_.Remove("segment-000005.tape").ok());
  report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
}

TEST_F(RetentionTest, AnotherJournalsBeginningIsIgnored) {
  ASSERT_FALSE(Prune(directory_, At({FirstOf(5) + 4096, FirstOf(7)}))->deletable.empty());
  Beginning beginning = ReadBeginning(directory_).value();
  beginning.journal_uuid = Uuid::FromWords(7, 7);
  ASSERT_TRUE(WriteBeginning(directory_, beginning).ok());
  EXPECT_EQ(Verify(directory_)->verdict, Verdict::kDamaged);
}

// After any failing call and any crash then, whichever names survive: the records that must stay
// are there, and nothing is DAMAGED.
TEST_F(RetentionTest, MayBeInterruptedAnywhere) {
  const EligibleSnapshots snapshots = At({FirstOf(5) + 4096, FirstOf(7)});
  ASSERT_TRUE(writer_->Close().ok());
  writer_.reset();
  const auto files = directory_.Snapshot();
  bool has_failed = true;
  uint64_t pruned_in_part = 0;
  for (uint64_t call = 0; has_failed; ++call) {
    const auto copy = MemoryDirectory::FromSnapshot(files);
    FaultyDirectory faulty(*copy, {.failing_call = call, .stays_broken = true});
    const bool succeeded = Prune(faulty, snapshots).ok();
    has_failed = faulty.has_failed();
    EXPECT_NE(succeeded, has_failed) << call;
    engine::Prng prng(call);
    copy->Crash(prng);
    const auto state = InspectJournal(*copy, InspectDepth::kTail).value();
    EXPECT_EQ(state.verdict, Verdict::kClean) << call << ": " << state.VerdictReason();
    EXPECT_LE(state.segments.front().first_sequence(), SequenceNumber(FirstOf(5)));
    if (has_failed && state.segments.size() < segments_.size()) ++pruned_in_part;
    ASSERT_TRUE(Prune(*copy, snapshots).ok()) << "and it can be repeated";
    EXPECT_EQ(InspectJournal(*copy, InspectDepth::kTail)->segments.size(), segments_.size() - 5);
  }
  EXPECT_GT(pruned_in_part, 3u);
}

}  // namespace
}  // namespace journal
