#include "engine/messages/names.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"

namespace engine {
namespace {

// Names in numerical order; an empty one stands for a number without a name.
using Names = std::span<const absl::string_view>;

constexpr std::array<absl::string_view, 25> kCommandKinds = {"",
                                                             "define_market",
                                                             "new_order",
                                                             "cancel",
                                                             "reduce",
                                                             "replace",
                                                             "amend",
                                                             "advance_time",
                                                             "reduce_to",
                                                             "mass_cancel",
                                                             "open_market",
                                                             "pause_market",
                                                             "close_market",
                                                             "determine_market",
                                                             "settle_market",
                                                             "resume_exchange",
                                                             "pause_exchange",
                                                             "halt_exchange",
                                                             "open_account",
                                                             "deposit",
                                                             "withdraw",
                                                             "set_risk_limits",
                                                             "set_fees",
                                                             "define_group",
                                                             "reset_group"};
constexpr std::array<absl::string_view, 22> kEventKinds = {"",
                                                           "market_defined",
                                                           "accepted",
                                                           "trade",
                                                           "cancelled",
                                                           "reduced",
                                                           "replaced",
                                                           "amended",
                                                           "time_advanced",
                                                           "rejected",
                                                           "market_state",
                                                           "determined",
                                                           "exchange_state",
                                                           "account_opened",
                                                           "balance",
                                                           "position",
                                                           "limits_set",
                                                           "fees_set",
                                                           "group_defined",
                                                           "group_reset",
                                                           "group_tripped",
                                                           "mass_cancelled"};
constexpr std::array<absl::string_view, 3> kSides = {"", "bid", "ask"};
constexpr std::array<absl::string_view, 3> kOrderTypes = {"", "limit", "market"};
constexpr std::array<absl::string_view, 6> kTimesInForce = {"", "gtc", "ioc", "fok", "gtt", "day"};
constexpr std::array<absl::string_view, 4> kSelfTradePreventions = {"none", "taker", "maker",
                                                                    "both"};
constexpr std::array<absl::string_view, 2> kMarketKinds = {"equity", "binary"};
constexpr std::array<absl::string_view, 7> kMarketStates = {
    "", "unopened", "open", "paused", "closed", "determined", "settled"};
constexpr std::array<absl::string_view, 4> kExchangeStates = {"", "active", "paused", "halted"};
static_assert(kCommandKinds.size() == static_cast<size_t>(kLastCommandKind) + 1);
static_assert(kEventKinds.size() == static_cast<size_t>(kLastEventKind) + 1);

template <typename Enum>
absl::string_view KnownName(Names names, Enum value) {
  const auto number = static_cast<std::underlying_type_t<Enum>>(value);
  return number < names.size() ? names[number] : absl::string_view();
}

template <typename Enum>
std::string Name(Names names, Enum value) {
  const absl::string_view known = KnownName(names, value);
  if (!known.empty()) return std::string(known);
  return absl::StrCat(static_cast<std::underlying_type_t<Enum>>(value));
}

template <typename Enum>
bool Parse(Names names, absl::string_view name, Enum& value) {
  using Number = std::underlying_type_t<Enum>;
  uint32_t number = 0;
  if (ParseInteger(name, number)) {
    value = static_cast<Enum>(number);
    return number <= std::numeric_limits<Number>::max();
  }
  for (; number < names.size(); ++number) {
    if (!name.empty() && names[number] == name) {
      value = static_cast<Enum>(number);
      return true;
    }
  }
  return false;
}

}  // namespace

std::string NameOf(CommandKind kind) { return Name(kCommandKinds, kind); }
std::string NameOf(EventKind kind) { return Name(kEventKinds, kind); }
std::string NameOf(Side side) { return Name(kSides, side); }
std::string NameOf(OrderType type) { return Name(kOrderTypes, type); }
std::string NameOf(TimeInForce tif) { return Name(kTimesInForce, tif); }
std::string NameOf(RejectReason reason) { return Name(kRejectReasonNames, reason); }
std::string NameOf(CancelReason reason) { return Name(kCancelReasonNames, reason); }
std::string NameOf(PriorityOutcome outcome) { return Name(kPriorityOutcomeNames, outcome); }
std::string NameOf(SelfTradePrevention prevention) {
  return Name(kSelfTradePreventions, prevention);
}
std::string NameOf(MarketKind kind) { return Name(kMarketKinds, kind); }
std::string NameOf(MarketState state) { return Name(kMarketStates, state); }
std::string NameOf(ExchangeState state) { return Name(kExchangeStates, state); }

absl::string_view KnownNameOf(RejectReason reason) { return KnownName(kRejectReasonNames, reason); }
absl::string_view KnownNameOf(CancelReason reason) { return KnownName(kCancelReasonNames, reason); }
absl::string_view KnownNameOf(PriorityOutcome outcome) {
  return KnownName(kPriorityOutcomeNames, outcome);
}

bool ParseName(absl::string_view name, CommandKind& kind) {
  return Parse(kCommandKinds, name, kind);
}
bool ParseName(absl::string_view name, EventKind& kind) { return Parse(kEventKinds, name, kind); }
bool ParseName(absl::string_view name, Side& side) { return Parse(kSides, name, side); }
bool ParseName(absl::string_view name, OrderType& type) { return Parse(kOrderTypes, name, type); }
bool ParseName(absl::string_view name, TimeInForce& tif) { return Parse(kTimesInForce, name, tif); }
bool ParseName(absl::string_view name, RejectReason& reason) {
  return Parse(kRejectReasonNames, name, reason);
}
bool ParseName(absl::string_view name, CancelReason& reason) {
  return Parse(kCancelReasonNames, name, reason);
}
bool ParseName(absl::string_view name, PriorityOutcome& outcome) {
  return Parse(kPriorityOutcomeNames, name, outcome);
}
bool ParseName(absl::string_view name, SelfTradePrevention& prevention) {
  return Parse(kSelfTradePreventions, name, prevention);
}
bool ParseName(absl::string_view name, MarketKind& kind) { return Parse(kMarketKinds, name, kind); }
bool ParseName(absl::string_view name, MarketState& state) {
  return Parse(kMarketStates, name, state);
}
bool ParseName(absl::string_view name, ExchangeState& state) {
  return Parse(kExchangeStates, name, state);
}

}  // namespace engine
