#include "journal/maintenance/salvage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/format/missing_records.h"
#include "journal/reader.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

class SalvageTest : public ::testing::Test {
 protected:
  SalvageTest() {
    const auto writer = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated,
                                       {.segment_bytes = 64 << 10, .block_records = 500})
                            .value();
    AppendAll(*writer, log_);
    EXPECT_TRUE(writer->Close().ok());
  }

  void Damage(const char* name, size_t begin, size_t bytes) {
    std::vector<std::byte> contents = directory_.Contents(name);
    std::fill_n(contents.begin() + static_cast<ptrdiff_t>(begin), bytes, std::byte{0x77});
    directory_.SetContents(name, contents);
  }

  // Each run's journal, in order.
  absl::Status SalvageAll(const SalvagePlan& plan) {
    uint64_t next_uuid = 100;
    return Salvage(
        directory_, plan,
        [&](const SalvageRun&) -> absl::StatusOr<Directory*> {
          saved_.push_back(std::make_unique<MemoryDirectory>());
          return saved_.back().get();
        },
        [&] { return Uuid::FromWords(1, next_uuid++); });
  }

  const std::vector<OwnedRecord> log_ = RecordSource(6, 3).Take(20'000);
  MemoryDirectory directory_;
  std::vector<std::unique_ptr<MemoryDirectory>> saved_;
};

TEST_F(SalvageTest, OfAWholeJournalIsAllOfIt) {
  const SalvagePlan plan = PlanSalvage(directory_).value();
  EXPECT_TRUE(plan.holes.empty());
  ASSERT_TRUE(SalvageAll(plan).ok());
  ASSERT_EQ(saved_.size(), 1u);
  EXPECT_EQ(ReadJournal(*saved_[0]).records, log_);
  EXPECT_EQ(Verify(*saved_[0])->log_digest, Verify(directory_)->log_digest);
}

