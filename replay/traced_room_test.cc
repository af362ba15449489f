#include <cstdint>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"
#include "replay/trace_digest.h"
#include "replay/traced_event_memory.h"

namespace replay {
namespace {

class TracedRoomTest : public ::testing::Test {
 protected:
  // A command with so many events, which `expected_` has at once.
  void Apply(uint64_t event_count) {
    sequence_ = sequence_.Next();
    buffer_.Begin(sequence_);
    for (uint64_t i = 0; i < event_count; ++i) {
      buffer_.Append(engine::EventKind::kTrade).quantity = engine::Quantity::FromUnits(i);
    }
    room_.Add(buffer_.events());
    expected_.Add(buffer_.events());
  }

  void ExpectEqualTraces() {
    room_.Digest();
    EXPECT_EQ(trace_.Value({}), expected_.Value({})) << "after " << sequence_;
  }

  engine::SequenceNumber sequence_;
  TraceDigest expected_;
  TraceDigest trace_;
  TracedEventMemory room_{trace_};
  engine::EventBuffer buffer_{room_};
};

TEST_F(TracedRoomTest, DigestsWhatWasAddedThoughItIsPutOff) {
  for (int i = 0; i < 1000; ++i) Apply(1);
  ExpectEqualTraces();
}

TEST_F(TracedRoomTest, DigestsBeforeItGrowsOrBeginsAnew) {
  for (const uint64_t count : {1, 3, 64, 1, 127, 128, 129, 2, 1000, 1, 3999, 5, 4001, 1}) {
    Apply(count);
    Apply(1);
  }
  ExpectEqualTraces();
}

TEST_F(TracedRoomTest, DigestsAnyNumberOfTimes) {
  for (int i = 0; i < 300; ++i) {
    Apply(static_cast<uint64_t>(i % 3));
    if (i % 7 == 0) ExpectEqualTraces();
    if (i % 7 == 1) room_.Digest();
  }
  ExpectEqualTraces();
}

// Whatever a machine writes and takes back is none of its events.
TEST_F(TracedRoomTest, DigestsNoMoreThanWasAdded) {
  Apply(2);
  buffer_.Begin(sequence_);
  buffer_.Append(engine::EventKind::kTrade);
  Apply(2);
  ExpectEqualTraces();
}

}  // namespace
}  // namespace replay
