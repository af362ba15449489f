#include "tools/serve/venue_settings.h"

#include <algorithm>
#include <functional>
#include <map>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/quantity.h"
#include "engine/views/login_setting.h"

namespace tools {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;

namespace {

// Coefficients in 10^-4.
engine::FeeSchedule FeesOf(const engine::KalshiSeries& series) {
  constexpr uint32_t kTaker = 700;
  constexpr uint32_t kMaker = 175;
  constexpr uint32_t kComboMaker = 350;
  if (series.fee_type == "flat") return {};
  engine::FeeSchedule fees = {.taker_coefficient = kTaker, .multiplier = series.fee_multiplier};
  if (series.fee_type == "quadratic_with_maker_fees") fees.maker_coefficient = kMaker;
  if (series.fee_type == "quadratic_with_combo_maker_fees") fees.maker_coefficient = kComboMaker;
  return fees;
}

}  // namespace

VenueSettings::VenueSettings(const VenueConfig& config, engine::Venue& venue,
                             engine::MarketDirectory& markets)
    : config_(config), venue_(venue), markets_(markets), number_(venue.Add(*this)) {}

void VenueSettings::OnHistory(engine::Bytes attachment, std::span<const Event> events) {
  if (events.back().kind != EventKind::kMarketDefined) return;  // Expiries may precede it.
  const auto definition = engine::DecodeMarketDefinition(attachment);
  if (definition.ok()) markets_.Add(*definition);
}

void VenueSettings::OnApplied(const Command&, std::span<const Event> events,
                              const engine::Origin& origin) {
  if (origin.gateway != number_) return;
  const Event& last = events.back();
  refusal_ = last.kind == EventKind::kRejected ? NameOf(last.reject_reason()) : "";
}

absl::Status VenueSettings::Apply() {
  for (const MarketConfig& market : config_.markets) RETURN_IF_ERROR(ApplyMarket(market));
  RETURN_IF_ERROR(ApplyFees());
  for (const AccountConfig& account : config_.accounts) RETURN_IF_ERROR(ApplyAccount(account));
  for (const LoginConfig& login : config_.logins) RETURN_IF_ERROR(ApplyLogin(login));
  std::ranges::stable_sort(schedule_, std::ranges::greater(),
                           [](const Pending& pending) { return pending.action.at; });
  return absl::OkStatus();
}

absl::Status VenueSettings::ApplyMarket(const MarketConfig& market) {
  const engine::MarketDefinition& definition = market.definition;
  const engine::MarketDefinition* const known = markets_.Find(definition.id);
  const std::string what = absl::StrCat("market ", definition.symbol);
  if (known == nullptr) {
    Command command;
    command.kind = CommandKind::kDefineMarket;
    command.market = definition.id;
    RETURN_IF_ERROR(Submit(command, EncodeMarketDefinition(definition), what));
    markets_.Add(definition);
  } else if (*known != definition) {
    return absl::FailedPreconditionError(
        absl::StrCat(what, ": the journal has another definition of market ", definition.id.value(),
                     ", ", known->symbol, "; a market's definition never changes: use a new id"));
  }
  // In reverse: actions of one time keep their order in a list whose end is the next one.
  for (auto action = market.schedule.rbegin(); action != market.schedule.rend(); ++action) {
    if (venue_.memory().IsDone(definition.id, action->kind)) continue;
    schedule_.push_back({.market = definition.id, .action = *action});
  }
  return absl::OkStatus();
}

absl::Status VenueSettings::ApplyFees() {
  std::map<absl::string_view, engine::FeeSchedule> of_series;
  for (const engine::KalshiSeries& each : config_.kalshi.series) {
    of_series[each.ticker] = FeesOf(each);
  }
  std::map<absl::string_view, engine::FeeSchedule> of_event;
  for (const engine::KalshiEvent& each : config_.kalshi.events) {
    of_event[each.ticker] = of_series.at(each.series);
  }
  for (const engine::KalshiMarket& market : config_.kalshi.markets) {
    const engine::FeeSchedule& wanted = of_event.at(market.event);
    if (venue_.memory().FeesOf(market.id) == wanted) continue;
    Command command;
    command.kind = CommandKind::kSetFees;
    command.market = market.id;
    RETURN_IF_ERROR(Submit(command, EncodeFeeSchedule(wanted),
                           absl::StrCat("fees of market ", market.id.value())));
  }
  return absl::OkStatus();
}

absl::Status VenueSettings::ApplyAccount(const AccountConfig& account) {
  const std::string what = absl::StrCat("account ", account.id.value());
  Command command;
  command.account = account.id;
  const engine::VenueMemory::Account known = venue_.memory().AccountOf(account.id);
  if (!known.is_open) {
    command.kind = CommandKind::kOpenAccount;
    RETURN_IF_ERROR(Submit(command, {}, what));
  }
  if (account.money > engine::Money() && !known.is_funded) {
    Command deposit = command;
    deposit.kind = CommandKind::kDeposit;
    deposit.set_amount(account.money);
    RETURN_IF_ERROR(Submit(deposit, {}, absl::StrCat(what, ", money")));
  }
  const engine::RiskLimits wanted = account.limits.value_or(engine::RiskLimits());
  if (wanted != known.limits) {
    command.kind = CommandKind::kSetRiskLimits;
    RETURN_IF_ERROR(Submit(command, EncodeRiskLimits(wanted), absl::StrCat(what, ", limits")));
  }
  return ApplyPositionLimits(account);
}

absl::Status VenueSettings::ApplyPositionLimits(const AccountConfig& account) {
  auto known = venue_.memory().PositionLimitsOf(account.id);
  // Zero for those of the log, unless the file has them.
  std::map<engine::MarketId, engine::Quantity> wanted;
  for (const auto& [market, limit] : known) wanted.try_emplace(market);
  for (const PositionLimitConfig& each : account.position_limits) wanted[each.market] = each.limit;
  for (const auto& [market, limit] : wanted) {
    if (limit == known[market]) continue;
    Command command;
    command.kind = CommandKind::kSetPositionLimit;
    command.account = account.id;
    command.market = market;
    command.quantity = limit;
    RETURN_IF_ERROR(Submit(command, {},
                           absl::StrCat("account ", account.id.value(),
                                        ", position limit in market ", market.value())));
  }
  return absl::OkStatus();
}

// The log says nothing of a login that no operator has changed.
absl::Status VenueSettings::ApplyLogin(const LoginConfig& login) {
  const bool wanted = login.cancel_on_disconnect;
  if (venue_.memory().CancelsAtEnd(login.name).value_or(wanted) == wanted) return absl::OkStatus();
  Command command;
  command.kind = CommandKind::kNote;
  const engine::LoginSetting setting = {.login = login.name, .cancels_at_end = wanted};
  return Submit(command, EncodeNote(NoteOf(setting)), absl::StrCat("login ", login.name));
}

absl::Status VenueSettings::Submit(const Command& command, engine::Bytes attachment,
                                   const std::string& what) {
  const engine::Origin origin = {.gateway = number_, .session = 0, .generation = 0, .request = 0};
  RETURN_IF_ERROR(venue_.Submit(command, attachment, origin).status());
  if (refusal_.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the venue file, ", what, ": refused, ", refusal_));
}

engine::Timestamp VenueSettings::next_action() const {
  return schedule_.empty() ? engine::Timestamp::Max() : schedule_.back().action.at;
}

absl::Status VenueSettings::ActDue(engine::Timestamp now) {
  for (; next_action() <= now; schedule_.pop_back()) {
    const Pending& next = schedule_.back();
    if (next_action() == engine::Timestamp::Max()) return absl::OkStatus();
    if (venue_.memory().IsDone(next.market, next.action.kind)) continue;  // By an operator.
    Command command;
    command.kind = next.action.kind;
    command.market = next.market;
    command.price = next.action.value;
    const absl::Status sent = Submit(command, {}, "schedule");
    if (absl::IsResourceExhausted(sent)) return absl::OkStatus();
    // An operator has brought the market to where this has no place.
    if (!sent.ok() && refusal_.empty()) return sent;
  }
  return absl::OkStatus();
}

}  // namespace tools