TEST_F(SalvageTest, EachRunBecomesAJournalWithTheNumbersItHad) {
  Damage("segment-000001.tape", 8192 + 300, 10);
  Damage("segment-000003.tape", 20480, 128);
  const auto before = directory_.Snapshot();
  const SalvagePlan plan = PlanSalvage(directory_).value();
  ASSERT_EQ(plan.runs.size(), 3u);
  ASSERT_EQ(plan.holes.size(), 2u);
  EXPECT_EQ(plan.record_count(), 19'000u) << "two blocks are gone";
  ASSERT_TRUE(SalvageAll(plan).ok());
  ASSERT_EQ(saved_.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const SalvageRun& run = plan.runs[i];
    const VerifyReport report = Verify(*saved_[i]).value();
    EXPECT_EQ(report.verdict, Verdict::kClean);
    ASSERT_EQ(report.findings.size(), 2u) << "each hole is named";
    for (size_t hole = 0; hole < 2; ++hole) {
      const Finding& finding = report.findings[hole];
      EXPECT_EQ(finding.verdict, Verdict::kClean);
      EXPECT_EQ(finding.first_sequence, plan.holes[hole].first_sequence);
      EXPECT_EQ(finding.last_sequence, plan.holes[hole].last_sequence);
      EXPECT_TRUE(absl::StrContains(finding.message, "missing records")) << finding.message;
    }
    EXPECT_EQ(Reader::Open(*saved_[i]).value()->info().warnings.size(), 2u);
    EXPECT_EQ(report.first_sequence, run.first_sequence);
    EXPECT_EQ(report.last_sequence, run.last_sequence);
    EXPECT_EQ(ReadJournal(*saved_[i]).records,
              std::vector<OwnedRecord>(
                  log_.begin() + static_cast<ptrdiff_t>(run.first_sequence.value()) - 1,
                  log_.begin() + static_cast<ptrdiff_t>(run.last_sequence.value())));
  }
  EXPECT_EQ(plan.runs[0].first_sequence, SequenceNumber(1));
  EXPECT_EQ(plan.runs[2].last_sequence, SequenceNumber(20'000));
  EXPECT_EQ(plan.holes[0].first_sequence, plan.runs[0].last_sequence.Next());
  EXPECT_EQ(plan.holes[0].last_sequence, plan.runs[1].first_sequence - 1);
  EXPECT_EQ(plan.holes[0].last_durable, plan.holes[0].last_sequence) << "acknowledged, all of it";
  EXPECT_EQ(directory_.Snapshot(), before) << "the original is only read";
}

TEST_F(SalvageTest, AWriterContinuesTheFirstRunAndNoOther) {
  Damage("segment-000003.tape", 20480, 128);
  ASSERT_TRUE(SalvageAll(PlanSalvage(directory_).value()).ok());
  ASSERT_EQ(saved_.size(), 2u);
  const auto status_of = [&](size_t i) {
    return Writer::Open(*saved_[i], TestMetadata(), TestUuid(), kTestCreated).status();
  };
  EXPECT_TRUE(status_of(0).ok()) << status_of(0);
  const auto before = saved_[1]->Snapshot();
  EXPECT_TRUE(absl::IsFailedPrecondition(status_of(1))) << status_of(1);
  EXPECT_TRUE(absl::StrContains(status_of(1).message(), "no writer can continue it"));
  EXPECT_EQ(saved_[1]->Snapshot(), before);
}

TEST_F(SalvageTest, AMissingSegmentIsAHole) {
  const auto before = Reader::Open(directory_).value()->info();
  ASSERT_TRUE(directory_.Remove("segment-000000.tape").ok());
  SalvagePlan plan = PlanSalvage(directory_).value();
  ASSERT_EQ(plan.holes.size(), 1u);
  EXPECT_EQ(plan.holes[0].first_sequence, SequenceNumber(1));
  EXPECT_EQ(plan.holes[0].last_sequence, before.segments[0].last_sequence);
  ASSERT_TRUE(SalvageAll(plan).ok());
  EXPECT_EQ(Reader::Open(*saved_[0]).value()->info().first_sequence,
            before.segments[1].first_sequence);
}

// A journal has no room for any number of holes, but counts them all.
TEST_F(SalvageTest, MoreHolesThanTheFileListsAreCounted) {
  MemoryDirectory directory;
  MissingRecords missing{.journal_uuid = TestUuid(), .range_count = 100};
  for (uint64_t i = 0; i < 100; ++i) {
    const SequenceNumber at(UINT64_MAX - 1000 + 10 * i);
    missing.ranges.push_back({.first_sequence = at, .last_sequence = at.Next()});
  }
  ASSERT_TRUE(WriteMissing(directory, missing).ok());
  const MissingRecords read = ReadMissing(directory).value();
  EXPECT_EQ(read.range_count, 100u);
  ASSERT_EQ(read.ranges.size(), kMissingRangesMax);
  EXPECT_EQ(read.ranges.back(), missing.ranges[kMissingRangesMax - 1]);
}

TEST_F(SalvageTest, ADamagedListOfWhatIsMissingIsAWarning) {
  Damage("segment-000003.tape", 20480, 128);
  ASSERT_TRUE(SalvageAll(PlanSalvage(directory_).value()).ok());
  std::vector<std::byte> list = saved_[0]->Contents(kMissingFileName);
  list[30] ^= std::byte{1};
  saved_[0]->SetContents(kMissingFileName, list);
  const VerifyReport report = Verify(*saved_[0]).value();
  EXPECT_EQ(report.verdict, Verdict::kClean);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(absl::StrContains(report.findings[0].message, "`missing`"));
}

TEST_F(SalvageTest, WithoutBothPreamblesTheSegmentIsLost) {
  Damage("segment-000002.tape", 0, 8192);
  const SalvagePlan plan = PlanSalvage(directory_).value();
  EXPECT_EQ(plan.runs.size(), 2u);
  ASSERT_TRUE(SalvageAll(plan).ok());
  EXPECT_EQ(saved_.size(), 2u);
}

}  // namespace
}  // namespace journal
