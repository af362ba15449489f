// Any change of the bytes: never a crash, never a record that was not appended.
//
// Each record that is read is right. What cannot be read is an error, or, if it was never
// acknowledged, a torn tail.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/format/beginning.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using Files = std::map<std::string, std::vector<std::byte>>;

constexpr char kSegment0[] = "segment-000000.tape";

class Damage : public ::testing::Test {
 protected:
  // Not compressed: 40 records, the first 24 synced, in blocks of 8 that take 4096 bytes each.
  // Compressed: 200 records in two blocks, the first synced. The blocks after them mark them as
  // durable.
  Files SmallJournal(bool sealed, Compression compression = Compression::kZstd) {
    const bool compressed = compression == Compression::kZstd;
    const auto& log = LogOf(compression);
    const ptrdiff_t synced = compressed ? 100 : 24;
    MemoryDirectory directory;
    WriterOptions options;
    options.block_records = compressed ? 100 : 8;
    options.compression = compression;
    auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, {log.begin(), log.begin() + synced});
    CHECK_OK(writer->Sync());
    AppendAll(*writer, {log.begin() + synced, log.end()});
    CHECK_OK(writer->Write());
    // The two preambles, and blocks of one page.
    CHECK_EQ(writer->stats().stored_bytes, 4096u * (2 + (compressed ? 2 : 5)));
    if (sealed) CHECK_OK(writer->Close());
    return directory.Snapshot();
  }

  const std::vector<OwnedRecord>& LogOf(Compression compression) const {
    return compression == Compression::kZstd ? long_log_ : log_;
  }

  // Two sealed segments and an unsealed one; `log` long enough for that.
  Files LongJournal(const std::vector<OwnedRecord>& log) {
    MemoryDirectory directory;
    WriterOptions options;
    options.segment_bytes = 64 << 10;
    options.block_records = 16;
    auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, log);
    CHECK_OK(writer->Sync());
    return directory.Snapshot();
  }

  enum class Missing { kIsNoticed, kMayBeTheEnd };

  // What holds for every journal, however damaged. An unsealed journal that was cut between two
  // blocks, or ends in zeros, is a shorter journal: then `missing` is kMayBeTheEnd.
  void ExpectHonest(const Files& files, const std::vector<OwnedRecord>& log,
                    Missing missing = Missing::kIsNoticed) {
    const auto directory = MemoryDirectory::FromSnapshot(files);
    const ReadResult read = ReadJournal(*directory);
    ASSERT_LE(read.records.size(), log.size());
    ASSERT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
    const auto report = Verify(*directory);
    if (report.ok()) {
      if (missing == Missing::kIsNoticed) {
        EXPECT_FALSE(report->findings.empty()) << "not noticed";
        EXPECT_TRUE(read.records.size() == log.size() || report->verdict != Verdict::kClean);
      }
      // NOT_FOUND: only a torn beginning.
      EXPECT_TRUE(read.status.ok() || report->verdict == Verdict::kDamaged ||
                  absl::IsNotFound(read.status))
          << read.status;
    } else {
      EXPECT_FALSE(read.status.ok());
    }
    const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated);
    if (writer.ok()) {
      ASSERT_EQ((*writer)->next_sequence().value() - 1, read.records.size());
    } else {
      EXPECT_EQ(directory->Snapshot(), files) << "a refusal changes nothing";
    }
  }

  // In a run of zeros, which is padding after its first bytes, tries one byte in 61.
  static size_t Step(const Files& files, size_t byte) {
    const std::vector<std::byte>& bytes = files.at(kSegment0);
    const size_t end = std::min(bytes.size(), byte + 61);
    return std::all_of(bytes.begin() + static_cast<ptrdiff_t>(byte),
                       bytes.begin() + static_cast<ptrdiff_t>(end),
                       [](std::byte b) { return b == std::byte{0}; })
               ? end - byte
               : 1;
  }

  const std::vector<OwnedRecord> log_ = RecordSource(11, 15).Take(40);
  const std::vector<OwnedRecord> long_log_ = RecordSource(12, 3).Take(200);
};

