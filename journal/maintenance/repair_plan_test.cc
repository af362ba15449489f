#include "journal/maintenance/repair_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/log_digest.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using engine::SequenceNumber;

// Three segments with checkpoints; sealed unless a test needs the writer.
class RepairTest : public ::testing::Test {
 protected:
  RepairTest() {
    writer_ = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated,
                             {.segment_bytes = 64 << 10, .block_records = 300})
                  .value();
    AppendAll(*writer_, log_);
    WriteCheckpoints();
  }

  void WriteCheckpoints() {
    const auto sidecar = SidecarWriter::Create(directory_, TestUuid()).value();
    LogDigest digest;
    for (const OwnedRecord& record : log_) {
      digest.Add(record.row, record.attachment);
      if (record.row.sequence.value() % 4096 != 0) continue;
      ASSERT_TRUE(
          sidecar
              ->Append(
                  {.sequence = record.row.sequence, .log = digest.Value(), .trace = digest.Value()})
              .ok());
    }
  }
  void Close() {
    ASSERT_TRUE(writer_->Close().ok());
    writer_.reset();
  }
  void Kill() {
    ASSERT_TRUE(writer_->Sync().ok());
    writer_.reset();
    directory_.Kill();
  }
  void Change(absl::string_view name, size_t at, size_t bytes = 1) {
    std::vector<std::byte> contents = directory_.Contents(name);
    for (size_t i = at; i < at + bytes; ++i) contents[i] ^= std::byte{0x40};
    directory_.SetContents(name, contents);
  }
  std::string LastSegment() const {
    std::string last;
    const std::vector<std::string> names = directory_.List().value();
    for (const std::string& name : names) {
      if (name.rfind("segment-", 0) == 0) last = std::max(last, name);
    }
    return last;
  }
  // The plan's steps as text. Repair() must carry out all of them.
  std::vector<std::string> RepairAll() {
    const auto before = directory_.Snapshot();
    const RepairPlan plan = PlanRepair(directory_).value();
    EXPECT_EQ(directory_.Snapshot(), before) << "a plan changes nothing";
    const auto digest = Verify(directory_)->log_digest;
    EXPECT_EQ(Repair(directory_)->steps.size(), plan.steps.size());
    EXPECT_TRUE(PlanRepair(directory_)->steps.empty()) << "nothing is left to do";
    const VerifyReport report = Verify(directory_).value();
    EXPECT_EQ(report.verdict, Verdict::kClean);
    EXPECT_TRUE(report.findings.empty()) << report.findings[0].ToString();
    EXPECT_EQ(report.log_digest, digest) << "no record is affected";
    std::vector<std::string> steps;
    for (const RepairStep& step : plan.steps) steps.push_back(step.description);
    return steps;
  }

  const std::vector<OwnedRecord> log_ = RecordSource(12, 2).Take(9000);
  MemoryDirectory directory_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(RepairTest, AWholeJournalNeedsNone) {
  Close();
  EXPECT_THAT(RepairAll(), IsEmpty());
}

TEST_F(RepairTest, ATornTailIsSetAsideAndCutOff) {
  Kill();
  const std::string last = LastSegment();
  std::vector<std::byte> contents = directory_.Contents(last);
  contents.insert(contents.end(), 5000, std::byte{0x11});
  directory_.SetContents(last, contents);
  EXPECT_THAT(RepairAll(), ElementsAre(HasSubstr("cut them off")));
  EXPECT_EQ(ReadJournal(directory_).records, log_);
  const std::vector<std::string> names = directory_.List().value();
  EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find(".torn.1") != std::string::npos;
  }));
}

TEST_F(RepairTest, AnIndexIsRewrittenFromTheBlocks) {
  Close();
  const auto before = directory_.Snapshot();
  for (const std::string& name : {std::string("segment-000000.tape"), LastSegment()}) {
    Change(name, directory_.Contents(name).size() - 10);
  }
  // The writer stopped while it wrote the index, and more than the index is there.
  std::vector<std::byte> longer = directory_.Contents(LastSegment());
  longer.resize(longer.size() + 3 * 4096, std::byte{0x11});
  directory_.SetContents(LastSegment(), longer);
  EXPECT_THAT(RepairAll(), ElementsAre(HasSubstr("write the index"), HasSubstr("write the index")));
  EXPECT_EQ(directory_.Snapshot(), before) << "byte for byte as the writer had it";
}

TEST_F(RepairTest, APreambleIsRestoredFromItsOtherCopy) {
  Close();
  const auto before = directory_.Snapshot();
  Change("segment-000000.tape", 100);
  Change(LastSegment(), 4096 + 50);
  EXPECT_THAT(RepairAll(),
              ElementsAre(HasSubstr("restore the preamble"), HasSubstr("restore the preamble")));
  EXPECT_EQ(directory_.Snapshot(), before);
}

