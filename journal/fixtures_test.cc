// Every build reads the journals of all versions. testdata/journals/README.md.

#include "journal/testing/fixtures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/testing/temporary_folder.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {

void PrintTo(const Fixture& fixture, std::ostream* out) { *out << fixture.name; }

namespace {

// A copy, as Bazel lays out data as links.
std::unique_ptr<Directory> OpenFixture(const TemporaryFolder& folder, absl::string_view version,
                                       absl::string_view name) {
  folder.Copy(absl::StrCat("testdata/journals/", version, "/", name), name);
  return OpenPosixDirectory(folder.At(name), DirectoryMode::kReadOnly).value();
}

class FixturesTest : public ::testing::TestWithParam<Fixture> {
 protected:
  const Fixture& fixture_ = GetParam();
  const TemporaryFolder folder_;
  const std::unique_ptr<Directory> directory_ =
      OpenFixture(folder_, fixture_.version, fixture_.name);
};

TEST_P(FixturesTest, HoldsTheRecordsItWasMadeWith) {
  const ReadResult read = ReadJournal(*directory_);
  EXPECT_EQ(read.status.ok(), fixture_.verdict != Verdict::kDamaged) << read.status;
  EXPECT_EQ(read.records.size(), fixture_.record_count);
  ASSERT_FALSE(read.records.empty());
  EXPECT_EQ(read.records.front().row.sequence.value(), fixture_.first_sequence);
  LogDigest digest;
  uint64_t attachment_count = 0;
  for (const OwnedRecord& record : read.records) {
    if (fixture_.first_sequence == 1) digest.Add(record.row, record.attachment);
    if (!record.attachment.empty()) ++attachment_count;
  }
  if (fixture_.first_sequence == 1) {
    EXPECT_EQ(digest.Value().ToString(), fixture_.log_digest);
  }
  EXPECT_EQ(attachment_count, fixture_.attachment_count);
}

TEST_P(FixturesTest, HasTheVerdictItWasMadeFor) {
  const VerifyReport report = Verify(*directory_).value();
  EXPECT_EQ(report.verdict, fixture_.verdict);
  EXPECT_EQ(report.findings.size(), fixture_.verdict == Verdict::kClean ? 0u : 1u);
  EXPECT_EQ(report.segment_count, fixture_.segment_count);
  EXPECT_EQ(report.last_sequence.value(), fixture_.first_sequence - 1 + fixture_.record_count);
  EXPECT_EQ(report.durable_sequence.value(), fixture_.durable_sequence);
  EXPECT_EQ(report.log_digest.value().ToString(), fixture_.log_digest);
  EXPECT_EQ(Reader::Open(*directory_).value()->info().sealed, fixture_.sealed);
}

// Not permanent: a newer writer may cut blocks differently, and zstd may compress differently. The
// records must stay equal.
TEST_P(FixturesTest, TodaysWriterMakesTheSameRecords) {
  const auto today = MemoryDirectory::FromSnapshot(fixture_.make());
  std::vector<OwnedRecord> made = ReadJournal(*today).records;
  std::vector<OwnedRecord> found = ReadJournal(*directory_).records;
  if (fixture_.first_sequence > 1) {
    // A pruned journal begins where a block begins.
    const size_t common = std::min(made.size(), found.size());
    made.erase(made.begin(), made.end() - static_cast<ptrdiff_t>(common));
    found.erase(found.begin(), found.end() - static_cast<ptrdiff_t>(common));
  }
  EXPECT_EQ(made, found);
}

INSTANTIATE_TEST_SUITE_P(Version1, FixturesTest, ::testing::ValuesIn(FixturesOfVersion1()),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Version1_1, FixturesTest, ::testing::ValuesIn(FixturesOfVersion1_1()),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Version1_2, FixturesTest, ::testing::ValuesIn(FixturesOfVersion1_2()),
                         [](const auto& info) { return std::string(info.param.name); });

// A reader of 1.0 would take a CONTROL block for damage, so a 1.0 segment must not get one.
TEST(Fixtures, AWriterContinuesAnUnsealedSegmentOfAnEarlierVersionInANewOne) {
  const TemporaryFolder folder;
  const auto old = OpenFixture(folder, "v1", "unsealed");
  std::map<std::string, std::vector<std::byte>> files;
  const std::vector<std::string> names = old->List().value();
  for (const std::string& name : names) {
    const auto file = old->OpenForRead(name).value();
    std::vector<std::byte>& bytes = files[name];
    bytes.resize(file->Size().value());
    ASSERT_EQ(file->Read(0, bytes).value(), bytes.size());
  }
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto before = ReadJournal(*directory).records;
  const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).value();
  OwnedRecord record = before.back();
  record.row.sequence = writer->next_sequence();
  ASSERT_TRUE(writer->Append(record.row).ok());
  ASSERT_TRUE(writer->SetAckPolicy(AckPolicy::kDisk).ok());
  ASSERT_TRUE(writer->Close().ok());
  const auto info = Reader::Open(*directory).value()->info();
  EXPECT_EQ(info.segments.size(), 2u);
  EXPECT_EQ(info.last_sequence.value(), before.size() + 1);
  EXPECT_EQ(Verify(*directory)->verdict, Verdict::kClean);
}

TEST(Fixtures, TheSidecarOfTwoSegmentsIsRead) {
  const TemporaryFolder folder;
  const auto directory = OpenFixture(folder, "v1", "two_segments");
  const auto checkpoints = ReadSidecar(*directory, TestUuid(), engine::SequenceNumber(350)).value();
  ASSERT_EQ(checkpoints.size(), 1u);
  EXPECT_EQ(checkpoints[0].sequence, engine::SequenceNumber(350));
}

TEST(Fixtures, MinimalIsWhatTheWriterStillWritesByteForByte) {
  const TemporaryFolder folder;
  const auto directory = OpenFixture(folder, "v1.1", "minimal");
  for (const auto& [name, bytes] : MakeMinimal()) {
    const auto file = directory->OpenForRead(name).value();
    std::vector<std::byte> found(file->Size().value());
    ASSERT_EQ(file->Read(0, found).value(), found.size());
    EXPECT_EQ(found, bytes) << name;
  }
}

}  // namespace
}  // namespace journal
