#include "engine/gateway/agents/agents.h"

#include <algorithm>
#include <cmath>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
// A market that refuses an order is paused, closed or not open yet.
constexpr int64_t kRestAfterRefusal = 5 * kSecond;
// The parts of a new price in the averages of trades.
constexpr double kFast = 0.3;
constexpr double kSlow = 0.05;

// The price of the market's grid at or below `units`; nullopt outside of its prices.
std::optional<Price> OnGrid(const MarketDefinition& market, double units) {
  const auto whole = static_cast<int64_t>(std::floor(units));
  if (whole < market.price_min.units() || whole > market.price_max.units()) return std::nullopt;
  const int64_t tick = market.TickAt(Price::FromUnits(whole)).units();
  const int64_t below = whole % tick < 0 ? whole % tick + tick : whole % tick;
  if (whole - below < market.price_min.units()) return std::nullopt;
  return Price::FromUnits(whole - below);
}

double TickAt(const MarketDefinition& market, double units) {
  const auto whole = static_cast<int64_t>(units);
  const int64_t inside = std::clamp(whole, market.price_min.units(), market.price_max.units());
  return static_cast<double>(market.TickAt(Price::FromUnits(inside)).units());
}

Command NewOrder(Side side, TimeInForce tif) {
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.side = side;
  command.type = OrderType::kLimit;
  command.tif = tif;
  // What one agent has left in the book is no counterparty of it.
  command.flags = command.flags.WithSelfTradePrevention(SelfTradePrevention::kCancelMaker);
  return command;
}

double AwayFrom(double price, Side side, double distance) {
  return side == Side::kBid ? price - distance : price + distance;
}

}  // namespace

Agents::Agents(AgentsOptions options, Venue& venue)
    : options_(std::move(options)), venue_(venue), number_(venue.Add(*this)), prng_(options_.seed) {
  for (const MarketAgents& market : options_.markets) {
    const size_t place = markets_.size();
    place_of_market_.emplace(market.market, place);
    markets_.push_back({.options = market});
    accounts_ = std::max(accounts_, market.count());
    for (uint32_t i = 0; i < market.count(); ++i) {
      const bool is_taker = i >= market.makers + market.noise;
      const Role taker_or_noise = is_taker ? Role::kMomentum : Role::kNoise;
      agents_.push_back({.market = place,
                         .role = i < market.makers ? Role::kMaker : taker_or_noise,
                         .account = AccountId(options_.first_account.value() + i)});
    }
  }
}

void Agents::Start(const MarketDirectory& markets, SteadyTime now) {
  for (Market& market : markets_) {
    market.definition = markets.Find(market.options.market);
    CHECK(market.definition != nullptr);
    market.fair.emplace(market.definition->price_min, market.definition->price_max,
                        market.options.start, market.options.volatility);
    market.walked_at = now;
  }
  for (size_t agent = 0; agent < agents_.size(); ++agent) Schedule(agent, now);
}

// The times between its actions are exponentially distributed.
void Agents::Schedule(size_t agent, SteadyTime now) {
  constexpr int64_t kParts = 1'000'000;
  const double part = static_cast<double>(prng_.Between(1, kParts)) / kParts;
  const double seconds = -std::log(part) / markets_[agents_[agent].market].options.actions_a_second;
  due_.emplace(now + static_cast<int64_t>(std::min(seconds, 3600.0) * kSecond), agent);
}

absl::Status Agents::Act(SteadyTime now, Timestamp time, absl::FunctionRef<bool()> has_room) {
  while (next_time() <= now && has_room()) {
    const size_t place = due_.top().second;
    due_.pop();
    Schedule(place, now);
    const Agent& agent = agents_[place];
    Market& market = markets_[agent.market];
    if (now < market.rests_until) continue;
    if (venue_.memory().IsDone(market.options.market, CommandKind::kCloseMarket)) continue;
    market.fair->Advance(prng_, now - market.walked_at);
    market.walked_at = now;
    was_refused_ = false;
    const absl::Status done = Do(agent, time);
    if (!done.ok() && !absl::IsResourceExhausted(done)) return done;
    if (was_refused_ || !done.ok()) market.rests_until = now + kRestAfterRefusal;
  }
  return absl::OkStatus();
}

absl::Status Agents::Do(const Agent& agent, Timestamp time) {
  const Market& market = markets_[agent.market];
  switch (agent.role) {
    case Role::kMaker:
      return Quote(agent, market);
    case Role::kNoise:
      return AddNoise(agent, market, time);
    case Role::kMomentum:
      return FollowTrades(agent, market);
  }
  CHECK(false);
}

