// Sequence numbers and timestamps.

#include "journal/sequencer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/testing/journal_test_base.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

TEST_F(JournalTest, TheSequencerStampsDenseNumbersAndTimeThatNeverRunsBack) {
  const auto writer = Create();
  engine::ManualClock clock;
  Sequencer sequencer(*writer, clock);
  std::vector<int64_t> stamped;
  for (const int64_t now : {50, 60, 55, 60, 70}) {
    clock.Set(Timestamp::FromNanos(now));
    const SequenceNumber expected = sequencer.next_sequence();
    Row row;
    row.sequence = SequenceNumber(999);
    row.timestamp = Timestamp::FromNanos(999);
    row.payload[3] = std::byte{7};
    const Record record = sequencer.Append(row, engine::AsBytes("attached")).value();
    EXPECT_EQ(record.sequence(), expected);
    EXPECT_EQ(record.row->payload, row.payload);
    EXPECT_EQ(engine::AsText(record.attachment), "attached");
    EXPECT_EQ(writer->next_sequence(), expected.Next()) << "in the journal before it is returned";
    stamped.push_back(record.timestamp().nanos());
  }
  EXPECT_EQ(stamped, (std::vector<int64_t>{50, 60, 60, 60, 70}));
}

TEST_F(JournalTest, ARefusedRecordTakesNoNumber) {
  const auto writer = Create();
  engine::ManualClock clock;
  Sequencer sequencer(*writer, clock);
  const std::vector<std::byte> bytes(kMaxAttachmentBytes + 1);
  EXPECT_FALSE(sequencer.Append(Row{}, bytes).ok());
  EXPECT_EQ(sequencer.Append(Row{})->sequence(), SequenceNumber(1));
}

}  // namespace
}  // namespace journal
