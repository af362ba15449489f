#include "engine/messages/names.h"

#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/messages/fields.h"

namespace engine {
namespace {

template <typename Infos>
constexpr auto NamesIn(const Infos& infos) {
  std::array<absl::string_view, std::tuple_size_v<Infos>> names;
  for (size_t kind = 0; kind < infos.size(); ++kind) names[kind] = infos[kind].name;
  return names;
}

constexpr auto kCommandKindNames = NamesIn(kCommandKinds);
constexpr auto kEventKindNames = NamesIn(kEventKinds);
constexpr std::array<absl::string_view, 3> kSides = {"", "bid", "ask"};
constexpr std::array<absl::string_view, 3> kOrderTypes = {"", "limit", "market"};
constexpr std::array<absl::string_view, 6> kTimesInForce = {"", "gtc", "ioc", "fok", "gtt", "day"};
constexpr std::array<absl::string_view, 4> kSelfTradePreventions = {"none", "taker", "maker",
                                                                    "both"};
constexpr std::array<absl::string_view, 2> kMarketKinds = {"equity", "binary"};
constexpr std::array<absl::string_view, 7> kMarketStates = {
    "", "unopened", "open", "paused", "closed", "determined", "settled"};
constexpr std::array<absl::string_view, 4> kExchangeStates = {"", "active", "paused", "halted"};
constexpr std::array<absl::string_view, 3> kAccountStandings = {"", "active", "suspended"};

}  // namespace

Names NamesOf(CommandKind) { return kCommandKindNames; }
Names NamesOf(EventKind) { return kEventKindNames; }
Names NamesOf(Side) { return kSides; }
Names NamesOf(OrderType) { return kOrderTypes; }
Names NamesOf(TimeInForce) { return kTimesInForce; }
Names NamesOf(SelfTradePrevention) { return kSelfTradePreventions; }
Names NamesOf(MarketKind) { return kMarketKinds; }
Names NamesOf(MarketState) { return kMarketStates; }
Names NamesOf(ExchangeState) { return kExchangeStates; }
Names NamesOf(AccountStanding) { return kAccountStandings; }
Names NamesOf(RejectReason) { return kRejectReasonNames; }
Names NamesOf(CancelReason) { return kCancelReasonNames; }
Names NamesOf(PriorityOutcome) { return kPriorityOutcomeNames; }

std::string NameIn(Names names, uint64_t number) {
  if (number < names.size() && !names[number].empty()) return std::string(names[number]);
  return absl::StrCat(number);
}

bool ParseNameIn(Names names, absl::string_view text, uint64_t max, uint64_t& number) {
  uint64_t value = 0;
  if (ParseInteger(text, value)) {
    if (value > max) return false;
    number = value;
    return true;
  }
  for (; value < names.size(); ++value) {
    if (text.empty() || names[value] != text) continue;
    number = value;
    return true;
  }
  return false;
}

}  // namespace engine
