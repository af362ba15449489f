// Kalshi's API of a venue: its gateway with what the venue file says, live or replayed.

#ifndef TOOLS_SERVE_KALSHI_SERVICE_H_
#define TOOLS_SERVE_KALSHI_SERVICE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/agents/agents.h"
#include "engine/gateway/conversation_recorder.h"
#include "engine/gateway/kalshi/api.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/kalshi/recorded_host.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "journal/uuid.h"
#include "tools/serve/kalshi_users.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class KalshiService final : private engine::KalshiHost {
 public:
  // `host` knows the state of the journal; `agents` may be null, as may `log`, which gets the rows
  // of the conversation.
  KalshiService(const VenueConfig& config, engine::Venue& venue,
                const engine::TextSessionHost& host, const engine::MarketDirectory& markets,
                engine::Agents* agents, engine::ConversationLog* log);

  // Call it before the first session. `clock`: the time of day.
  void Start(const journal::Uuid& journal, engine::Clock& clock);

  engine::KalshiGateway& gateway() { return *gateway_; }
  // For the network: the gateway, or its recorder.
  engine::SessionGateway& sessions() {
    return recorder_.has_value() ? static_cast<engine::SessionGateway&>(*recorder_) : *gateway_;
  }
  // KalshiGateway::Inject.
  absl::Status Inject(absl::string_view fault, absl::string_view parameters,
                      absl::string_view moment);

 private:
  engine::Timestamp Now() override { return clock_->Now(); }
  absl::Status JournalStatus() const override { return host_.JournalStatus(); }
  bool IsOperator(absl::string_view authorization) override;
  bool has_agents() const override { return agents_ != nullptr; }
  void ShowPercent(int percent) override { agents_->ShowPercent(percent); }

  const engine::TextSessionHost& host_;
  engine::Agents* const agents_;
  const std::string authorization_;  // Of an operator.
  engine::Clock* clock_ = nullptr;
  KalshiUsers users_;
  const engine::KalshiCatalogue catalogue_;
  std::optional<engine::RecordedKalshiHost> recorded_;  // Both, or neither.
  std::unique_ptr<engine::KalshiGateway> gateway_;
  std::optional<engine::ConversationRecorder> recorder_;
};

// What the rows of a conversation know.
class KalshiWitness {
 public:
  virtual ~KalshiWitness() = default;
  // The time of the row that is handled.
  virtual engine::Timestamp Now() = 0;
  // Whether the next signature or token held.
  virtual bool Proves() = 0;
};

// The same gateway in a replay, without keys and clocks. All references outlive it.
class ReplayedKalshi final : private engine::KalshiHost, private engine::KalshiUsers {
 public:
  ReplayedKalshi(const VenueConfig& config, bool takes_faults, engine::Venue& venue,
                 KalshiWitness& witness, const engine::MarketDirectory& markets,
                 const journal::Uuid& journal);

  engine::KalshiGateway& gateway() { return gateway_; }

 private:
  engine::Timestamp Now() override { return witness_.Now(); }
  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  bool IsOperator(absl::string_view) override { return witness_.Proves(); }
  bool has_agents() const override { return has_agents_; }
  std::optional<engine::AccountId> AccountOf(absl::string_view key_id) const override {
    return users_.AccountOf(key_id);
  }
  bool IsSigned(absl::string_view, absl::string_view, absl::string_view) override {
    return witness_.Proves();
  }
  const engine::KalshiTier& TierOf(engine::AccountId account) const override {
    return users_.TierOf(account);
  }

  KalshiWitness& witness_;
  const bool has_agents_;
  const tools::KalshiUsers users_;
  const engine::KalshiCatalogue catalogue_;
  engine::KalshiGateway gateway_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_KALSHI_SERVICE_H_
