// The native protocol of a venue: its gateway with what the venue file says.

#ifndef TOOLS_SERVE_NATIVE_SERVICE_H_
#define TOOLS_SERVE_NATIVE_SERVICE_H_

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/native/native_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "journal/ack_policy.h"
#include "journal/uuid.h"
#include "tools/os/clocks.h"
#include "tools/os/tick_time.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class NativeService final : private engine::NativeHost {
 public:
  // `host` knows the state of the journal.
  NativeService(const NativeConfig& config, engine::Venue& venue,
                const engine::TextSessionHost& host);

  // Call it once, after the history and before the first session. `clock`: the time of day.
  void Start(const journal::Uuid& journal, journal::AckPolicy ack, engine::Clock& clock);

  engine::NativeGateway& gateway() { return gateway_; }

 private:
  engine::Timestamp StampNow() override { return stamps_.Now(); }
  absl::Status JournalStatus() const override { return host_.JournalStatus(); }

  const engine::TextSessionHost& host_;
  SystemClock system_;
  TickTime stamps_;
  engine::NativeGateway gateway_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_NATIVE_SERVICE_H_
