// OUCH of a venue: its gateway with what the venue file says.

#ifndef TOOLS_SERVE_OUCH_SERVICE_H_
#define TOOLS_SERVE_OUCH_SERVICE_H_

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/ouch/ouch_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "journal/ack_policy.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class OuchService final : private engine::OuchHost {
 public:
  // `host` knows the state of the journal.
  OuchService(const OuchConfig& config, engine::Venue& venue, const engine::TextSessionHost& host,
              const engine::MarketDirectory& markets);

  // Call it once, after the history and before the first session. `clock`: the time of day. Errors:
  // those of the journal.
  absl::Status Start(journal::AckPolicy ack, engine::Clock& clock);

  engine::OuchGateway& gateway() { return gateway_; }

 private:
  engine::Timestamp Now() override { return clock_->Now(); }
  absl::Status JournalStatus() const override { return host_.JournalStatus(); }

  const engine::TextSessionHost& host_;
  engine::Clock* clock_ = nullptr;
  engine::OuchGateway gateway_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_OUCH_SERVICE_H_
