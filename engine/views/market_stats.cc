#include "engine/views/market_stats.h"

#include <algorithm>
#include <cstdlib>

#include "absl/status/statusor.h"
#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/views/position_money.h"

namespace engine {
namespace {

constexpr int64_t kMinuteNanos = int64_t{60} * 1'000'000'000;
constexpr int64_t kMinutesOfDay = 24 * 60;

int64_t MinuteOf(Timestamp time) {
  const int64_t minute = time.nanos() / kMinuteNanos;
  return time.nanos() % kMinuteNanos < 0 ? minute - 1 : minute;
}

}  // namespace

MarketStatsView::Market* MarketStatsView::FindMutable(MarketId market) {
  const uint32_t place = places_.Find(market.value());
  return place == IdTable::kNone ? nullptr : &markets_[place];
}

const MarketStats* MarketStatsView::Find(MarketId market) const {
  const uint32_t place = places_.Find(market.value());
  return place == IdTable::kNone ? nullptr : &markets_[place].stats;
}

void MarketStatsView::Define(const Command& command, Bytes attachment) {
  const absl::StatusOr<MarketDefinition> definition = DecodeMarketDefinition(attachment);
  if (!definition.ok() || Find(command.market) != nullptr) return;
  places_.Set(command.market.value(), static_cast<uint32_t>(markets_.size()));
  Market& market = markets_.emplace_back();
  market.micros_per_unit = ContractUnits::Of(*definition).micros_per_unit;
  MarketStats& stats = market.stats;
  stats.market = command.market;
  stats.kind = definition->kind;
  stats.state = definition->starts_unopened ? MarketState::kUnopened : MarketState::kOpen;
  stats.defined_at = command.timestamp;
  if (!definition->starts_unopened) stats.opened_at = command.timestamp;
  stats.changed_at = command.timestamp;
}

void MarketStatsView::OnEvents(const Command& command, Bytes attachment,
                               std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == EventKind::kMarketDefined) Define(command, attachment);
    if (event.kind == EventKind::kPosition) Position(command, event);
    Market* const market = IsAboutMarket(event.kind) ? FindMutable(event.market) : nullptr;
    if (market == nullptr) continue;
    MarketStats& stats = market->stats;
    switch (event.kind) {
      case EventKind::kTrade:
        Trade(*market, event, command.timestamp);
        break;
      case EventKind::kMarketState:
        State(stats, event.market_state(), command.timestamp);
        break;
      case EventKind::kDetermined:
        stats.settlement_value = event.price;
        stats.changed_at = command.timestamp;
        break;
      default:
        stats.changed_at = command.timestamp;  // Its fees.
        break;
    }
  }
}

bool MarketStatsView::IsAboutMarket(EventKind kind) {
  return kind == EventKind::kTrade || kind == EventKind::kMarketState ||
         kind == EventKind::kDetermined || kind == EventKind::kFeesSet;
}

void MarketStatsView::State(MarketStats& stats, MarketState state, Timestamp time) {
  stats.state = state;
  stats.changed_at = time;
  if (state == MarketState::kOpen && stats.opened_at == Timestamp()) stats.opened_at = time;
  if (state == MarketState::kClosed) stats.closed_at = time;
  if (state == MarketState::kDetermined) stats.determined_at = time;
  if (state == MarketState::kSettled) stats.settled_at = time;
}

void MarketStatsView::Trade(Market& market, const Event& event, Timestamp time) {
  MarketStats& stats = market.stats;
  ++stats.trade_count;
  stats.traded_at = time;
  stats.last_price = event.price;
  stats.last_size = event.quantity;
  stats.volume += event.quantity;
  // In an equity market quantity × price may not fit.
  const int64_t each = event.price.units() * market.micros_per_unit;
  stats.dollar_volume = AddUpTo(
      stats.dollar_volume, Money::FromMicros(static_cast<int64_t>(event.quantity.units()) * each));
  Forget(market, time);
  const int64_t minute = MinuteOf(time);
  if (market.minutes.empty() || market.minutes.back().number != minute) {
    market.minutes.push_back({.number = minute, .volume = {}, .close = {}});
  }
  market.minutes.back().volume += event.quantity;
  market.minutes.back().close = event.price;
  market.volume_24h += event.quantity;
}

// The open interest is the sum of the positions above zero.
void MarketStatsView::Position(const Command& command, const Event& event) {
  Market* const market = FindMutable(event.market);
  if (market == nullptr) return;
  int64_t& held = positions_[{event.account, event.market}];
  const auto contracts = [](int64_t position) {
    return Quantity::FromUnits(static_cast<uint64_t>(std::max<int64_t>(position, 0)));
  };
  market->stats.open_interest += contracts(event.position());
  market->stats.open_interest -= contracts(held);
  held = event.position();
  if (held == 0 && command.kind == CommandKind::kSettleMarket) {
    positions_.erase({event.account, event.market});
  }
}

// What is a day old leaves; the last price before it stays.
void MarketStatsView::Forget(Market& market, Timestamp now) {
  const int64_t first = MinuteOf(now) - kMinutesOfDay;
  while (!market.minutes.empty() && market.minutes.front().number <= first) {
    market.volume_24h -= market.minutes.front().volume;
    market.previous_price = market.minutes.front().close;
    market.minutes.pop_front();
  }
}

MarketDay MarketStatsView::DayOf(MarketId id, Timestamp now) const {
  const uint32_t place = places_.Find(id.value());
  if (place == IdTable::kNone) return {};
  const Market& market = markets_[place];
  MarketDay day = {.volume = market.volume_24h, .previous_price = market.previous_price};
  const int64_t first = MinuteOf(now) - kMinutesOfDay;
  for (const Minute& minute : market.minutes) {
    if (minute.number > first) break;
    day.volume -= minute.volume;
    day.previous_price = minute.close;
  }
  return day;
}

}  // namespace engine
