#include "engine/gateway/kalshi/views.h"

#include <utility>

#include "engine/messages/kinds.h"

namespace engine {

std::span<const DepthChange> KalshiViews::Fold(const Command& command, Bytes attachment,
                                               std::span<const Event> events) {
  time_ = command.timestamp;
  for (const Event& event : events) {
    if (event.kind == EventKind::kExchangeState) exchange_state_ = event.exchange_state();
    if (event.kind == EventKind::kAccepted) ++orders_;
  }
  stats_.OnEvents(command, attachment, events);
  tape_.OnEvents(command, events);
  candles_.OnEvents(command, events);
  portfolio_.OnEvents(command, attachment, events);
  depth_.OnEvents(command, events);
  const std::span<const DepthChange> changes = depth_.changes();
  MarketId quoted;
  const auto quote = [&](MarketId market) {
    if (std::exchange(quoted, market) != market) Quote(market, command.timestamp);
  };
  for (const DepthChange& change : changes) quote(change.market);
  // A settlement changes the open interest, and no depth.
  for (const Event& event : events) {
    if (event.kind == EventKind::kPosition) quote(event.market);
  }
  return changes;
}

void KalshiViews::Quote(MarketId market, Timestamp time) {
  const MarketStats* const stats = stats_.Find(market);
  candles_.OnQuotes(market, time,
                    {.bid = depth_.BestPrice(market, Side::kBid),
                     .ask = depth_.BestPrice(market, Side::kAsk),
                     .open_interest = stats == nullptr ? Quantity() : stats->open_interest});
}

}  // namespace engine