// Replaces all its quotes.
absl::Status Agents::Quote(const Agent& agent, const Market& market) {
  Command cancel;
  cancel.kind = CommandKind::kMassCancel;
  cancel.market = market.options.market;
  RETURN_IF_ERROR(Submit(agent, cancel));
  // Who holds much wants less of it.
  const auto found = positions_.find(std::pair(agent.account, market.options.market));
  const double held = found == positions_.end() ? 0 : static_cast<double>(found->second);
  const double depths = held / static_cast<double>(market.options.depth.units());
  const double tick = TickAt(*market.definition, market.fair->units());
  const double middle = market.fair->units() - std::clamp(depths, -10.0, 10.0) * tick;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    // An ask is rounded down, as a bid is.
    double distance = (side == Side::kBid ? 0.5 : 1.5) * tick;
    for (size_t level = 0; level < kLevels; ++level) {
      Command quote = NewOrder(side, TimeInForce::kGoodTillCancelled);
      quote.quantity = AnyQuantity(market, /*percent_max=*/190);
      RETURN_IF_ERROR(Order(agent, market, quote, AwayFrom(middle, side, distance)));
      distance += tick * static_cast<double>(prng_.Between(1, 3));
    }
  }
  return absl::OkStatus();
}

// Half of its orders rest for a while; the others take.
absl::Status Agents::AddNoise(const Agent& agent, const Market& market, Timestamp time) {
  const Side side = prng_.Chance(50) ? Side::kBid : Side::kAsk;
  if (prng_.Chance(50)) return Take(agent, market, side, prng_.Between(0, 2));
  const std::optional<Price> best = depth_.BestPrice(market.options.market, side);
  const double near = best.has_value() ? static_cast<double>(best->units()) : market.fair->units();
  const double tick = TickAt(*market.definition, near);
  Command order = NewOrder(side, TimeInForce::kGoodTillTime);
  order.set_expires_at(Timestamp::FromNanos(time.nanos() + prng_.Between(5, 60) * kSecond));
  order.quantity = AnyQuantity(market, /*percent_max=*/60);
  const double distance = tick * static_cast<double>(prng_.Between(0, 5));
  return Order(agent, market, order, AwayFrom(near, side, distance));
}

absl::Status Agents::FollowTrades(const Agent& agent, const Market& market) {
  if (!market.fast.has_value()) return absl::OkStatus();
  const double rise = *market.fast - market.slow;
  if (std::abs(rise) < TickAt(*market.definition, market.slow) / 2) return absl::OkStatus();
  return Take(agent, market, rise > 0 ? Side::kBid : Side::kAsk, /*ticks=*/1);
}

absl::Status Agents::Take(const Agent& agent, const Market& market, Side side, int64_t ticks) {
  const Side other = side == Side::kBid ? Side::kAsk : Side::kBid;
  const std::optional<Price> best = depth_.BestPrice(market.options.market, other);
  if (!best.has_value()) return absl::OkStatus();
  const auto units = static_cast<double>(best->units());
  const double distance = TickAt(*market.definition, units) * static_cast<double>(ticks);
  Command order = NewOrder(side, TimeInForce::kImmediateOrCancel);
  order.quantity = AnyQuantity(market, /*percent_max=*/80);
  return Order(agent, market, order, AwayFrom(units, other, distance));
}

absl::Status Agents::Order(const Agent& agent, const Market& market, Command order, double price) {
  const std::optional<Price> allowed = OnGrid(*market.definition, price);
  if (!allowed.has_value()) return absl::OkStatus();
  order.market = market.options.market;
  order.price = *allowed;
  return Submit(agent, order);
}

absl::Status Agents::Submit(const Agent& agent, const Command& command) {
  Command sent = command;
  sent.account = agent.account;
  return venue_.Submit(sent, {}, {.gateway = number_}).status();
}

Quantity Agents::AnyQuantity(const Market& market, int64_t percent_max) {
  const MarketDefinition& definition = *market.definition;
  const uint64_t percent = static_cast<uint64_t>(prng_.Between(10, percent_max));
  const uint64_t lot = definition.lot.units();
  const uint64_t lots = market.options.depth.units() * percent / 100 * shown_percent_ / 100 / lot;
  const Quantity least = std::max(definition.quantity_min, definition.lot);
  const Quantity most = definition.quantity_max.is_zero() ? kQuantityMax : definition.quantity_max;
  return std::clamp(Quantity::FromUnits(lots * lot), least, most);
}

void Agents::OnHistory(const Command& command, std::span<const Event> events) {
  Fold(command, events);
}

void Agents::OnApplied(const Command&, std::span<const Event> events, const Origin& origin) {
  if (origin.gateway != number_) return;
  was_refused_ |= std::ranges::any_of(
      events, [](const Event& event) { return event.kind == EventKind::kRejected; });
}

void Agents::OnReleased(const Command& command, std::span<const Event> events, const Origin&) {
  Fold(command, events);
}

void Agents::Fold(const Command& command, std::span<const Event> events) {
  depth_.OnEvents(command, events);
  for (const Event& event : events) {
    if (event.kind == EventKind::kTrade) OnTrade(event.market, event.price);
    if (event.kind == EventKind::kPosition && IsAgents(event.account)) {
      positions_[std::pair(event.account, event.market)] = event.position();
    }
  }
}

void Agents::OnTrade(MarketId id, Price price) {
  const auto found = place_of_market_.find(id);
  if (found == place_of_market_.end()) return;
  Market& market = markets_[found->second];
  const auto units = static_cast<double>(price.units());
  if (!market.fast.has_value()) market.fast = market.slow = units;
  *market.fast += kFast * (units - *market.fast);
  market.slow += kSlow * (units - market.slow);
}

}  // namespace engine
