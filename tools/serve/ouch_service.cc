#include "tools/serve/ouch_service.h"

namespace tools {

OuchService::OuchService(const OuchConfig& config, engine::Venue& venue,
                         const engine::TextSessionHost& host,
                         const engine::MarketDirectory& markets)
    : host_(host),
      gateway_(venue, *this,
               {.logins = config.logins, .markets = {config.markets.begin(), config.markets.end()}},
               markets) {}

absl::Status OuchService::Start(journal::AckPolicy ack, engine::Clock& clock) {
  clock_ = &clock;
  return gateway_.Start(/*may_lose_tail=*/ack == journal::AckPolicy::kNone);
}

}  // namespace tools
