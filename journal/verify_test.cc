#include "journal/verify.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/format/preamble.h"
#include "journal/holds.h"
#include "journal/log_digest.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// damage_test has its findings in damaged bytes.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    WriterOptions options;
    options.block_records = 700;
    const auto writer =
        Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, log_);
    EXPECT_TRUE(writer->Close().ok());
    digest_ = writer->log_digest();
  }

  engine::Digest DigestAt(size_t count) const {
    LogDigest digest;
    for (size_t i = 0; i < count; ++i) digest.Add(log_[i].row, log_[i].attachment);
    return digest.Value();
  }

  void WriteSidecar(uint64_t sequence, const engine::Digest& log) {
    const auto sidecar =
        SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(1'000'000)).value();
    Checkpoint checkpoint{.sequence = SequenceNumber(sequence)};
    checkpoint.log = log;
    ASSERT_TRUE(sidecar->Append(checkpoint).ok());
  }

  const std::vector<OwnedRecord> log_ = RecordSource(8, 5).Take(5000);
  MemoryDirectory directory_;
  engine::Digest digest_;
};

TEST_F(VerifyTest, AWholeJournalIsCleanWithoutFindings) {
  WriteSidecar(4096, DigestAt(4096));
  WriteSidecar(5000, digest_);
  const VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kClean);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.segment_count, 1u);
  EXPECT_EQ(report.block_count, 8u);
  EXPECT_EQ(report.record_count, 5000u);
  EXPECT_EQ(report.first_sequence, SequenceNumber(1));
  EXPECT_EQ(report.last_sequence, SequenceNumber(5000));
  EXPECT_EQ(report.durable_sequence, SequenceNumber(5000));
  EXPECT_EQ(report.checkpoint_count, 2u);
  EXPECT_EQ(report.log_digest, digest_);
}

TEST_F(VerifyTest, ShallowComputesNoDigest) {
  EXPECT_EQ(Verify(directory_, {.deep = false})->log_digest, std::nullopt);
}

TEST_F(VerifyTest, RecordsThatAreNotThoseOfTheSidecarAreDamage) {
  WriteSidecar(100, DigestAt(101));
  WriteSidecar(5000, digest_);
  const VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(absl::StrContains(report.findings[0].message, "log digest at 100"));
}

TEST_F(VerifyTest, ASidecarThatIsAheadOrBrokenIsAWarning) {
  WriteSidecar(6000, digest_);
  VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kClean);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(absl::StrContains(report.findings[0].ToString(), "checkpoint at 6000"));
  directory_.SetContents(kSidecarFileName, std::vector<std::byte>(200));
  report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kClean);
  EXPECT_EQ(report.findings.size(), 1u);
}

// At every depth, as reading it costs nothing.
TEST_F(VerifyTest, ADamagedCheckpointIsAWarning) {
  for (const uint64_t sequence : {100, 4096, 5000}) WriteSidecar(sequence, DigestAt(sequence));
  std::vector<std::byte> bytes = directory_.Contents(kSidecarFileName);
  for (size_t i = 200; i < 204; ++i) bytes[i] ^= std::byte{0xff};
  directory_.SetContents(kSidecarFileName, bytes);
  for (const bool deep : {false, true}) {
    const VerifyReport report = Verify(directory_, {.deep = deep}).value();
    EXPECT_EQ(report.verdict, Verdict::kClean);
    EXPECT_EQ(report.checkpoint_count, deep ? 2u : 0u);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].message,
              "checkpoints.trace: the checkpoint at byte 160 is damaged and not used");
  }
}

// Checkpoints that a crash leaves, and the files that remain without the journal's last segments.
TEST_F(VerifyTest, ACheckpointOrAHoldAfterTheEndIsAWarning) {
  WriteSidecar(6000, digest_);
  ASSERT_TRUE(AddHold(directory_, {.name = "next", .sequence = SequenceNumber(5001)}).ok());
  ASSERT_TRUE(AddHold(directory_, {.name = "gone", .sequence = SequenceNumber(5002)}).ok());
  for (const bool deep : {false, true}) {
    const VerifyReport report = Verify(directory_, {.deep = deep}).value();
    EXPECT_EQ(report.verdict, Verdict::kClean);
    ASSERT_EQ(report.findings.size(), 2u);
    EXPECT_TRUE(absl::StrContains(report.findings[0].message, "checkpoint at 6000"));
    EXPECT_TRUE(absl::StrContains(report.findings[1].message, "hold 'gone' is at 5002"));
  }
}

