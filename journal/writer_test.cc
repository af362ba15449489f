// What a writer accepts, and the positions that it reports.

#include "journal/writer.h"

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/testing/journal_test_base.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

TEST_F(JournalTest, ACreatedJournalIsNotCreatedAgain) {
  ASSERT_TRUE(Create()->Close().ok());
  EXPECT_TRUE(absl::IsAlreadyExists(
      Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
}

TEST_F(JournalTest, OneWriterAtATime) {
  const auto writer = Create();
  EXPECT_TRUE(absl::IsUnavailable(
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
}

TEST_F(JournalTest, OptionsOutOfRangeAreRefused) {
  WriterOptions options;
  options.block_records = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(
      Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).status()));
  EXPECT_TRUE(directory_.List()->empty());
}

TEST_F(JournalTest, TheThreeMarksFollowAppendWriteAndSync) {
  const auto log = RecordSource(1).Take(30);
  const auto writer = Create();
  AppendAll(*writer, {log.begin(), log.begin() + 10});
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(11));
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(0));
  ASSERT_TRUE(writer->Sync().ok());
  AppendAll(*writer, {log.begin() + 10, log.begin() + 20});
  ASSERT_TRUE(writer->Write().ok());
  AppendAll(*writer, {log.begin() + 20, log.end()});
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(31));
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(20));
  EXPECT_EQ(writer->durable_sequence(), SequenceNumber(10));
  EXPECT_EQ(writer->last_timestamp(), log.back().row.timestamp);
}

TEST_F(JournalTest, AFullBlockIsWrittenByItself) {
  const auto log = RecordSource(1).Take(100);
  const auto writer = Create(Small());
  AppendAll(*writer, {log.begin(), log.begin() + 99});
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(50));
  AppendAll(*writer, {log.begin() + 99, log.end()});
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(100));
  EXPECT_EQ(writer->stats().blocks, 2u);
}

TEST_F(JournalTest, AnAttachmentTooLongIsRefusedAndForgotten) {
  const auto log = RecordSource(1).Take(2);
  const auto writer = Create();
  const std::vector<std::byte> bytes(kMaxAttachmentBytes + 1);
  EXPECT_TRUE(absl::IsInvalidArgument(writer->Append(log[0].row, bytes)));
  ASSERT_TRUE(writer->Append(log[0].row, engine::Bytes(bytes).first(kMaxAttachmentBytes)).ok());
  ASSERT_TRUE(writer->Append(log[1].row).ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(ReadJournal(directory_).records.size(), 2u);
}

using JournalDeathTest = JournalTest;

TEST_F(JournalDeathTest, AGapOrATimeThatRunsBackIsACheckFailure) {
  const auto log = RecordSource(1).Take(3);
  const auto writer = Create();
  EXPECT_DEATH(writer->Append(log[1].row).IgnoreError(), "CHECK");
  AppendAll(*writer, {log.begin(), log.begin() + 1});
  Row row = log[1].row;
  row.timestamp = Timestamp::FromNanos(log[0].row.timestamp.nanos() - 1);
  EXPECT_DEATH(writer->Append(row).IgnoreError(), "CHECK");
}

}  // namespace
}  // namespace journal