TEST_F(Damage, EveryFlippedBitOfASealedJournalIsSurvivedAndNoticed) {
  const Files whole = SmallJournal(/*sealed=*/true);
  const size_t file_bytes = whole.at(kSegment0).size();
  for (size_t byte = 0; byte < file_bytes; byte += Step(whole, byte)) {
    Files files = whole;
    files[kSegment0][byte] ^= static_cast<std::byte>(1 << byte % 8);
    SCOPED_TRACE(byte);
    ExpectHonest(files, long_log_);
  }
}

TEST_F(Damage, EveryFlippedBitOfAnUnsealedJournalIsSurvivedAndNoticed) {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    const Files whole = SmallJournal(/*sealed=*/false, compression);
    const size_t file_bytes = whole.at(kSegment0).size();
    for (size_t byte = 0; byte < file_bytes; byte += Step(whole, byte)) {
      Files files = whole;
      files[kSegment0][byte] ^= static_cast<std::byte>(128 >> byte % 8);
      SCOPED_TRACE(byte);
      ExpectHonest(files, LogOf(compression));
    }
  }
}

TEST_F(Damage, EveryBitOfTheHeadersIsSurvived) {
  const Files whole = SmallJournal(/*sealed=*/true);
  const size_t file_bytes = whole.at(kSegment0).size();
  for (size_t page = 0; page < file_bytes; page += 4096) {
    for (size_t bit = 0; bit < 128 * 8; ++bit) {
      Files files = whole;
      files[kSegment0][page + bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      SCOPED_TRACE(page * 8 + bit);
      ExpectHonest(files, long_log_);
    }
  }
}

TEST_F(Damage, EveryLengthOfAnUnsealedJournalIsAPrefix) {
  const Files whole = SmallJournal(/*sealed=*/false, Compression::kNone);
  const size_t file_bytes = whole.at(kSegment0).size();
  for (size_t bytes = 0; bytes < file_bytes; bytes += bytes % 512 == 1 ? 510 : 1) {
    Files files = whole;
    files[kSegment0].resize(bytes);
    SCOPED_TRACE(bytes);
    ExpectHonest(files, log_, Missing::kMayBeTheEnd);
  }
}

TEST_F(Damage, EveryLengthOfASealedJournalIsAPrefix) {
  const Files whole = SmallJournal(/*sealed=*/true);
  const size_t file_bytes = whole.at(kSegment0).size();
  for (size_t bytes = 0; bytes < file_bytes; bytes += bytes % 512 == 1 ? 510 : 1) {
    Files files = whole;
    files[kSegment0].resize(bytes);
    SCOPED_TRACE(bytes);
    ExpectHonest(files, long_log_, Missing::kMayBeTheEnd);
  }
}

TEST_F(Damage, ZeroedPagesAreNoEnd) {
  for (const bool sealed : {false, true}) {
    const Files whole = SmallJournal(sealed, Compression::kNone);
    const size_t file_bytes = whole.at(kSegment0).size();
    for (size_t page = 0; page < file_bytes; page += 4096) {
      Files files = whole;
      std::fill_n(files[kSegment0].begin() + static_cast<ptrdiff_t>(page), 4096, std::byte{0});
      SCOPED_TRACE(page);
      ExpectHonest(files, log_, Missing::kMayBeTheEnd);
    }
  }
}

TEST_F(Damage, RandomGarbageIsSurvived) {
  const Files whole = SmallJournal(/*sealed=*/true);
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    engine::Prng prng(seed);
    Files files = whole;
    std::vector<std::byte>& bytes = files[kSegment0];
    const uint64_t splashes = 1 + prng.Below(4);
    for (uint64_t i = 0; i < splashes; ++i) {
      const size_t begin = prng.Below(bytes.size());
      const size_t end = std::min<size_t>(bytes.size(), begin + 1 + prng.Below(600));
      for (size_t at = begin; at < end; ++at) bytes[at] = static_cast<std::byte>(prng.Below(256));
    }
    if (prng.Chance(20)) bytes.resize(prng.Below(bytes.size()));
    SCOPED_TRACE(seed);
    ExpectHonest(files, long_log_, Missing::kMayBeTheEnd);
  }
}

