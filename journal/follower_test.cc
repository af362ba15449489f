#include "journal/follower.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/plain_journal.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

WriterOptions SmallSegments() { return {.segment_bytes = 64 << 10, .block_records = 40}; }

std::unique_ptr<Writer> Begin(Directory& directory, WriterOptions options = SmallSegments()) {
  return Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

std::unique_ptr<Writer> Continue(Directory& directory, WriterOptions options = SmallSegments()) {
  return Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

std::unique_ptr<Follower> Follow(const Directory& directory, FollowOptions options = {}) {
  return Follower::Open(directory, options).value();
}

// Adds all records that can be shown now to `shown`.
absl::Status TakeAll(Follower& follower, std::vector<OwnedRecord>& shown) {
  while (true) {
    const absl::StatusOr<Batch> batch = follower.Poll();
    if (!batch.ok()) return batch.status();
    if (batch->empty()) return absl::OkStatus();
    size_t attachment = 0;
    for (const Row& row : batch->rows) {
      Record record{.row = &row};
      if (attachment < batch->attachments.size() &&
          batch->attachments[attachment].sequence == row.sequence) {
        record.attachment = batch->attachments[attachment++].bytes;
      }
      shown.push_back(OwnedRecord::Of(record));
    }
  }
}

std::vector<OwnedRecord> Shown(Follower& follower) {
  std::vector<OwnedRecord> shown;
  EXPECT_TRUE(TakeAll(follower, shown).ok());
  return shown;
}

// A log that is appended piece by piece.
class FollowerTest : public ::testing::Test {
 protected:
  void Append(Writer& writer, size_t count) {
    for (const OwnedRecord& record : source_.Take(count)) {
      ASSERT_TRUE(writer.Append(record.row, record.attachment).ok());
      log_.push_back(record);
    }
  }
  std::vector<OwnedRecord> FirstOfLog(size_t count) const {
    return {log_.begin(), log_.begin() + static_cast<ptrdiff_t>(count)};
  }

  RecordSource source_{3, 5};
  std::vector<OwnedRecord> log_;
  MemoryDirectory directory_;
};

TEST_F(FollowerTest, ShowsWhatALaterBlockMarksAsDurable) {
  const auto writer = Begin(directory_);
  const auto follower = Follow(directory_);
  EXPECT_TRUE(Shown(*follower).empty());
  Append(*writer, 100);
  ASSERT_TRUE(writer->Write().ok());
  EXPECT_TRUE(Shown(*follower).empty()) << "written, not durable";
  ASSERT_TRUE(writer->Sync().ok());
  EXPECT_TRUE(Shown(*follower).empty()) << "durable, and no block marks it yet";
  ASSERT_TRUE(writer->Heartbeat().ok());
  EXPECT_EQ(Shown(*follower), log_);
  EXPECT_EQ(follower->durable_sequence(), SequenceNumber(100));
  EXPECT_EQ(follower->next_sequence(), SequenceNumber(101));
}

TEST_F(FollowerTest, ShowsWhatIsWrittenWhenAsked) {
  const auto writer = Begin(directory_);
  const auto follower = Follow(directory_, {.depth = FollowDepth::kWritten});
  Append(*writer, 100);
  EXPECT_EQ(Shown(*follower), FirstOfLog(80)) << "two full blocks";
  ASSERT_TRUE(writer->Write().ok());
  EXPECT_EQ(Shown(*follower).size(), 20u);
}

TEST_F(FollowerTest, StartsAtTheGivenRecord) {
  const auto writer = Begin(directory_);
  Append(*writer, 5000);
  ASSERT_TRUE(writer->Close().ok());
  for (const uint64_t from : {1, 2, 40, 41, 3333, 5000}) {
    const auto follower = Follow(directory_, {.from = SequenceNumber(from)});
    EXPECT_EQ(Shown(*follower), std::vector<OwnedRecord>(log_.begin() + (from - 1), log_.end()));
  }
  const auto follower = Follow(directory_, {.from = SequenceNumber(5001)});
  EXPECT_TRUE(Shown(*follower).empty());
}

TEST_F(FollowerTest, ContinuesAcrossSegmentsAndWriters) {
  const auto follower = Follow(directory_);
  std::vector<OwnedRecord> shown;
  ASSERT_TRUE(TakeAll(*follower, shown).ok()) << "an empty directory has no records yet";
  auto writer = Begin(directory_);
  for (int life = 0; life < 3; ++life) {
    for (int group = 0; group < 30; ++group) {
      Append(*writer, 170);
      ASSERT_TRUE(writer->Sync().ok());
      ASSERT_TRUE(TakeAll(*follower, shown).ok());
      EXPECT_GE(shown.size() + 170, log_.size());
    }
    ASSERT_TRUE(writer->Close().ok());
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    EXPECT_EQ(shown, log_);
    EXPECT_TRUE(follower->is_closed());
    writer.reset();
    writer = Continue(directory_);
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    EXPECT_FALSE(follower->is_closed());
  }
  EXPECT_GT(directory_.List()->size(), 6u) << "several segments";
}

TEST_F(FollowerTest, ContinuesWhereATakeoverRewroteTheSegment) {
  directory_.SetKeepsCache(true);
  auto writer = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated).value();
  Append(*writer, 10);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  const auto follower = Follow(directory_);
  std::vector<OwnedRecord> shown = Shown(*follower);
  EXPECT_EQ(shown, log_);
  writer.reset();
  writer = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).value();
  Append(*writer, 10);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  for (int look = 0; look < 20; ++look) ASSERT_TRUE(TakeAll(*follower, shown).ok());
  EXPECT_EQ(shown, log_);
}

