#include "engine/workload/equity_scenario.h"

#include <algorithm>
#include <map>
#include <vector>

#include "engine/messages/command.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::OrderId;
using engine::Side;

constexpr size_t kNewOrders = 50'000;

// What a scenario's timed part is made of.
struct Census {
  explicit Census(int64_t swing_percent) {
    const Workload workload = MakeEquityScenario(
        {.name = "test", .new_order_count = kNewOrders, .swing_percent = swing_percent});
    std::map<OrderId, int64_t> ends;
    for (size_t i = workload.warm_up_count; i < workload.commands.size(); ++i) {
      const Command& command = workload.commands[i];
      ++kinds[command.kind];
      if (command.kind == CommandKind::kNewOrder) {
        const bool is_bid = command.side == Side::kBid;
        (is_bid ? bids : asks).push_back(command.price.units());
        immediate += command.tif == engine::TimeInForce::kImmediateOrCancel ? 1 : 0;
      } else {
        EXPECT_LT(command.order_id.value(), command.sequence.value());
        const Command& order = workload.commands[command.order_id.value() - 1];
        const bool has_ended = !ends.emplace(command.order_id, 0).second && ends[command.order_id];
        too_late += has_ended ? 1 : 0;
        if (command.kind != CommandKind::kCancel || has_ended) continue;
        lifetimes.push_back(command.timestamp.nanos() - order.timestamp.nanos());
        ends[command.order_id] = 1;
      }
    }
  }

  size_t total() const {
    size_t sum = 0;
    for (const auto& [kind, count] : kinds) sum += count;
    return sum;
  }

  std::map<CommandKind, size_t> kinds;
  std::vector<int64_t> bids, asks, lifetimes;
  size_t immediate = 0;
  size_t too_late = 0;
};

TEST(EquityScenario, ExpandsToTwoMessagesAnOrder) {
  const Census census(2);
  EXPECT_EQ(census.kinds.at(CommandKind::kNewOrder), kNewOrders);
  EXPECT_NEAR(static_cast<double>(census.total()), 2.0 * kNewOrders, 0.03 * kNewOrders);
  EXPECT_NEAR(static_cast<double>(census.immediate), 0.15 * kNewOrders, 0.01 * kNewOrders);
  EXPECT_NEAR(static_cast<double>(census.kinds.at(CommandKind::kAmend)), 0.178 * kNewOrders,
              0.01 * kNewOrders);
  EXPECT_NEAR(static_cast<double>(census.too_late), 0.85 * 0.95 * 0.02 * kNewOrders,
              0.003 * kNewOrders);
}

TEST(EquityScenario, HalfOfTheCancelledLiveNoLongerThanTheMedian) {
  Census census(0);
  const auto middle = census.lifetimes.begin() + static_cast<int64_t>(census.lifetimes.size() / 2);
  std::nth_element(census.lifetimes.begin(), middle, census.lifetimes.end());
  EXPECT_NEAR(static_cast<double>(*middle), 431'000, 12'000);
}

TEST(EquityScenario, StandingStillNothingCrossesAndSixtyLevelsAreUsed) {
  const Census census(0);
  EXPECT_EQ(*std::max_element(census.bids.begin(), census.bids.end()), 33'503);
  EXPECT_EQ(*std::min_element(census.bids.begin(), census.bids.end()), 33'474);
  EXPECT_EQ(*std::min_element(census.asks.begin(), census.asks.end()), 33'505);
  EXPECT_EQ(*std::max_element(census.asks.begin(), census.asks.end()), 33'534);
}

TEST(EquityScenario, SwingsAsFarAsConfigured) {
  for (const int64_t swing : {2, 25, 40, 60}) {
    const Census census(swing);
    const int64_t highest = *std::max_element(census.bids.begin(), census.bids.end());
    const int64_t lowest = *std::min_element(census.asks.begin(), census.asks.end());
    EXPECT_NEAR(static_cast<double>(std::max(highest, census.asks.back()) - lowest),
                33'504.0 * static_cast<double>(swing) / 100, 33'504.0 * 0.1)
        << swing;
  }
}

}  // namespace
}  // namespace bench
