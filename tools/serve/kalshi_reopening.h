// Kalshi cancels all orders of a market that is active again after a pause. The engine's rules let
// them rest, so the venue records the cancels, as a command of its own.
//
//   operator: open_market ─► Before() ─► mass_cancel of the market ─► journal
//                        └─► open_market ───────────────────────────► journal

#ifndef TOOLS_SERVE_KALSHI_REOPENING_H_
#define TOOLS_SERVE_KALSHI_REOPENING_H_

#include <span>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread that submits. All references outlive it. Only operators open
// a market again: a schedule opens it once.
class KalshiReopening final : public engine::Gateway {
 public:
  // For the markets of `config`.
  KalshiReopening(const KalshiConfig& config, engine::Venue& venue);

  // A command of the journal that is resumed, by its events, in order.
  void OnHistory(std::span<const engine::Event> events) { Note(events); }

  // Call it before an operator's command is submitted. Errors: the sink's.
  absl::Status Before(const engine::Command& command);

  void OnApplied(const engine::Command&, std::span<const engine::Event> events,
                 const engine::Origin&) override {
    Note(events);
  }
  void OnReleased(const engine::Command&, std::span<const engine::Event>,
                  const engine::Origin&) override {}

 private:
  void Note(std::span<const engine::Event> events);

  engine::Venue& venue_;
  absl::flat_hash_set<engine::MarketId> markets_;
  absl::flat_hash_set<engine::MarketId> paused_;  // Of them.
  engine::ExchangeState exchange_state_ = engine::ExchangeState::kActive;
};

}  // namespace tools

#endif  // TOOLS_SERVE_KALSHI_REOPENING_H_
