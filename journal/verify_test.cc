#include "journal/verify.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// What it finds in damaged bytes is in damage_test.
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

TEST_F(VerifyTest, ProgressEndsWhereItSaidItWould) {
  uint64_t done = 0;
  uint64_t total = 0;
  ASSERT_TRUE(Verify(directory_, {}, [&](const VerifyProgress& progress) {
                EXPECT_GE(progress.bytes_done, done);
                done = progress.bytes_done;
                total = progress.bytes_total;
              }).ok());
  EXPECT_EQ(done, total);
}

TEST_F(VerifyTest, ChangesNothing) {
  const auto before = directory_.Snapshot();
  ASSERT_TRUE(Verify(directory_).ok());
  EXPECT_EQ(directory_.Snapshot(), before);
}

}  // namespace
}  // namespace journal