TEST_F(Damage, AReaderCanContinueAfterADamagedBlock) {
  Files files = SmallJournal(/*sealed=*/true, Compression::kNone);
  files[kSegment0][3 * 4096 + 500] ^= std::byte{1};
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto reader = Reader::Open(*directory).value();
  for (size_t i = 0; i < 8; ++i) ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log_[i]);
  const absl::Status damaged = reader->Next().status();
  EXPECT_TRUE(absl::IsDataLoss(damaged));
  EXPECT_TRUE(absl::StrContains(damaged.message(), kSegment0)) << damaged;
  EXPECT_TRUE(absl::StrContains(damaged.message(), "0x3000")) << damaged;
  EXPECT_TRUE(absl::StrContains(damaged.message(), "9..16")) << damaged;
  EXPECT_EQ(reader->Next().status(), damaged) << "sticky";
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(17)).ok());
  for (size_t i = 16; i < log_.size(); ++i) ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log_[i]);
  EXPECT_FALSE(reader->Next()->has_value());
}

// Two continuations of one journal, for example of a copy: every number of the block fits,
// its hashes are right, and it followed another block.
TEST_F(Damage, ABlockOfAnotherContinuationDoesNotCount) {
  for (const bool sealed : {false, true}) {
    Files files = SmallJournal(sealed, Compression::kNone);
    MemoryDirectory other;
    WriterOptions options;
    options.block_records = 8;
    options.compression = Compression::kNone;
    const auto writer =
        Writer::Create(other, TestMetadata(), TestUuid(), kTestCreated, options).value();
    for (OwnedRecord record : log_) {
      record.row.payload[47] ^= std::byte{1};
      ASSERT_TRUE(writer->Append(record.row, record.attachment).ok());
    }
    ASSERT_TRUE(writer->Write().ok());
    const std::vector<std::byte> theirs = other.Contents(kSegment0);
    std::copy_n(theirs.begin() + 3 * 4096, 4096, files[kSegment0].begin() + 3 * 4096);
    ExpectHonest(files, log_);
  }
}

TEST_F(Damage, TakingOverRewritesTheDamagedCopyOfThePreamble) {
  const Files whole = SmallJournal(/*sealed=*/false);
  for (const size_t byte : {100, 4096 + 100}) {
    Files files = whole;
    files[kSegment0][byte] ^= std::byte{1};
    const auto directory = MemoryDirectory::FromSnapshot(files);
    EXPECT_EQ(Verify(*directory)->findings.size(), 1u);
    ASSERT_TRUE(Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).ok());
    EXPECT_EQ(Verify(*directory)->findings.size(), 0u);
  }
}

TEST_F(Damage, AMissingSegmentIsDamage) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  const Files whole = LongJournal(log);
  ASSERT_GE(whole.size(), 3u);
  ExpectHonest(whole, log, Missing::kMayBeTheEnd);
  Files files = whole;
  files.erase("segment-000001.tape");
  const auto report = Verify(*MemoryDirectory::FromSnapshot(files)).value();
  EXPECT_EQ(report.verdict, Verdict::kDamaged);
  EXPECT_FALSE(
      Writer::Open(*MemoryDirectory::FromSnapshot(files), TestMetadata(), TestUuid(), kTestCreated)
          .ok());
  EXPECT_FALSE(ReadJournal(*MemoryDirectory::FromSnapshot(files)).status.ok());
}

