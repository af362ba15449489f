#include "engine/messages/names.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace engine {
namespace {

// Names in numerical order; an empty one stands for a number without a name.
using Names = std::span<const absl::string_view>;

constexpr std::array<absl::string_view, 8> kCommandKinds = {
    "", "define_market", "new_order", "cancel", "reduce", "replace", "amend", "advance_time"};
constexpr std::array<absl::string_view, 10> kEventKinds = {
    "",        "market_defined", "accepted", "trade",         "cancelled",
    "reduced", "replaced",       "amended",  "time_advanced", "rejected"};
constexpr std::array<absl::string_view, 3> kSides = {"", "bid", "ask"};
constexpr std::array<absl::string_view, 3> kOrderTypes = {"", "limit", "market"};
constexpr std::array<absl::string_view, 4> kTimesInForce = {"", "gtc", "ioc", "fok"};

template <typename Enum>
std::string Name(Names names, Enum value) {
  const auto number = static_cast<std::underlying_type_t<Enum>>(value);
  if (number < names.size() && !names[number].empty()) return std::string(names[number]);
  return absl::StrCat(number);
}

template <typename Enum>
bool Parse(Names names, absl::string_view name, Enum& value) {
  using Number = std::underlying_type_t<Enum>;
  uint32_t number = 0;
  if (absl::SimpleAtoi(name, &number)) {
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

}  // namespace engine
