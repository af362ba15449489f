#include "engine/differential/random_commands.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/differential/session.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/names.h"
#include "engine/reference/reference_exchange.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

struct Reach {
  std::map<EventKind, int> events;
  std::map<RejectReason, int> rejected;
  std::map<CancelReason, int> cancelled;
};

Reach ReachOf(uint64_t seed_end, int length) {
  Reach reach;
  for (uint64_t seed = 0; seed < seed_end; ++seed) {
    RandomCommands commands(seed);
    ReferenceExchange exchange;
    EventBuffer events;
    for (int i = 0; i < length; ++i) {
      const SessionCommand next = commands.Next(exchange);
      exchange.Apply(next.command, next.attachment, events);
      exchange.CheckInvariants();
      for (const Event& event : events.events()) {
        ++reach.events[event.kind];
        if (event.kind == EventKind::kRejected) ++reach.rejected[event.reject_reason()];
        if (event.kind == EventKind::kCancelled) ++reach.cancelled[event.cancel_reason()];
      }
    }
  }
  return reach;
}

TEST(RandomCommands, ReachEveryEventReasonAndKeepTheInvariants) {
  const Reach reach = ReachOf(/*seed_end=*/45, /*length=*/1000);
  for (int kind = 1; kind <= static_cast<int>(kLastEventKind); ++kind) {
    EXPECT_GT(reach.events.count(static_cast<EventKind>(kind)), 0u)
        << NameOf(static_cast<EventKind>(kind));
  }
  for (size_t reason = 1; reason < kRejectReasonNames.size(); ++reason) {
    EXPECT_GT(reach.rejected.count(static_cast<RejectReason>(reason)), 0u)
        << NameOf(static_cast<RejectReason>(reason));
  }
  for (size_t reason = 1; reason < kCancelReasonNames.size(); ++reason) {
    EXPECT_GT(reach.cancelled.count(static_cast<CancelReason>(reason)), 0u)
        << NameOf(static_cast<CancelReason>(reason));
  }
  const auto trades = reach.events.find(EventKind::kTrade);
  ASSERT_NE(trades, reach.events.end());
  EXPECT_GT(trades->second, 2000);
  for (const auto& [kind, count] : reach.events) {
    RecordProperty(NameOf(kind), count);
  }
  for (const auto& [reason, count] : reach.rejected) RecordProperty(NameOf(reason), count);
  for (const auto& [reason, count] : reach.cancelled) {
    RecordProperty("cancelled_" + NameOf(reason), count);
  }
}

// The order in which a compiler evaluates arguments must not matter. Another digest means other
// commands for every seed that a report names.
TEST(RandomCommands, ASeedGivesTheSameCommandsOnEveryMachine) {
  Digester digester;
  EventBuffer events;
  for (uint64_t seed = 0; seed < 18; ++seed) {
    RandomCommands commands(seed);
    ReferenceExchange exchange;
    for (int i = 0; i < 2000; ++i) {
      const SessionCommand next = commands.Next(exchange);
      digester.Add(AsBytes(next.command));
      digester.Add(next.attachment);
      exchange.Apply(next.command, next.attachment, events);
    }
  }
  EXPECT_EQ(digester.Finish().ToString(), "dc2ddef8f0e4b4d4ca7614f22278b28c");
}

}  // namespace
}  // namespace engine