TEST_F(Damage, ASegmentOfAnotherJournalIsDamage) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  Files files = LongJournal(log);
  MemoryDirectory other;
  ASSERT_TRUE(Writer::Create(other, TestMetadata(), Uuid::FromWords(1, 2), kTestCreated)
                  .value()
                  ->Close()
                  .ok());
  files["segment-000001.tape"] = other.Contents(kSegment0);
  EXPECT_EQ(Verify(*MemoryDirectory::FromSnapshot(files))->verdict, Verdict::kDamaged);
}

TEST_F(Damage, AReaderDoesNotContinueIntoASegmentOfAnotherJournal) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  std::vector<OwnedRecord> their_log = log;
  for (OwnedRecord& record : their_log) record.row.payload[47] ^= std::byte{1};
  Files files = LongJournal(log);
  // The same numbers in the same places, of another journal.
  files["segment-000001.tape"] = LongJournal(their_log).at("segment-000001.tape");
  const ReadResult read = ReadJournal(*MemoryDirectory::FromSnapshot(files));
  EXPECT_TRUE(absl::IsDataLoss(read.status)) << read.status;
  ASSERT_LE(read.records.size(), log.size());
  EXPECT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
}

TEST_F(Damage, AReaderReportsASegmentThatDoesNotContinue) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  Files files = LongJournal(log);
  std::vector<std::byte>& last = files.rbegin()->second;
  ASSERT_TRUE(absl::EndsWith(files.rbegin()->first, ".tape"));
  // After another segment's preamble, none of the blocks counts.
  const std::vector<std::byte>& first = files.at(kSegment0);
  std::copy(first.begin(), first.begin() + 4096, last.begin());
  const auto directory = MemoryDirectory::FromSnapshot(files);
  EXPECT_EQ(Verify(*directory)->verdict, Verdict::kDamaged);
  const ReadResult read = ReadJournal(*directory);
  ASSERT_LT(read.records.size(), log.size());
  EXPECT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));
  EXPECT_TRUE(absl::IsDataLoss(read.status)) << read.status;
}

// Its numbers may be those of this journal.
TEST_F(Damage, ASeekFindsNoRecordOfAnotherJournal) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  std::vector<OwnedRecord> their_log = log;
  for (OwnedRecord& record : their_log) record.row.payload[47] ^= std::byte{1};
  Files files = LongJournal(log);
  files.rbegin()->second = LongJournal(their_log).at(kSegment0);
  ASSERT_TRUE(absl::EndsWith(files.rbegin()->first, ".tape"));
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto reader = Reader::Open(*directory).value();
  const JournalInfo& info = reader->info();
  ASSERT_GT(info.last_sequence, info.last_readable);
  for (SequenceNumber at = info.first_sequence; at <= info.last_readable; at = at.Next()) {
    ASSERT_TRUE(reader->SeekToSequence(at).ok());
    ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log[at.value() - 1]);
  }
  EXPECT_TRUE(absl::IsDataLoss(reader->Next().status()));
  ASSERT_TRUE(reader->SeekToSequence(info.last_sequence).ok());
  EXPECT_TRUE(absl::IsDataLoss(reader->Next().status()));
  EXPECT_TRUE(absl::IsDataLoss(reader->CheckEnd()));
}

// A copy that was continued has the same UUID and the same numbers.
TEST_F(Damage, ASeekFindsNoRecordOfACopyThatDiverged) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  std::vector<OwnedRecord> their_log = log;
  for (OwnedRecord& record : their_log) record.row.payload[47] ^= std::byte{1};
  Files files = LongJournal(log);
  files.rbegin()->second = LongJournal(their_log).at(files.rbegin()->first);
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto reader = Reader::Open(*directory).value();
  const JournalInfo& info = reader->info();
  EXPECT_EQ(info.verdict, Verdict::kDamaged);
  const SequenceNumber theirs = info.segments.back().first_sequence;
  ASSERT_LT(theirs, info.last_readable);
  for (SequenceNumber at = theirs; at <= info.last_readable; at = at.Next()) {
    EXPECT_TRUE(absl::IsDataLoss(reader->SeekToSequence(at)));
    EXPECT_TRUE(absl::IsDataLoss(reader->Next().status()));
    EXPECT_TRUE(absl::IsDataLoss(reader->SeekToTime(log[at.value() - 1].row.timestamp)));
  }
  ASSERT_TRUE(reader->SeekToSequence(theirs - 1).ok());
  EXPECT_EQ(OwnedRecord::Of(**reader->Next()), log[theirs.value() - 2]);
  EXPECT_TRUE(absl::IsDataLoss(reader->Next().status()));
}

