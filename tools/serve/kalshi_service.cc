#include "tools/serve/kalshi_service.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/constant_time.h"
#include "engine/base/digest.h"
#include "engine/gateway/conversation.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

engine::KalshiOptions OptionsOf(const KalshiConfig& config, bool takes_faults) {
  engine::KalshiOptions options;
  options.signature_window_nanos = config.signature_window_seconds * kSecondNanos;
  options.connections_per_user_max = config.connections_per_user_max;
  options.sends_date = config.sends_date;
  options.takes_faults = takes_faults;
  return options;
}

engine::Digest DigestOf(const journal::Uuid& journal) {
  return {.low = engine::LoadLittleEndian<uint64_t>(journal.bytes.data()),
          .high = engine::LoadLittleEndian<uint64_t>(journal.bytes.data() + 8)};
}

}  // namespace

KalshiService::KalshiService(const VenueConfig& config, engine::Venue& venue,
                             const engine::TextSessionHost& host,
                             const engine::MarketDirectory& markets, engine::Agents* agents,
                             engine::ConversationLog* log)
    : host_(host),
      agents_(agents),
      authorization_(absl::StrCat("Bearer ", config.admin.token)),
      users_(config.kalshi),
      catalogue_(config.kalshi.series, config.kalshi.events, config.kalshi.markets) {
  engine::KalshiHost* its_host = this;
  engine::KalshiUsers* its_users = &users_;
  if (log != nullptr) {
    recorded_.emplace(*its_host, *its_users);
    its_host = &*recorded_;
    its_users = &*recorded_;
  }
  gateway_ = std::make_unique<engine::KalshiGateway>(
      venue, *its_host, *its_users, catalogue_, markets,
      OptionsOf(config.kalshi, config.kalshi.serves_sim && !config.admin.token.empty()));
  if (log == nullptr) return;
  recorder_.emplace(*log, *gateway_, engine::TalkGateway::kKalshi, engine::MakeHeaderMasks());
  recorded_->Connect(*recorder_);
}

void KalshiService::Start(const journal::Uuid& journal, engine::Clock& clock) {
  clock_ = &clock;
  gateway_->SetJournal(DigestOf(journal));
}

bool KalshiService::IsOperator(absl::string_view authorization) {
  return engine::EqualInConstantTime(authorization_, authorization);
}

absl::Status KalshiService::Inject(absl::string_view fault, absl::string_view parameters,
                                   absl::string_view moment) {
  if (recorder_.has_value()) {
    const std::string text = absl::StrCat(fault, "?", parameters, " ", moment);
    recorder_->Add(recorder_->RowOf(engine::TalkKind::kInjected, {}), engine::AsBytes(text));
  }
  return gateway_->Inject(fault, parameters, moment);
}

ReplayedKalshi::ReplayedKalshi(const VenueConfig& config, bool takes_faults, engine::Venue& venue,
                               KalshiWitness& witness, const engine::MarketDirectory& markets,
                               const journal::Uuid& journal)
    : witness_(witness),
      has_agents_(config.agents.has_value()),
      users_(config.kalshi),
      catalogue_(config.kalshi.series, config.kalshi.events, config.kalshi.markets),
      gateway_(venue, *this, *this, catalogue_, markets, OptionsOf(config.kalshi, takes_faults)) {
  gateway_.SetJournal(DigestOf(journal));
}

}  // namespace tools