TEST_F(FollowerTest, IsNotDisturbedByHalfABlock) {
  const auto writer = Begin(directory_);
  Append(*writer, 120);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  const std::vector<std::byte> whole = directory_.Contents("segment-000000.tape");
  for (const FollowDepth depth : {FollowDepth::kDurable, FollowDepth::kWritten}) {
    std::vector<OwnedRecord> shown;
    MemoryDirectory growing;
    growing.SetContents("segment-000000.tape", {});
    const auto follower = Follow(growing, {.depth = depth});
    // As its bytes arrive, and with the next pages still zero, as in a file reserved ahead.
    for (size_t size = 0; size <= whole.size(); size += 512) {
      std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
      if (size % 1024 == 0) part.resize(whole.size() + 8192);
      growing.SetContents("segment-000000.tape", part);
      ASSERT_TRUE(TakeAll(*follower, shown).ok()) << size;
    }
    EXPECT_EQ(shown, log_);
  }
}

// The writer is killed, its tail is torn, and another continues: on a real file system, as a
// follower keeps its file open meanwhile.
TEST_F(FollowerTest, SurvivesTheWritersCrash) {
  const std::string path = absl::StrCat(testing::TempDir(), "/follow");
  const auto directory = OpenPosixDirectory(path, DirectoryMode::kCreate).value();
  const auto beside = OpenPosixDirectory(path, DirectoryMode::kReadOnly).value();
  auto writer = Begin(*directory);
  const auto follower = Follow(*beside);
  std::vector<OwnedRecord> shown;
  engine::Prng prng(4);
  for (int life = 0; life < 20; ++life) {
    Append(*writer, 300);
    ASSERT_TRUE(writer->Sync().ok());
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    writer.reset();
    const std::string last = beside->List()->back();
    {
      const auto file = directory->OpenForWrite(last).value();
      const std::vector<std::byte> torn(100 + 4096 * prng.Below(3), std::byte{0x5a});
      ASSERT_TRUE(file->Write(file->Size().value(), torn).ok());
    }
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    writer = Continue(*directory);
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    EXPECT_EQ(shown, log_) << "a RECOVERY block marks all before it as durable";
  }
}

// Oracle (f): a durable follower never saw a record that is not in the recovered log.
TEST_F(FollowerTest, NeverShowsWhatRecoveryTakesBack) {
  uint64_t taken_back = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    engine::Prng prng(seed);
    MemoryDirectory directory;
    RecordSource source(seed);
    auto writer = Begin(directory);
    std::vector<OwnedRecord> shown;
    std::vector<OwnedRecord> written;
    {
      const auto durable = Follow(directory);
      const auto eager = Follow(directory, {.depth = FollowDepth::kWritten});
      for (uint64_t step = prng.Below(40); step > 0; --step) {
        AppendAll(*writer, source.Take(1 + prng.Below(90)));
        if (prng.Below(3) == 0) {
          ASSERT_TRUE(writer->Sync().ok());
        }
        if (prng.Below(5) == 0) {
          ASSERT_TRUE(writer->Heartbeat().ok());
        }
        if (prng.Below(2) == 0) {
          ASSERT_TRUE(TakeAll(*durable, shown).ok());
        }
        ASSERT_TRUE(TakeAll(*eager, written).ok());
      }
      ASSERT_TRUE(TakeAll(*durable, shown).ok());
    }
    directory.Crash(prng);
    writer.reset();
    writer = Continue(directory);
    const std::vector<OwnedRecord> kept = ReadJournal(directory).records;
    ASSERT_LE(shown.size(), kept.size()) << seed;
    EXPECT_TRUE(std::equal(shown.begin(), shown.end(), kept.begin())) << seed;
    if (written.size() > kept.size()) ++taken_back;
    // A follower that continues from there sees the rest, and nothing twice.
    const auto follower = Follow(directory, {.from = SequenceNumber(shown.size() + 1)});
    ASSERT_TRUE(TakeAll(*follower, shown).ok());
    EXPECT_EQ(shown, kept) << seed;
  }
  EXPECT_GT(taken_back, 20u) << "crashes that show the difference to --follow=written";
}