TEST_F(RepairTest, CheckpointsAreRecomputedAndThoseThatAgreeAreKept) {
  Close();
  const auto right = ReadSidecar(directory_, TestUuid(), log_.back().row.sequence).value();
  ASSERT_EQ(right.size(), 2u);
  // The second entry is damaged: its trace digest is lost, its log digest is not.
  Change(kSidecarFileName, 64 + 96 + 20);
  const std::vector<std::byte> damaged = directory_.Contents(kSidecarFileName);
  EXPECT_THAT(RepairAll(), ElementsAre(HasSubstr("checkpoints from the records")));
  EXPECT_EQ(directory_.Contents("checkpoints.torn.1"), damaged) << "nothing is destroyed";
  auto written = ReadSidecar(directory_, TestUuid(), log_.back().row.sequence).value();
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[0], right[0]);
  EXPECT_EQ(written[1].log, right[1].log);
  EXPECT_EQ(written[1].trace, std::nullopt) << "digests that only the run had are not invented";
  ASSERT_TRUE(directory_.Remove(kSidecarFileName).ok());
  EXPECT_THAT(RepairAll(), ElementsAre(HasSubstr("checkpoints from the records")));
}

TEST_F(RepairTest, ADamagedJournalIsNotChanged) {
  Close();
  Change("segment-000000.tape", 20'480 + 30);
  Change(LastSegment(), 10);
  const auto before = directory_.Snapshot();
  const RepairPlan plan = PlanRepair(directory_).value();
  EXPECT_EQ(plan.verdict, Verdict::kDamaged);
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_FALSE(plan.findings.empty());
  EXPECT_TRUE(absl::IsDataLoss(Repair(directory_).status()));
  EXPECT_EQ(directory_.Snapshot(), before);
}

// A footer vouches for all before it, so none may be written after data that is on no disk.
TEST_F(RepairTest, WritesNoIndexAfterDataThatIsInMemoryOnly) {
  for (const bool keeps_cache : {false, true}) {
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      SCOPED_TRACE(call);
      MemoryDirectory directory;
      directory.SetKeepsCache(keeps_cache);
      engine::Prng prng(call);
      FaultyDirectory faulty(directory,
                             {.failing_call = call, .on_failed_sync = [&](absl::string_view name) {
                                directory.FailSync(name, prng);
                              }});
      uint64_t promised = 0;
      if (const auto writer = Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated);
          writer.ok()) {
        for (const OwnedRecord& record : RecordSource(12, 2).Take(20)) {
          if (!(*writer)->Append(record.row, record.attachment).ok()) break;
        }
        (*writer)->Sync().IgnoreError();
        (*writer)->Close().IgnoreError();
        promised = (*writer)->durable_sequence().value();
      }
      failed = faulty.has_failed();
      directory.Kill();
      const absl::Status repaired = Repair(directory).status();
      ASSERT_TRUE(repaired.ok() || absl::IsNotFound(repaired)) << repaired;
      directory.CrashDroppingAll();
      const auto writer = Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated);
      if (absl::IsNotFound(writer.status())) {
        ASSERT_EQ(promised, 0u);
        continue;
      }
      ASSERT_TRUE(writer.ok()) << writer.status();
      EXPECT_GE((*writer)->next_sequence().value() - 1, promised);
    }
  }
}

TEST_F(RepairTest, WaitsForNoWriter) {
  EXPECT_TRUE(absl::IsUnavailable(Repair(directory_).status()));
}

TEST_F(RepairTest, MayBeInterruptedAnywhere) {
  Close();
  Change("segment-000000.tape", 100);
  Change("segment-000001.tape", directory_.Contents("segment-000001.tape").size() - 10);
  Change(kSidecarFileName, 70);
  const auto files = directory_.Snapshot();
  bool has_failed = true;
  for (uint64_t call = 0; has_failed; ++call) {
    const auto copy = MemoryDirectory::FromSnapshot(files);
    FaultyDirectory faulty(*copy, {.failing_call = call, .stays_broken = true});
    const bool succeeded = Repair(faulty).ok();
    has_failed = faulty.has_failed();
    EXPECT_NE(succeeded, has_failed);
    copy->CrashDroppingAll();
    ASSERT_TRUE(Repair(*copy).ok()) << call;
    EXPECT_TRUE(Verify(*copy)->findings.empty()) << call;
    EXPECT_EQ(ReadJournal(*copy).records, log_);
  }
}

}  // namespace
}  // namespace journal
