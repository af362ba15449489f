#include "tools/serve/kalshi_service.h"

#include <cstdint>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

engine::KalshiOptions OptionsOf(const KalshiConfig& config, absl::string_view sim_token) {
  engine::KalshiOptions options;
  options.signature_window_nanos = config.signature_window_seconds * kSecondNanos;
  options.connections_per_user_max = config.connections_per_user_max;
  options.sim_token = std::string(sim_token);
  return options;
}

}  // namespace

KalshiService::KalshiService(const KalshiConfig& config, engine::Venue& venue,
                             const engine::TextSessionHost& host,
                             const engine::MarketDirectory& markets, engine::Agents* agents,
                             absl::string_view sim_token)
    : host_(host),
      agents_(agents),
      users_(config),
      catalogue_(config.series, config.events, config.markets),
      gateway_(venue, *this, users_, catalogue_, markets, OptionsOf(config, sim_token)) {}

void KalshiService::Start(const journal::Uuid& journal, engine::Clock& clock) {
  clock_ = &clock;
  gateway_.SetJournal({.low = engine::LoadLittleEndian<uint64_t>(journal.bytes.data()),
                       .high = engine::LoadLittleEndian<uint64_t>(journal.bytes.data() + 8)});
}

}  // namespace tools