TEST_F(VerifyTest, MissingRecordsThatTheCallerVouchesForAreDamage) {
  const ExpectedEnd at_end{.sequence = SequenceNumber(5000), .who = "the snapshot at 5000"};
  EXPECT_TRUE(Verify(directory_, {.expected_ends = {at_end}})->findings.empty());
  const ExpectedEnd beyond{.sequence = SequenceNumber(8192), .who = "the snapshot at 8192"};
  for (const bool deep : {false, true}) {
    const VerifyReport report =
        Verify(directory_, {.deep = deep, .expected_ends = {beyond}}).value();
    EXPECT_EQ(report.verdict, Verdict::kDamaged);
    ASSERT_EQ(report.findings.size(), 1u);
    const Finding& finding = report.findings[0];
    EXPECT_EQ(finding.first_sequence, SequenceNumber(5001));
    EXPECT_EQ(finding.last_sequence, SequenceNumber(8192));
    EXPECT_TRUE(finding.may_have_been_acknowledged);
    EXPECT_TRUE(absl::StrContains(finding.message, "the snapshot at 8192")) << finding.message;
  }
}

TEST_F(VerifyTest, ProgressEndsAtItsAnnouncedTotal) {
  uint64_t done = 0;
  uint64_t total = 0;
  ASSERT_TRUE(Verify(directory_, {}, [&](uint64_t done_now, uint64_t total_now) {
                EXPECT_GE(done_now, done);
                done = done_now;
                total = total_now;
              }).ok());
  EXPECT_EQ(done, total);
}

// Several segments, so that there is work to spread.
class VerifySegmentsTest : public ::testing::Test {
 protected:
  VerifySegmentsTest() {
    const auto writer = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated,
                                       {.segment_bytes = 64 << 10, .block_records = 300})
                            .value();
    AppendAll(*writer, RecordSource(8, 5).Take(20'000));
    EXPECT_TRUE(writer->Close().ok());
    digest_ = writer->log_digest();
  }

  MemoryDirectory directory_;
  engine::Digest digest_;
};

TEST_F(VerifySegmentsTest, TheReportIsTheSameInAnyOrderOfReading) {
  const auto backwards = [](size_t count, const std::function<void(size_t)>& work,
                            const std::function<void()>& tend) {
    for (size_t i = count; i > 0; --i) work(i - 1);
    tend();
  };
  for (const bool damaged : {false, true}) {
    if (damaged) {
      std::vector<std::byte> bytes = directory_.Contents("segment-000002.tape");
      bytes[8'492] ^= std::byte{1};
      directory_.SetContents("segment-000002.tape", bytes);
    }
    const VerifyReport forwards = Verify(directory_).value();
    const VerifyReport report = Verify(directory_, {.parallel = backwards}).value();
    EXPECT_EQ(report.verdict, damaged ? Verdict::kDamaged : Verdict::kClean);
    EXPECT_EQ(report.log_digest, forwards.log_digest);
    EXPECT_EQ(report.record_count, forwards.record_count);
    ASSERT_EQ(report.findings.size(), forwards.findings.size());
    for (size_t i = 0; i < report.findings.size(); ++i) {
      EXPECT_EQ(report.findings[i].ToString(), forwards.findings[i].ToString());
    }
    if (!damaged) {
      EXPECT_EQ(report.log_digest, digest_);
    }
  }
}

TEST_F(VerifySegmentsTest, AHoleIsReportedWithLostRecordsAndTimes) {
  std::vector<std::byte> bytes = directory_.Contents("segment-000002.tape");
  bytes[8'492] ^= std::byte{1};
  directory_.SetContents("segment-000002.tape", bytes);
  const VerifyReport report = Verify(directory_).value();
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.last_sequence - finding.first_sequence, 299u) << "one block";
  EXPECT_TRUE(finding.may_have_been_acknowledged);
  EXPECT_EQ(finding.last_durable, finding.last_sequence);
  ASSERT_TRUE(finding.after_time.has_value());
  ASSERT_TRUE(finding.before_time.has_value());
  EXPECT_LE(*finding.after_time, *finding.before_time);
}

TEST_F(VerifySegmentsTest, APreambleWithAnotherDigestIsDamage) {
  const std::string name = "segment-000003.tape";
  std::vector<std::byte> bytes = directory_.Contents(name);
  Preamble preamble = ReadPreamble(*directory_.OpenForRead(name).value())->preamble;
  preamble.log_chain.low ^= 1;
  const std::vector<std::byte> changed = EncodePreamble(preamble).value();
  std::copy(changed.begin(), changed.end(), bytes.begin());
  directory_.SetContents(name, bytes);
  const VerifyReport report = Verify(directory_).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
  EXPECT_TRUE(absl::StrContains(report.findings[0].message, "the preamble says"))
      << report.findings[0].ToString();
}

TEST_F(VerifyTest, ChangesNothing) {
  const auto before = directory_.Snapshot();
  ASSERT_TRUE(Verify(directory_).ok());
  EXPECT_EQ(directory_.Snapshot(), before);
}

}  // namespace
}  // namespace journal
