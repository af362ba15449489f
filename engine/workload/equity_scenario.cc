#include "engine/workload/equity_scenario.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/workload/mid_path.h"
#include "engine/workload/orders.h"
#include "engine/workload/random_numbers.h"

namespace bench {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::OrderId;
using engine::Side;
using engine::TimeInForce;
using engine::Timestamp;

constexpr MarketId kMarket = MarketId(1);
constexpr int64_t kFirstMid = 33'504;
constexpr int64_t kDepthMax = 30;
constexpr int64_t kMeanGapNanos = 1'000;

// The mean lifetime at a depth of 8 ticks; each tick further out adds 1/16. Chosen so that the
// median over all orders is 0.431 ms.
constexpr int64_t kMeanLifetimeNanos = 930'000;

// A planned message about an order, from its arrival to its planned end; it may trade earlier.
struct Message {
  int64_t at_nanos;
  size_t index;  // Planning order; breaks ties in time.
  size_t order;  // Index of the order among the arrivals, from 0.
  CommandKind kind;
  Side side;
  TimeInForce tif;
  int64_t price;
  uint64_t quantity;
};

// Weights of the depths 1, 2, ...: three quarters of the orders from a power law with exponent
// 2.23, one quarter from a Gaussian around 8 with deviation 3.
WeightedTable DepthTable() {
  std::vector<Fixed> law, hump;
  Fixed law_sum = 0, hump_sum = 0;
  for (int64_t depth = 1; depth <= kDepthMax; ++depth) {
    law.push_back(ExpOf(-Multiply(FixedRatio(223, 100), LogOf(static_cast<uint64_t>(depth), 0))));
    hump.push_back(ExpOf(-FixedRatio((depth - 8) * (depth - 8), 2 * 3 * 3)));
    law_sum += law.back();
    hump_sum += hump.back();
  }
  std::vector<int64_t> weights;
  for (size_t i = 0; i < law.size(); ++i) {
    weights.push_back(3 * FixedRatio(law[i], law_sum) + FixedRatio(hump[i], hump_sum));
  }
  return WeightedTable(weights);
}

class Planner {
 public:
  Planner(const EquityScenario& scenario, RandomNumbers& random)
      : random_(random),
        mids_(MakeMidPath(random, {.step_count = scenario.new_order_count,
                                   .first = kFirstMid,
                                   .swing_percent = scenario.swing_percent,
                                   .apart_permille = scenario.apart_permille})),
        depths_(DepthTable()) {}

  int64_t lowest_mid() const { return *std::min_element(mids_.begin(), mids_.end()); }
  int64_t highest_mid() const { return *std::max_element(mids_.begin(), mids_.end()); }

  std::vector<Message> Plan(Timestamp start) {
    std::vector<size_t> steps(mids_.size());
    for (size_t i = 0; i < steps.size(); ++i) steps[i] = i;
    for (size_t i = steps.size() - 1; i > 0; --i) std::swap(steps[i], steps[random_.Below(i + 1)]);

    int64_t now = start.nanos();
    for (const size_t step : steps) {
      now += random_.Exponential(kMeanGapNanos);
      PlanOrder(now, step);
    }
    std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
      return a.at_nanos != b.at_nanos ? a.at_nanos < b.at_nanos : a.index < b.index;
    });
    return std::move(messages_);
  }

 private:
  void PlanOrder(int64_t now, size_t step) {
    const auto depth = static_cast<int64_t>(depths_.Draw(random_)) + 1;
    const Side side = step < mids_.size() / 2 ? Side::kBid : Side::kAsk;
    const int64_t away = side == Side::kBid ? -1 : 1;
    Message message{.at_nanos = now,
                    .index = 0,
                    .order = order_count_++,
                    .kind = CommandKind::kNewOrder,
                    .side = side,
                    .tif = TimeInForce::kGoodTillCancelled,
                    .price = mids_[step] + away * depth,
                    .quantity = random_.Below(100) + 1};
    if (random_.Chance(15)) message.tif = TimeInForce::kImmediateOrCancel;
    Say(message);
    if (message.tif == TimeInForce::kImmediateOrCancel) return;

    const int64_t lifetime = 1 + random_.Exponential(kMeanLifetimeNanos * (8 + depth) / 16);
    if (random_.Chance(20)) {
      message.at_nanos = now + random_.Between(1, lifetime);
      message.kind = CommandKind::kAmend;
      ++message.quantity;
      // Never towards the mid from the level next to it, because the order would no longer be
      // passive.
      if (random_.Below(5) > 0) message.price += depth > 1 && random_.Chance(50) ? -away : away;
      Say(message);
    }
    if (!random_.Chance(95)) return;
    message.at_nanos = now + lifetime;
    message.kind = CommandKind::kCancel;
    Say(message);
    if (!random_.Chance(2)) return;
    // Too late: the order has certainly ended.
    message.at_nanos += 1 + random_.Exponential(kMeanLifetimeNanos / 10);
    if (random_.Chance(50)) message.kind = CommandKind::kAmend;
    Say(message);
  }

  void Say(Message message) {
    message.index = messages_.size();
    messages_.push_back(message);
  }

  RandomNumbers& random_;
  const std::vector<int64_t> mids_;
  const WeightedTable depths_;
  std::vector<Message> messages_;
  size_t order_count_ = 0;
};

// Fills the book on one side and empties it again.
void Rehearse(WorkloadBuilder& builder, RandomNumbers& random, Side side, size_t order_count,
              int64_t lowest, int64_t highest) {
  const OrderId first = builder.next_order_id();
  for (size_t i = 0; i < order_count; ++i) {
    builder.Add(LimitOrder(kMarket, side, random.Between(lowest, highest), 1));
  }
  for (size_t i = 0; i < order_count; ++i) {
    builder.Add(Cancel(kMarket, OrderId(first.value() + i)));
  }
}

}  // namespace

Workload MakeEquityScenario(const EquityScenario& scenario) {
  CHECK(scenario.new_order_count >= 100);
  RandomNumbers random(scenario.seed);
  WorkloadBuilder builder(scenario.name);
  Planner planner(scenario, random);
  builder.Define(DefaultMarket(kMarket.value()));
  // Orders that are never cancelled, and those whose cancel is still to come.
  const size_t rehearsed = scenario.new_order_count / 20 + 1'500;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    Rehearse(builder, random, side, rehearsed, planner.lowest_mid() - kDepthMax,
             planner.highest_mid() + kDepthMax);
  }
  builder.EndWarmUp();

  std::vector<OrderId> ids(scenario.new_order_count);
  for (const Message& message : planner.Plan(builder.now())) {
    builder.SetNow(std::max(builder.now(), Timestamp::FromNanos(message.at_nanos)));
    builder.set_step_nanos(0);
    switch (message.kind) {
      case CommandKind::kNewOrder:
        ids[message.order] = builder.Add(
            LimitOrder(kMarket, message.side, message.price, message.quantity, message.tif));
        break;
      case CommandKind::kAmend:
        builder.Add(Amend(kMarket, ids[message.order], message.price, message.quantity));
        break;
      default:
        builder.Add(Cancel(kMarket, ids[message.order]));
        break;
    }
  }
  return builder.Take();
}

}  // namespace bench
