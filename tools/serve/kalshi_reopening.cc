#include "tools/serve/kalshi_reopening.h"

#include "engine/gateway/kalshi/catalogue.h"
#include "engine/messages/kinds.h"

namespace tools {

KalshiReopening::KalshiReopening(const KalshiConfig& config, engine::Venue& venue) : venue_(venue) {
  for (const engine::KalshiMarket& market : config.markets) markets_.insert(market.id);
  venue.Add(*this);
}

absl::Status KalshiReopening::Before(const engine::Command& command) {
  if (command.kind != engine::CommandKind::kOpenMarket || !paused_.contains(command.market)) {
    return absl::OkStatus();
  }
  // The exchange refuses to open the market, but not to cancel.
  if (exchange_state_ != engine::ExchangeState::kActive) return absl::OkStatus();
  engine::Command cancel;
  cancel.kind = engine::CommandKind::kMassCancel;
  cancel.market = command.market;
  return venue_.Submit(cancel, {}, engine::Origin()).status();
}

void KalshiReopening::Note(std::span<const engine::Event> events) {
  for (const engine::Event& event : events) {
    if (event.kind == engine::EventKind::kExchangeState) exchange_state_ = event.exchange_state();
    if (event.kind != engine::EventKind::kMarketState || !markets_.contains(event.market)) continue;
    if (event.market_state() == engine::MarketState::kPaused) {
      paused_.insert(event.market);
    } else {
      paused_.erase(event.market);
    }
  }
}

}  // namespace tools