TEST_F(FollowerTest, ReportsShownRecordsThatWereCutOff) {
  const auto writer = Begin(directory_);
  Append(*writer, 40);
  const auto before = directory_.Contents("segment-000000.tape");
  Append(*writer, 40);
  const auto follower = Follow(directory_, {.depth = FollowDepth::kWritten});
  EXPECT_EQ(Shown(*follower).size(), 80u);
  directory_.SetContents("segment-000000.tape", before);
  const absl::Status status = follower->Poll().status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_TRUE(absl::StrContains(status.message(), "cut it off")) << status;
  EXPECT_EQ(follower->Poll().status(), status) << "sticky";
}

TEST_F(FollowerTest, ADurableBlockThatIsDamagedIsAnError) {
  const auto writer = Begin(directory_);
  Append(*writer, 200);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  std::vector<std::byte> bytes = directory_.Contents("segment-000000.tape");
  bytes[16384 + 200] ^= std::byte{1};
  directory_.SetContents("segment-000000.tape", bytes);
  const auto follower = Follow(directory_);
  std::vector<OwnedRecord> shown;
  const absl::Status status = TakeAll(*follower, shown);
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_TRUE(absl::StrContains(status.message(), "segment-000000.tape: block ")) << status;
  EXPECT_EQ(shown, FirstOfLog(shown.size()));
}

// A header that is gone takes its own length and its watermark with it: only a look at the blocks
// after it can tell it from a block that is not written yet. Any block, also the last one
// with records. A follower that polls ten times a second reports it within a second.
TEST_F(FollowerTest, ADurableBlockThatReadsAsZerosIsReportedWithinTenPolls) {
  const auto writer = Begin(directory_);
  for (const size_t count : {1, 1, 200, 1, 1}) {
    Append(*writer, count);
    ASSERT_TRUE(writer->Sync().ok());
  }
  ASSERT_TRUE(writer->Heartbeat().ok());
  const auto files = directory_.Snapshot();
  const PlainJournal plain(files);
  const PlainSegment& segment = plain.segments().front();
  ASSERT_GE(segment.blocks.size(), 9u);
  for (const PlainBlock& block : segment.blocks) {
    if (block.record_count == 0) continue;
    for (const FollowDepth depth : {FollowDepth::kDurable, FollowDepth::kWritten}) {
      SCOPED_TRACE(absl::StrCat("block ", block.number, ", depth ", static_cast<int>(depth)));
      const auto damaged = MemoryDirectory::FromSnapshot(files);
      std::vector<std::byte> bytes = segment.bytes;
      std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(block.begin), kPlainPage, std::byte{0});
      damaged->SetContents(segment.name, bytes);
      const auto follower = Follow(*damaged, {.depth = depth});
      std::vector<OwnedRecord> shown;
      absl::Status status;
      for (int looks = 0; looks < 10 && status.ok(); ++looks) status = TakeAll(*follower, shown);
      EXPECT_TRUE(absl::IsDataLoss(status)) << status;
      EXPECT_TRUE(absl::StrContains(status.message(), "was durable and cannot be read")) << status;
      EXPECT_EQ(shown, FirstOfLog(block.first_sequence - 1));
    }
  }
}

TEST_F(FollowerTest, AnotherJournalsSegmentIsAnError) {
  auto writer = Begin(directory_);
  Append(*writer, 100);
  ASSERT_TRUE(writer->Close().ok());
  MemoryDirectory other;
  auto other_writer =
      Writer::Create(other, TestMetadata(), Uuid::FromWords(8, 9), kTestCreated).value();
  ASSERT_TRUE(other_writer->Close().ok());
  other_writer.reset();
  other_writer = Writer::Open(other, TestMetadata(), TestUuid(), kTestCreated).value();
  const auto follower = Follow(directory_);
  EXPECT_EQ(Shown(*follower), log_);
  directory_.SetContents("segment-000001.tape", other.Contents("segment-000001.tape"));
  EXPECT_TRUE(absl::IsDataLoss(follower->Poll().status()));
}

