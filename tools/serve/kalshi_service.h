// Kalshi's API of a venue: its gateway with what the venue file says.

#ifndef TOOLS_SERVE_KALSHI_SERVICE_H_
#define TOOLS_SERVE_KALSHI_SERVICE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/agents/agents.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "journal/uuid.h"
#include "tools/serve/kalshi_users.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class KalshiService final : private engine::KalshiHost {
 public:
  // `host` knows the state of the journal; `agents` may be null. `sim_token`: see KalshiOptions.
  KalshiService(const KalshiConfig& config, engine::Venue& venue,
                const engine::TextSessionHost& host, const engine::MarketDirectory& markets,
                engine::Agents* agents, absl::string_view sim_token);

  // Call it before the first session. `clock`: the time of day.
  void Start(const journal::Uuid& journal, engine::Clock& clock);

  engine::KalshiGateway& gateway() { return gateway_; }

 private:
  engine::Timestamp Now() override { return clock_->Now(); }
  absl::Status JournalStatus() const override { return host_.JournalStatus(); }
  bool ShowPercent(int percent) override {
    if (agents_ != nullptr) agents_->ShowPercent(percent);
    return agents_ != nullptr;
  }

  const engine::TextSessionHost& host_;
  engine::Agents* const agents_;
  engine::Clock* clock_ = nullptr;
  KalshiUsers users_;
  const engine::KalshiCatalogue catalogue_;
  engine::KalshiGateway gateway_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_KALSHI_SERVICE_H_
