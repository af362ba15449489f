#include "engine/gateway/ouch/order_rules.h"

#include "engine/gateway/ouch/units.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/ouch/codec.h"

namespace engine {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr absl::string_view kDisplays = "YAPL";
constexpr absl::string_view kPostOnlyDisplays = "PL";

bool IsOneOf(char letter, absl::string_view letters) {
  return letters.find(letter) != absl::string_view::npos;
}

// The expiry of an order that rests; nullopt if it has none.
std::optional<Timestamp> ExpiryOf(uint32_t time_in_force, Timestamp now) {
  if (time_in_force >= ouch::kMarketHours) return std::nullopt;
  return Timestamp::FromNanos(now.nanos() + time_in_force * kSecondNanos);
}

// Sets the time in force of an order. Returns false if there is no such.
bool SetTimeInForce(const ouch::EnterOrder& order, Timestamp now, Command& command) {
  if (order.time_in_force > ouch::kSystemHours) return false;
  if (order.time_in_force == ouch::kImmediateOrCancel) {
    command.tif =
        order.minimum_quantity == 0 ? TimeInForce::kImmediateOrCancel : TimeInForce::kFillOrKill;
  } else if (order.time_in_force == ouch::kMarketHours) {
    command.tif = TimeInForce::kDay;
  } else if (order.time_in_force == ouch::kSystemHours) {
    command.tif = TimeInForce::kGoodTillCancelled;
  } else {
    command.tif = TimeInForce::kGoodTillTime;
    command.set_expires_at(*ExpiryOf(order.time_in_force, now));
  }
  return true;
}

// Sets the type and the price. Returns false if there is no such price.
bool SetPrice(const ouch::EnterOrder& order, const MarketDefinition& market, Command& command) {
  if (order.price == ouch::kMarketPrice) {
    command.type = OrderType::kMarket;
    return order.time_in_force == ouch::kImmediateOrCancel;
  }
  const std::optional<Price> price = FromOuchPrice(order.price, market);
  if (!price.has_value()) return false;
  command.type = OrderType::kLimit;
  command.price = *price;
  return true;
}

// What the engine reads nothing of.
bool HasKnownLetters(const ouch::EnterOrder& order) {
  return (order.side == 'B' || IsSale(order.side)) && IsOneOf(order.capacity, "APRO") &&
         IsOneOf(order.intermarket_sweep, "YN") && IsOneOf(order.customer_type, "RN ");
}

}  // namespace

std::variant<Command, OuchRefusal> CommandOf(const ouch::EnterOrder& order,
                                             const MarketDefinition* market, absl::string_view firm,
                                             Timestamp now) {
  if (market == nullptr) return OuchRefusal::kStock;
  if (!ouch::TextOf(order.firm).empty() && ouch::TextOf(order.firm) != firm) {
    return OuchRefusal::kFirm;
  }
  if (ouch::TextOf(order.token).empty() || !HasKnownLetters(order)) return OuchRefusal::kOther;
  if (!IsOneOf(order.display, kDisplays)) return OuchRefusal::kDisplay;
  if (order.cross_type != 'N') return OuchRefusal::kCrossType;
  if (order.minimum_quantity != 0 &&
      (order.minimum_quantity != order.shares || order.time_in_force != ouch::kImmediateOrCancel)) {
    return OuchRefusal::kMinimumQuantity;
  }
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.market = market->id;
  command.side = order.side == 'B' ? Side::kBid : Side::kAsk;
  command.quantity = FromOuchShares(order.shares, *market);
  if (IsOneOf(order.display, kPostOnlyDisplays)) command.flags = OrderFlags().WithPostOnly();
  if (!SetTimeInForce(order, now, command)) return OuchRefusal::kOther;
  if (!SetPrice(order, *market, command)) return OuchRefusal::kPrice;
  return command;
}

std::optional<OuchReplacement> ReplacementOf(const ouch::ReplaceOrder& request,
                                             const OuchOrder& order, Timestamp now) {
  const bool was_day = order.terms.time_in_force == ouch::kMarketHours;
  const bool is_day = request.time_in_force == ouch::kMarketHours;
  const bool was_post_only = IsOneOf(order.terms.display, kPostOnlyDisplays);
  const bool is_post_only = IsOneOf(request.display, kPostOnlyDisplays);
  const std::optional<Price> price = FromOuchPrice(request.price, *order.market);
  if (ouch::TextOf(request.replacement_token).empty() || request.shares <= order.executed ||
      request.minimum_quantity != 0 || request.time_in_force == ouch::kImmediateOrCancel ||
      request.time_in_force > ouch::kSystemHours || was_day != is_day ||
      was_post_only != is_post_only || !IsOneOf(request.display, kDisplays) ||
      !IsOneOf(request.intermarket_sweep, "YN") || request.price == ouch::kMarketPrice ||
      !price.has_value()) {
    return std::nullopt;
  }
  OuchReplacement replacement;
  Command& replace = replacement.replace;
  replace.kind = CommandKind::kReplace;
  replace.market = order.market->id;
  replace.order_id = order.id;
  replace.price = *price;
  replace.quantity = FromOuchShares(request.shares - order.executed, *order.market);
  const std::optional<Timestamp> expiry = ExpiryOf(request.time_in_force, now);
  if (expiry.has_value() || ExpiryOf(order.terms.time_in_force, now).has_value()) {
    Command command;
    command.kind = CommandKind::kSetExpiry;
    command.market = order.market->id;
    command.order_id = order.id;
    command.set_new_expiry(expiry.value_or(Timestamp()));
    replacement.set_expiry = command;
  }
  return replacement;
}

OuchRefusal OuchRefusalOf(RejectReason reason) {
  switch (reason) {
    case RejectReason::kExchangePaused:
    case RejectReason::kExchangeHalted:
    case RejectReason::kMarketPaused:
      return OuchRefusal::kHalted;
    case RejectReason::kMarketNotOpen:
      return OuchRefusal::kClosed;
    case RejectReason::kUnknownMarket:
      return OuchRefusal::kStock;
    case RejectReason::kPriceOutOfBand:
    case RejectReason::kPriceOffTick:
    case RejectReason::kPriceOnMarketOrder:
      return OuchRefusal::kPrice;
    case RejectReason::kQuantityAboveMaximum:
    case RejectReason::kRiskOrderQuantity:
    case RejectReason::kRiskOrderNotional:
      return OuchRefusal::kShares;
    default:
      return OuchRefusal::kOther;
  }
}

char OuchLetterOf(CancelReason reason) {
  switch (reason) {
    case CancelReason::kImmediateOrCancel:
    case CancelReason::kFillOrKill:
      return 'I';
    case CancelReason::kExpired:
    case CancelReason::kMarketClosed:
      return 'T';
    case CancelReason::kPostOnly:
      return 'G';
    case CancelReason::kMarketPaused:
      return 'H';
    case CancelReason::kSelfTrade:
      return 'Q';
    default:
      return 'S';
  }
}

}  // namespace engine
