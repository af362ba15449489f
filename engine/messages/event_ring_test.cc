#include "engine/messages/event_ring.h"

#include <algorithm>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// A writer and a reader who take turns.
class Conversation {
 public:
  explicit Conversation(size_t capacity) : ring_(capacity), buffer_(ring_) {}

  // The next command, with `event_count` events.
  void Say(size_t event_count) {
    buffer_.Begin(SequenceNumber(++commands_written_));
    for (size_t i = 0; i < event_count; ++i) {
      buffer_.Append(EventKind::kTrade).order_id = OrderId(++events_written_);
      EXPECT_EQ(buffer_.size(), i + 1);
    }
    ExpectWhole(buffer_.events());
    EXPECT_EQ(buffer_.size(), event_count);
  }
  void Publish() {
    ring_.Publish(buffer_.events());
    EXPECT_EQ(ring_.published_count(), events_written_);
  }

  // Reads a span, and checks that the events are those that were written, in order, commands whole.
  size_t Hear() {
    const std::span<const Event> events = ring_.Front();
    for (const Event& event : events) {
      EXPECT_EQ(event.order_id.value(), ++events_heard_);
      EXPECT_EQ(event.index, event.sequence == last_heard_ ? last_index_ + 1 : 0);
      last_heard_ = event.sequence;
      last_index_ = event.index;
    }
    if (!events.empty()) {
      EXPECT_EQ(events.front().index, 0u) << "a span begins in the middle of a command";
    }
    const size_t count = events.size();
    ring_.Pop();
    return count;
  }
  void HearAll() {
    while (Hear() > 0) {
    }
  }

  uint64_t events_written() const { return events_written_; }
  uint64_t events_heard() const { return events_heard_; }

 private:
  void ExpectWhole(std::span<const Event> events) const {
    for (size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].sequence.value(), commands_written_);
      ASSERT_EQ(events[i].index, i);
      ASSERT_EQ(events[i].order_id.value(), events_written_ - events.size() + 1 + i);
    }
  }

  EventRing ring_;
  EventBuffer buffer_;
  uint64_t commands_written_ = 0;
  uint64_t events_written_ = 0;
  uint64_t events_heard_ = 0;
  SequenceNumber last_heard_;
  uint32_t last_index_ = 0;
};

TEST(EventRing, ShowsNothingUntilItIsPublished) {
  Conversation conversation(16);
  EXPECT_EQ(conversation.Hear(), 0u);
  conversation.Say(3);
  EXPECT_EQ(conversation.Hear(), 0u);
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 3u);
  EXPECT_EQ(conversation.Hear(), 0u);
}

TEST(EventRing, ShowsManyCommandsAsOneSpan) {
  Conversation conversation(16);
  for (int i = 0; i < 4; ++i) conversation.Say(2);
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 8u);
}

TEST(EventRing, PublishingAgainShowsNothingTwice) {
  Conversation conversation(16);
  conversation.Say(2);
  conversation.Publish();
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 2u);
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 0u);
}

TEST(EventRing, CommandThatMeetsTheEndBeginsAgainAtTheFront) {
  Conversation conversation(8);
  conversation.Say(3);
  conversation.Say(3);
  conversation.Publish();
  conversation.HearAll();
  conversation.Say(3);  // Two fit before the end.
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 3u);
  EXPECT_EQ(conversation.events_heard(), 9u);
}

TEST(EventRing, CommandThatEndsWithTheMemoryLeavesNoGap) {
  Conversation conversation(8);
  for (int lap = 0; lap < 5; ++lap) {
    conversation.Say(4);
    conversation.Say(4);
    conversation.Publish();
    EXPECT_EQ(conversation.Hear(), 8u);
  }
}

TEST(EventRing, CommandWithMoreEventsThanTheRingIsReadAsOneSpan) {
  Conversation conversation(8);
  conversation.Say(1);
  conversation.Say(1000);
  conversation.Say(2);
  conversation.Publish();
  EXPECT_EQ(conversation.Hear(), 1u);
  conversation.HearAll();
  EXPECT_EQ(conversation.events_heard(), 1003u);
}

TEST(EventRing, IsPublishedByItselfWhereManyEventsWait) {
  Conversation conversation(4096);
  for (int i = 0; i < 1000; ++i) conversation.Say(2);
  EXPECT_GT(conversation.Hear(), 1000u);
  conversation.Publish();
  conversation.HearAll();
  EXPECT_EQ(conversation.events_heard(), 2000u);
}

// After a long command, shorter ones use its memory until that is full.
TEST(EventRing, ContinuesInTheRingAfterALongCommand) {
  Conversation conversation(8);
  for (int round = 0; round < 20; ++round) {
    conversation.Say(50);
    for (int i = 0; i < 200; ++i) {
      conversation.Say(1);
      conversation.Publish();
      conversation.HearAll();
    }
    EXPECT_EQ(conversation.events_heard(), conversation.events_written());
  }
}

TEST(EventRing, ReadsWhatWasWrittenForAnyLengthsAndTurns) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Prng prng(seed);
    const size_t capacity = size_t{4} << prng.Below(5);
    Conversation conversation(capacity);
    for (int i = 0; i < 400; ++i) {
      const bool is_long = prng.Chance(3);
      // The writer would wait forever for a reader whose turn does not come.
      if (is_long || conversation.events_written() - conversation.events_heard() > capacity / 4 ||
          prng.Chance(30)) {
        conversation.Publish();
        conversation.HearAll();
      }
      conversation.Say(prng.Below(is_long ? 5 * capacity : std::max<size_t>(capacity / 4, 2)));
      if (prng.Chance(60)) conversation.Publish();
    }
    conversation.Publish();
    conversation.HearAll();
    EXPECT_EQ(conversation.events_heard(), conversation.events_written()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace engine
