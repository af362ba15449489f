// The watermark separates acknowledged data from other data: a block that a later one marks as
// durable is damage when it is gone, any other is a torn tail.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"
#include "journal/writer_options.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using Files = std::map<std::string, std::vector<std::byte>>;

constexpr char kSegment0[] = "segment-000000.tape";

class Watermark : public ::testing::Test {
 protected:
  // 40 records, the first 24 synced, in blocks of 8 that take 4096 bytes each, after two
  // preambles. Blocks after the Sync mark them.
  Files Journal(bool sealed) const {
    MemoryDirectory directory;
    WriterOptions options;
    options.block_records = 8;
    options.compression = Compression::kNone;
    auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, {log_.begin(), log_.begin() + 24});
    CHECK_OK(writer->Sync());
    AppendAll(*writer, {log_.begin() + 24, log_.end()});
    CHECK_OK(writer->Write());
    if (sealed) CHECK_OK(writer->Close());
    return directory.Snapshot();
  }

  const std::vector<OwnedRecord> log_ = RecordSource(11, 15).Take(40);
};

TEST_F(Watermark, APromisedBlockThatIsGoneIsRefusedNotCutOff) {
  Files files = Journal(/*sealed=*/false);
  // The first block: blocks after the Sync mark it as durable.
  files[kSegment0][2 * 4096 + 500] ^= std::byte{1};
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto report = Verify(*directory).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
  EXPECT_EQ(report.durable_sequence, SequenceNumber(24));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].first_sequence, SequenceNumber(1));
  EXPECT_EQ(report.findings[0].last_sequence, SequenceNumber(8));
  EXPECT_EQ(report.findings[0].byte_begin, 2 * 4096u);
  EXPECT_EQ(report.findings[0].byte_end, 3 * 4096u);
  EXPECT_TRUE(report.findings[0].may_have_been_acknowledged);
  EXPECT_TRUE(absl::IsDataLoss(
      Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).status()));
  EXPECT_EQ(directory->Snapshot(), files);
}

TEST_F(Watermark, UnconfirmedWritesThatArriveOutOfOrderAreTorn) {
  Files files = Journal(/*sealed=*/false);
  // The fourth block, after the Sync: the fifth arrived, and promises only what is before both.
  std::fill_n(files[kSegment0].begin() + 5 * 4096, 4096, std::byte{0});
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto report = Verify(*directory).value();
  EXPECT_EQ(report.verdict, Verdict::kTorn);
  EXPECT_EQ(report.last_sequence, SequenceNumber(24));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].first_sequence, SequenceNumber(25));
  EXPECT_EQ(report.findings[0].last_sequence, SequenceNumber(40));
  EXPECT_FALSE(report.findings[0].may_have_been_acknowledged);

  const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).value();
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(25));
  EXPECT_EQ(writer->recovery().bytes_set_aside, 2 * 4096u);
  const std::vector<std::byte> aside = directory->Contents("segment-000000.torn.1");
  const std::vector<std::byte>& was = files[kSegment0];
  EXPECT_TRUE(std::equal(aside.begin(), aside.end(), was.begin() + 5 * 4096, was.end()));
}

TEST_F(Watermark, ATornTailThatFindsNoSpaceIsRefusedAndLeavesNothing) {
  Files files = Journal(/*sealed=*/false);
  std::fill_n(files[kSegment0].begin() + 5 * 4096, 4096, std::byte{0});
  const auto directory = MemoryDirectory::FromSnapshot(files);
  FaultyDirectory full(*directory, {});
  full.SetFreeBytes(4096);  // Of two pages.
  for (int attempt = 0; attempt < 3; ++attempt) {
    EXPECT_TRUE(absl::IsResourceExhausted(
        Writer::Open(full, TestMetadata(), TestUuid(), kTestCreated).status()));
    EXPECT_EQ(directory->Snapshot(), files);
  }
  full.SetFreeBytes(1 << 20);
  const auto writer = Writer::Open(full, TestMetadata(), TestUuid(), kTestCreated).value();
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(25));
  EXPECT_EQ(directory->Contents("segment-000000.torn.1").size(), 2 * 4096u);
}

TEST_F(Watermark, AHeartbeatDistinguishesDamageFromATornWrite) {
  MemoryDirectory directory;
  auto writer = Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated).value();
  AppendAll(*writer, log_);
  ASSERT_TRUE(writer->Sync().ok());
  Files files = directory.Snapshot();
  files[kSegment0][2 * 4096 + 300] ^= std::byte{1};
  EXPECT_EQ(Verify(*MemoryDirectory::FromSnapshot(files))->verdict, Verdict::kTorn)
      << "the residual window: nothing proves that the last group was synced";

  ASSERT_TRUE(writer->Heartbeat().ok());
  files = directory.Snapshot();
  files[kSegment0][2 * 4096 + 300] ^= std::byte{1};
  EXPECT_EQ(Verify(*MemoryDirectory::FromSnapshot(files))->verdict, Verdict::kDamaged);
}

TEST_F(Watermark, APromisedBlockWithoutRecordsIsNotCutOffEither) {
  MemoryDirectory directory;
  auto writer = Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated).value();
  AppendAll(*writer, {log_.begin(), log_.begin() + 10});
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  ASSERT_TRUE(writer->Sync().ok());
  AppendAll(*writer, {log_.begin() + 10, log_.end()});
  ASSERT_TRUE(writer->Sync().ok());
  const Files whole = directory.Snapshot();
  for (size_t byte = 3 * 4096; byte < 3 * 4096 + 128; ++byte) {
    Files files = whole;
    files[kSegment0][byte] ^= std::byte{1};
    const auto damaged = MemoryDirectory::FromSnapshot(files);
    EXPECT_EQ(Verify(*damaged)->verdict, Verdict::kDamaged);
    EXPECT_FALSE(Writer::Open(*damaged, TestMetadata(), TestUuid(), kTestCreated).ok());
  }
}

TEST_F(Watermark, ASealedJournalWithoutItsFooterKeepsItsPromises) {
  Files files = Journal(/*sealed=*/true);
  std::vector<std::byte>& bytes = files[kSegment0];
  bytes.resize(bytes.size() - 4096);
  EXPECT_EQ(Verify(*MemoryDirectory::FromSnapshot(files))->verdict, Verdict::kClean);
  bytes[bytes.size() - 2 * 4096 + 500] ^= std::byte{1};  // The last data block, before SEAL.
  EXPECT_EQ(Verify(*MemoryDirectory::FromSnapshot(files))->verdict, Verdict::kDamaged);
}

}  // namespace
}  // namespace journal