// The first record at or after a time may be one that is missing.
TEST_F(Damage, ASeekToATimeDoesNotPassMissingRecords) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  Files files = LongJournal(log);
  files.erase("segment-000001.tape");
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto reader = Reader::Open(*directory).value();
  const SequenceNumber lost = reader->info().segments.front().last_sequence.Next();
  const engine::Timestamp time = log[lost.value() - 1].row.timestamp;
  ASSERT_LT(log[lost.value() - 2].row.timestamp, time);
  absl::Status status = reader->SeekToTime(time);
  if (status.ok()) status = reader->Next().status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  const SequenceNumber found = reader->info().segments.back().first_sequence;
  ASSERT_TRUE(reader->SeekToSequence(found).ok());
  EXPECT_EQ(OwnedRecord::Of(**reader->Next()), log[found.value() - 1]);
}

TEST_F(Damage, ABeginningThatCannotBeReadIsAMissingOne) {
  const std::vector<OwnedRecord> log = RecordSource(5).Take(700);
  Files files = LongJournal(log);
  files[kSegment0].resize(100);
  const auto directory = MemoryDirectory::FromSnapshot(files);
  EXPECT_EQ(Verify(*directory)->verdict, Verdict::kDamaged);
  const ReadResult read = ReadJournal(*directory);
  ASSERT_FALSE(read.records.empty());
  EXPECT_GT(read.records.front().row.sequence, SequenceNumber::First());
  EXPECT_TRUE(std::equal(read.records.rbegin(), read.records.rend(), log.rbegin()));
  EXPECT_TRUE(read.beginning_is_missing);
}

// Deleting was interrupted: segments that are no longer needed are still there, unreadable.
TEST_F(Damage, ASegmentThatWasToBeDeletedMayBeDamaged) {
  Files files = LongJournal(RecordSource(5).Take(700));
  files.erase(kSegment0);
  files["segment-000001.tape"].resize(100);
  const auto directory = MemoryDirectory::FromSnapshot(files);
  EXPECT_TRUE(ReadJournal(*directory).beginning_is_missing);
  const SequenceNumber begin = ReadJournal(*directory).records.front().row.sequence;
  ASSERT_TRUE(WriteBeginning(*directory, {.journal_uuid = TestUuid(),
                                          .segment_index = 2,
                                          .first_sequence = begin,
                                          .reason = "a test"})
                  .ok());
  EXPECT_FALSE(ReadJournal(*directory).beginning_is_missing);
  EXPECT_EQ(Verify(*directory)->verdict, Verdict::kDamaged);
}

TEST_F(Damage, BytesOfALongJournalAreSurvived) {
  const std::vector<OwnedRecord> log = RecordSource(5, 5).Take(700);
  const Files whole = LongJournal(log);
  std::vector<std::string> names;
  for (const auto& [name, bytes] : whole) {
    if (name.ends_with(".tape")) names.push_back(name);
  }
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    engine::Prng prng(seed);
    Files files = whole;
    std::vector<std::byte>& bytes = files[names[prng.Below(names.size())]];
    bytes[prng.Below(bytes.size())] ^= static_cast<std::byte>(1 << prng.Below(8));
    SCOPED_TRACE(seed);
    ExpectHonest(files, log);
  }
}

}  // namespace
}  // namespace journal
