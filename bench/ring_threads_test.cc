#include <cstdint>
#include <span>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/slot_ring.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/event_ring.h"
#include "gtest/gtest.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

struct Heard {
  uint64_t count = 0;
  bool in_order = true;
};

// Reads until `count` events have come.
void Listen(engine::EventRing& ring, uint64_t count, Heard& heard) {
  uint64_t expected = 0;
  while (heard.count < count) {
    const std::span<const engine::Event> events = ring.Front();
    if (!events.empty()) heard.in_order = heard.in_order && events.front().index == 0;
    for (const engine::Event& event : events) {
      heard.in_order = heard.in_order && event.order_id.value() == ++expected;
    }
    heard.count += events.size();
    ring.Pop();
  }
}

// Commands of one to `most` events, a few of them far longer, and published sometimes.
uint64_t SayMany(engine::EventRing& ring, uint64_t seed, uint64_t count, uint64_t most,
                 uint64_t longest) {
  engine::Prng prng(seed);
  engine::EventBuffer buffer(ring);
  uint64_t sent = 0;
  uint64_t sequence = 0;
  while (sent < count) {
    buffer.Begin(engine::SequenceNumber(++sequence));
    const uint64_t length = 1 + prng.Below(prng.Below(500) == 0 ? longest : most);
    for (uint64_t i = 0; i < length; ++i) {
      buffer.Append(engine::EventKind::kTrade).order_id = engine::OrderId(++sent);
    }
    if (prng.Below(16) == 0) ring.Publish(buffer.events());
  }
  ring.Publish(buffer.events());
  return sent;
}

// The number of events that SayMany() will send, to know when to stop reading.
uint64_t CountOf(uint64_t seed, uint64_t count, uint64_t most, uint64_t longest) {
  engine::EventRing endless(size_t{1} << 18);
  return SayMany(endless, seed, count, most, longest);
}

TEST(EventRingThreads, ReaderGetsEveryEventOnceAndInOrder) {
  for (const size_t capacity : {4u, 16u, 256u, 4096u}) {
    const uint64_t count = 100'000;
    const uint64_t most = capacity / 3 + 1, longest = 3 * capacity;
    const uint64_t total = CountOf(capacity, count, most, longest);
    engine::EventRing ring(capacity);
    Heard heard;
    {
      const tools::Thread reader(
          "reader", [&] { Listen(ring, total, heard); }, /*stop=*/{}, tools::UsableCores().back());
      ASSERT_TRUE(reader.status().ok()) << reader.status();
      EXPECT_EQ(SayMany(ring, capacity, count, most, longest), total);
    }
    EXPECT_EQ(heard.count, total);
    EXPECT_TRUE(heard.in_order) << "capacity " << capacity;
  }
}

struct Value {
  uint64_t number = 0;
  uint64_t copies[6] = {};  // A value that is torn has different ones.
};

TEST(SlotRingThreads, ReaderGetsEveryValueOnceAndInOrder) {
  constexpr uint64_t kValues = 50'000;
  for (const size_t capacity : {1u, 2u, 64u, 4096u}) {
    engine::SlotRing<Value> ring(capacity);
    uint64_t in_order = 0;
    {
      const auto read = [&] {
        for (uint64_t expected = 0; expected < kValues;) {
          const Value* const value = ring.Front();
          if (value == nullptr) continue;
          bool is_whole = value->number == expected++;
          for (const uint64_t copy : value->copies) is_whole = is_whole && copy == value->number;
          in_order += is_whole ? 1 : 0;
          ring.Pop();
        }
      };
      const tools::Thread reader("reader", read, /*stop=*/{}, tools::UsableCores().back());
      ASSERT_TRUE(reader.status().ok()) << reader.status();
      for (uint64_t i = 0; i < kValues;) {
        Value* const slot = ring.Claim();
        if (slot == nullptr) continue;
        slot->number = i++;
        for (uint64_t& copy : slot->copies) copy = slot->number;
        ring.Publish();
      }
    }
    EXPECT_EQ(in_order, kValues) << "capacity " << capacity;
  }
}

}  // namespace
}  // namespace bench
