#include "engine/views/trade_tape.h"

namespace engine {

uint64_t& TradeTape::NewestOf(MarketId market) {
  uint32_t place = places_.Find(market.value());
  if (place == IdTable::kNone) {
    place = static_cast<uint32_t>(newest_.size());
    newest_.push_back(0);
    places_.Set(market.value(), place);
  }
  return newest_[place];
}

void TradeTape::OnEvents(const Command& command, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != EventKind::kTrade) continue;
    trades_.Add({.sequence = event.sequence,
                 .index = event.index,
                 .market = event.market,
                 .time = command.timestamp,
                 .price = event.price,
                 .quantity = event.quantity,
                 .taker_side = TakerSideOf(event)},
                NewestOf(event.market));
  }
}

Page<TapeTrade> TradeTape::Trades(MarketId market, const TimeRange& range,
                                  const PageRequest& request) const {
  const auto matches = [&](const TapeTrade& trade) {
    return (market == MarketId() || trade.market == market) && range.Contains(trade.time);
  };
  const auto is_past = [&](const TapeTrade& trade) { return trade.time < range.since; };
  if (market == MarketId()) {
    return trades_.PageFrom(
        request.from == 0 ? last() : request.from, request.limit,
        [](uint64_t number) { return number - 1; }, matches, is_past);
  }
  const uint32_t place = places_.Find(market.value());
  if (place == IdTable::kNone) return {};
  return trades_.PageFrom(
      request.from == 0 ? newest_[place] : request.from, request.limit,
      [&](uint64_t number) { return trades_.OlderOf(number); }, matches, is_past);
}

}  // namespace engine
