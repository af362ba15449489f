#include "journal/kept_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/storage/posix_storage.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/uuid.h"

namespace journal {
namespace {

std::vector<Row> RowsOf(uint64_t seed, size_t count) {
  std::vector<Row> rows;
  for (const OwnedRecord& record : RecordSource(seed).Take(3 * count)) {
    if (record.row.sequence.value() % 3 == 0) rows.push_back(record.row);
  }
  return rows;
}

TEST(KeptRows, AreReadAsTheyWereWrittenLast) {
  MemoryDirectory directory;
  EXPECT_EQ(ReadKeptRows(directory, TestUuid()).value(), std::vector<Row>());
  for (const size_t count : {7, 0, 100, 1}) {
    ASSERT_TRUE(WriteKeptRows(directory, TestUuid(), RowsOf(count, count)).ok());
    EXPECT_EQ(ReadKeptRows(directory, TestUuid()).value(), RowsOf(count, count));
  }
}

TEST(KeptRows, OfAnotherJournalAreRefused) {
  MemoryDirectory directory;
  ASSERT_TRUE(WriteKeptRows(directory, Uuid::FromWords(1, 2), RowsOf(1, 3)).ok());
  const absl::Status refused = ReadKeptRows(directory, TestUuid()).status();
  EXPECT_TRUE(absl::IsDataLoss(refused)) << refused;
  EXPECT_TRUE(absl::StrContains(refused.message(), "kept.rows is damaged: it is of the journal"))
      << refused;
}

TEST(KeptRows, WithAFlippedOrMissingByteAreRefused) {
  MemoryDirectory directory;
  ASSERT_TRUE(WriteKeptRows(directory, TestUuid(), RowsOf(1, 3)).ok());
  const auto whole = directory.Snapshot();
  const size_t bytes = whole.at(kKeptRowsFileName).size();
  for (size_t byte = 0; byte < bytes; ++byte) {
    SCOPED_TRACE(byte);
    auto flipped = whole;
    flipped[kKeptRowsFileName][byte] ^= static_cast<std::byte>(1 << byte % 8);
    EXPECT_TRUE(absl::IsDataLoss(
        ReadKeptRows(*MemoryDirectory::FromSnapshot(flipped), TestUuid()).status()));
    auto shorter = whole;
    shorter[kKeptRowsFileName].resize(byte);
    EXPECT_TRUE(absl::IsDataLoss(
        ReadKeptRows(*MemoryDirectory::FromSnapshot(shorter), TestUuid()).status()));
  }
}

// Sparse: it takes no disk space, and must take no memory either.
TEST(KeptRows, OfATerabyteAreRefusedByTheirHeader) {
  constexpr uint64_t kTera = uint64_t{1} << 40;
  const std::string folder = testing::TempDir() + "/terabyte";
  const auto directory = OpenPosixDirectory(folder, DirectoryMode::kCreate).value();
  const auto refusal = [&](uint64_t row_count, uint64_t file_bytes) {
    EXPECT_TRUE(WriteKeptRows(*directory, TestUuid(), RowsOf(1, 2)).ok());
    const auto file = directory->OpenForWrite(kKeptRowsFileName).value();
    const std::byte zero{0};
    EXPECT_TRUE(file->Write(24, std::as_bytes(std::span(&row_count, 1))).ok());
    EXPECT_TRUE(file->Write(file_bytes - 1, engine::Bytes(&zero, 1)).ok());
    const absl::Status refused = ReadKeptRows(*directory, TestUuid()).status();
    EXPECT_TRUE(absl::IsDataLoss(refused)) << refused;
    return std::string(refused.message());
  };
  EXPECT_EQ(refusal(2, kTera), folder +
                                   "/kept.rows is damaged: it has 1099511627776 bytes, expected "
                                   "168 for the 2 rows of its header");
  EXPECT_EQ(refusal(kTera / 64, kTera + 40),
            folder +
                "/kept.rows is damaged: it claims 17179869184 rows, expected at most "
                "16777216");
  // So many that the count of their bytes overflows.
  EXPECT_TRUE(absl::StrContains(refusal(uint64_t{1} << 58, kTera), "expected at most"));
}

TEST(KeptRows, AreThoseBeforeOrThoseAfterWhereverACallFailsOrTheMachineStops) {
  const std::vector<Row> before = RowsOf(1, 5);
  const std::vector<Row> after = RowsOf(2, 8);
  for (uint64_t call = 0;; ++call) {
    SCOPED_TRACE(call);
    MemoryDirectory directory;
    ASSERT_TRUE(WriteKeptRows(directory, TestUuid(), before).ok());
    FaultyDirectory faulty(directory, {.failing_call = call, .stays_broken = true});
    const absl::Status written = WriteKeptRows(faulty, TestUuid(), after);
    if (!faulty.has_failed()) break;
    EXPECT_FALSE(written.ok());
    for (const auto& state : {directory.Snapshot(), directory.AfterCrash({})}) {
      const auto rows = ReadKeptRows(*MemoryDirectory::FromSnapshot(state), TestUuid());
      ASSERT_TRUE(rows.ok()) << rows.status();
      EXPECT_TRUE(*rows == before || *rows == after);
    }
    ASSERT_TRUE(WriteKeptRows(directory, TestUuid(), after).ok()) << "the leftovers do not disturb";
  }
}

}  // namespace
}  // namespace journal
