#include "tools/cli/read/read_ahead.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

class ReadAheadTest : public ::testing::Test {
 protected:
  // Blocks of four, so that there are more than fit at once; two records have attachments.
  void Open(const std::string& name) {
    std::vector<std::string> commands = SampleCommands();
    for (int i = 0; i < 100; ++i) commands.push_back("advance_time");
    directory_ =
        journal::OpenPosixDirectory(
            WriteSampleJournal(name, {.commands = commands, .created_by = "read_ahead_test"}),
            journal::DirectoryMode::kReadOnly)
            .value();
    reader_ = journal::Reader::Open(*directory_).value();
  }

  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Reader> reader_;
};

TEST_F(ReadAheadTest, GivesWhatTheReaderGives) {
  Open("read_ahead");
  std::vector<journal::Row> rows;
  size_t attachments = 0;
  {
    ReadAhead ahead(*reader_);
    while (true) {
      const journal::Batch batch = ahead.NextBatch().value();
      if (batch.empty()) break;
      rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
      for (const journal::AttachmentView& attachment : batch.attachments) {
        EXPECT_FALSE(attachment.bytes.empty());
        ++attachments;
      }
    }
    EXPECT_TRUE(ahead.NextBatch()->empty()) << "the end stays the end";
  }
  EXPECT_EQ(attachments, 2u);
  ASSERT_TRUE(reader_->SeekToSequence(engine::SequenceNumber::First()).ok());
  for (const journal::Row& row : rows) EXPECT_EQ(row, *reader_->Next().value()->row);
  EXPECT_FALSE(reader_->Next().value().has_value());
}

TEST_F(ReadAheadTest, EndsWhenItsOwnerHasEnough) {
  Open("read_ahead_enough");
  {
    ReadAhead ahead(*reader_);
    EXPECT_EQ(ahead.NextBatch()->rows.front().sequence, engine::SequenceNumber::First());
  }
  ASSERT_TRUE(reader_->SeekToSequence(engine::SequenceNumber(50)).ok());
  EXPECT_EQ(reader_->Next().value()->sequence(), engine::SequenceNumber(50));
}

}  // namespace
}  // namespace tools