// ---- Reading a journal that is being written, in general.

TEST_F(FollowerTest, AWriterAtWorkIsNeverTakenForDamage) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    engine::Prng prng(seed);
    MemoryDirectory directory;
    RecordSource source(seed);
    const auto writer = Begin(directory);
    int writes_left = 0;
    HookedDirectory beside(directory, [&] {
      if (writes_left == 0 || prng.Below(2) == 0) return;
      --writes_left;
      AppendAll(*writer, source.Take(1 + prng.Below(300)));
      ASSERT_TRUE(writer->Sync().ok());
    });
    for (int look = 0; look < 4; ++look) {
      writes_left = 20;
      const auto report = Verify(beside).value();
      EXPECT_NE(report.verdict, Verdict::kDamaged) << seed << ": " << report.findings[0].ToString();
      const auto reader = Reader::Open(beside).value();
      EXPECT_NE(reader->info().verdict, Verdict::kDamaged) << reader->info().verdict_reason;
    }
  }
}

// Space reserved ahead reads as zeros, so a reader continues past the written end, and
// meets blocks there that the writer has written since.
TEST_F(FollowerTest, AWriterThatOvertakesAReaderLeavesNoHole) {
  for (uint64_t when = 0; when < 30; ++when) {
    MemoryDirectory directory;
    RecordSource source(when);
    const auto writer =
        Begin(directory,
              {.segment_bytes = 4 << 20, .block_records = 40, .compression = Compression::kNone});
    // Up to just before where the reader reads its second piece of the file.
    AppendAll(*writer, source.Take(40 * 120));
    ASSERT_TRUE(writer->Sync().ok());
    std::vector<std::byte> bytes = directory.Contents("segment-000000.tape");
    bytes.resize(std::max<size_t>(bytes.size(), 1 << 20));
    directory.SetContents("segment-000000.tape", bytes);
    uint64_t looks = 0;
    HookedDirectory beside(directory, [&] {
      if (looks++ != when) return;
      for (int group = 0; group < 4; ++group) {
        AppendAll(*writer, source.Take(40 * 10));
        ASSERT_TRUE(writer->Sync().ok());
      }
    });
    const VerifyReport report = Verify(beside).value();
    EXPECT_NE(report.verdict, Verdict::kDamaged) << when << ": " << report.findings[0].ToString();
  }
}

// cp: one file after the other, each piece by piece, while the writer continues.
TEST_F(FollowerTest, ACopyMadeWhileWritingIsAnEarlierJournal) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    engine::Prng prng(seed);
    MemoryDirectory directory;
    RecordSource source(seed);
    const auto writer = Begin(directory);
    const auto write_on = [&] {
      AppendAll(*writer, source.Take(prng.Below(200)));
      if (prng.Below(2) == 0) {
        ASSERT_TRUE(writer->Sync().ok());
      }
    };
    for (int i = 0; i < 20; ++i) write_on();
    std::map<std::string, std::vector<std::byte>> copy;
    const std::vector<std::string> names = directory.List().value();
    for (const std::string& name : names) {
      const auto file = directory.OpenForRead(name).value();
      std::vector<std::byte>& bytes = copy[name];
      std::vector<std::byte> piece(5000 + prng.Below(20000));
      while (const size_t size = file->Read(bytes.size(), piece).value()) {
        bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<ptrdiff_t>(size));
        if (prng.Below(5) == 0) write_on();
      }
    }
    const auto copied = MemoryDirectory::FromSnapshot(copy);
    const VerifyReport report = Verify(*copied).value();
    ASSERT_NE(report.verdict, Verdict::kDamaged) << seed << ": " << report.findings[0].ToString();
    ASSERT_TRUE(writer->Write().ok());
    const std::vector<OwnedRecord> all = ReadJournal(directory).records;
    const ReadResult earlier = ReadJournal(*copied);
    ASSERT_TRUE(earlier.status.ok()) << earlier.status;
    ASSERT_GT(earlier.records.size(), 0u);
    ASSERT_LE(earlier.records.size(), all.size());
    EXPECT_TRUE(std::equal(earlier.records.begin(), earlier.records.end(), all.begin()));
  }
}

}  // namespace
}  // namespace journal
