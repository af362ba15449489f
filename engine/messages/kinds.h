// The kinds of commands and events: their numbers, and one table that gives each kind its name, the
// meaning of its words, and what it is about. To add a kind, add its number and its row.
//
//   new_order  order_id → order     price → price    names no order, makes one, concerns a market
//   deposit                         price → amount   names none, makes none, concerns no market
//   trade      order_id → maker     counter → taker  both are orders
//   balance    counter → balance    price → change   order_id is the order that caused it

#ifndef ENGINE_MESSAGES_KINDS_H_
#define ENGINE_MESSAGES_KINDS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace engine {

// What a field holds: its unit, or the enumeration that names its values.
enum class FieldType : uint8_t {
  kNumber,     // An id or another whole number.
  kCount,      // A count; zero is written, too.
  kOrder,      // The id of an order.
  kClientKey,  // The client's own number, which may use all 64 bits.
  kNanos,      // A signed time span.
  kTime,       // A Timestamp.
  kPrice,      // Signed; in the market's price unit.
  kQuantity,   // In the market's quantity unit.
  kPosition,   // Signed; in the market's quantity unit.
  kMoney,      // Signed; in 10^-6 dollar.
  kMarket,     // A MarketId; its text is the symbol.
  kFlags,      // OrderFlags.
  // From here on: enumerations. NamesOf(FieldType) lists them in this order, up to the last.
  kCommandKind,
  kEventKind,
  kSide,
  kOrderType,
  kTimeInForce,
  kRejectReason,
  kCancelReason,
  kPriorityOutcome,
  kMarketState,
  kExchangeState,
  kAccountStanding,
  kSelfTradePrevention,
  kMarketKind,
};

// What a word of a message means for one kind.
struct Meaning {
  absl::string_view name;
  FieldType type;
};

// What a command changes. An order command makes, changes or ends orders of a market; kTime is a
// command that changes nothing but the time, which every command does.
enum class Scope : uint8_t { kNone, kOrders, kTime, kMarket, kExchange, kAccount, kGroup };

// Do not renumber: in the journal. Each line lists the fields that the kind reads besides market
// and account. engine/RULES.md defines the effect of each.
enum class CommandKind : uint8_t {
  kDefineMarket = 1,  // The attachment: a MarketDefinition whose id is `market`.
  kNewOrder = 2,      // side, type, tif, price (limit), quantity, flags, group, expires_at (good
                      // till time). Its sequence becomes the order's id.
  kCancel = 3,        // order_id.
  kReduce = 4,        // order_id, quantity: the amount to remove.
  kReplace = 5,       // order_id, price, quantity: cancels it and adds one like it with a new id.
  kAmend = 6,         // order_id, price, quantity: the new total quantity, filled part included.
  kAdvanceTime = 7,   // Only its timestamp.
  kReduceTo = 8,      // order_id, quantity: the amount that remains.
  kMassCancel = 9,    // market, group, side: each is a filter if it is not zero.
  kOpenMarket = 10,   //
  kPauseMarket = 11,  //
  kCloseMarket = 12,  //
  kDetermineMarket = 13,   // price: the settlement value of one contract.
  kSettleMarket = 14,      //
  kResumeExchange = 15,    //
  kPauseExchange = 16,     //
  kHaltExchange = 17,      //
  kOpenAccount = 18,       //
  kDeposit = 19,           // amount.
  kWithdraw = 20,          // amount.
  kSetRiskLimits = 21,     // The attachment: RiskLimits.
  kSetFees = 22,           // The attachment: a FeeSchedule; market 0 is the default.
  kDefineGroup = 23,       // group, quantity: the limit; window.
  kResetGroup = 24,        // group.
  kSuspendAccount = 25,    //
  kResumeAccount = 26,     //
  kNote = 27,              // The attachment: a Note. Its account and market may be any, or zero.
  kSetPositionLimit = 28,  // quantity: the limit in that market; zero is no limit.
  kTriggerGroup = 29,      // group.
  kDeleteGroup = 30,       // group.
  kSetExpiry = 31,         // order_id, expires (in price): the new expiry time; zero is none.
  kExecute = 32,  // order_id, quantity, price: a trade that a mirrored venue reports. If it
                  // names no order, side: of the order that was resting, or zero.
};

struct CommandKindInfo {
  CommandKind kind = {};
  absl::string_view name;
  Scope scope = Scope::kNone;
  bool names_an_order = false;  // Its order_id is an existing order's.
  bool makes_an_order = false;  // Its sequence number is the id of an order, unless it is refused.
  bool may_enlarge = false;     // It may bring an order, or more of one, into a book.
  bool accepted_on_full_disk = false;  // It shrinks the book.
  Meaning order_id = {"order", FieldType::kNumber};
  Meaning price = {"price", FieldType::kPrice};
};

// By number; 0 stands for every number that is not a kind.
inline constexpr auto kCommandKinds = std::to_array<CommandKindInfo>({
    {.name = ""},
    {.kind = CommandKind::kDefineMarket, .name = "define_market", .scope = Scope::kMarket},
    // order_id is the expiry time if tif is good till time, and nothing else.
    {.kind = CommandKind::kNewOrder,
     .name = "new_order",
     .scope = Scope::kOrders,
     .makes_an_order = true,
     .may_enlarge = true},
    {.kind = CommandKind::kCancel,
     .name = "cancel",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kReduce,
     .name = "reduce",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kReplace,
     .name = "replace",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .makes_an_order = true,
     .may_enlarge = true},
    {.kind = CommandKind::kAmend,
     .name = "amend",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .may_enlarge = true},
    {.kind = CommandKind::kAdvanceTime,
     .name = "advance_time",
     .scope = Scope::kTime,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kReduceTo,
     .name = "reduce_to",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kMassCancel,
     .name = "mass_cancel",
     .scope = Scope::kOrders,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kOpenMarket, .name = "open_market", .scope = Scope::kMarket},
    {.kind = CommandKind::kPauseMarket, .name = "pause_market", .scope = Scope::kMarket},
    {.kind = CommandKind::kCloseMarket, .name = "close_market", .scope = Scope::kMarket},
    {.kind = CommandKind::kDetermineMarket, .name = "determine_market", .scope = Scope::kMarket},
    {.kind = CommandKind::kSettleMarket, .name = "settle_market", .scope = Scope::kMarket},
    {.kind = CommandKind::kResumeExchange, .name = "resume_exchange", .scope = Scope::kExchange},
    {.kind = CommandKind::kPauseExchange, .name = "pause_exchange", .scope = Scope::kExchange},
    {.kind = CommandKind::kHaltExchange, .name = "halt_exchange", .scope = Scope::kExchange},
    {.kind = CommandKind::kOpenAccount, .name = "open_account", .scope = Scope::kAccount},
    {.kind = CommandKind::kDeposit,
     .name = "deposit",
     .scope = Scope::kAccount,
     .price = {"amount", FieldType::kMoney}},
    {.kind = CommandKind::kWithdraw,
     .name = "withdraw",
     .scope = Scope::kAccount,
     .price = {"amount", FieldType::kMoney}},
    {.kind = CommandKind::kSetRiskLimits, .name = "set_risk_limits", .scope = Scope::kAccount},
    {.kind = CommandKind::kSetFees, .name = "set_fees", .scope = Scope::kMarket},
    {.kind = CommandKind::kDefineGroup,
     .name = "define_group",
     .scope = Scope::kGroup,
     .price = {"window_ns", FieldType::kNanos}},
    {.kind = CommandKind::kResetGroup, .name = "reset_group", .scope = Scope::kGroup},
    {.kind = CommandKind::kSuspendAccount,
     .name = "suspend_account",
     .scope = Scope::kAccount,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kResumeAccount, .name = "resume_account", .scope = Scope::kAccount},
    {.kind = CommandKind::kNote, .name = "note", .scope = Scope::kTime},
    {.kind = CommandKind::kSetPositionLimit, .name = "set_position_limit", .scope = Scope::kMarket},
    {.kind = CommandKind::kTriggerGroup,
     .name = "trigger_group",
     .scope = Scope::kGroup,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kDeleteGroup,
     .name = "delete_group",
     .scope = Scope::kGroup,
     .accepted_on_full_disk = true},
    {.kind = CommandKind::kSetExpiry,
     .name = "set_expiry",
     .scope = Scope::kOrders,
     .names_an_order = true,
     .price = {"expires", FieldType::kTime}},
    {.kind = CommandKind::kExecute,
     .name = "execute",
     .scope = Scope::kOrders,
     .names_an_order = true},
});
inline constexpr CommandKind kLastCommandKind = kCommandKinds.back().kind;

// Do not renumber: in event streams and trace digests.
enum class EventKind : uint16_t {
  kMarketDefined = 1,  // market.
  kAccepted = 2,       // A new order; quantity is its full quantity, before any trade on arrival.
  kTrade = 3,          // At the maker's price; quantity_remaining is the maker's. Of an execute
                       // command: at its price, counter_order_id is its sequence number, and
                       // order_id and side are zero if it names neither.
  kCancelled = 4,      // detail: CancelReason; quantity is the cancelled quantity.
  kReduced = 5,        // quantity is the removed quantity; priority is kept.
  kReplaced = 6,       // counter_order_id has ended, order_id is new with quantity at price.
  kAmended = 7,        // detail: PriorityOutcome; quantity includes the filled part.
  kTimeAdvanced = 8,
  kRejected = 9,        // detail: RejectReason; order_id is that of the command, if any.
  kMarketState = 10,    // detail: MarketState, the new one.
  kDetermined = 11,     // price: the settlement value of one contract.
  kExchangeState = 12,  // detail: ExchangeState, the new one.
  kAccountOpened = 13,  //
  kBalance = 14,    // change, fee, balance, reserved (see below); order_id if an order caused it.
  kPosition = 15,   // position, signed, after the event; quantity is the size of the change.
  kLimitsSet = 16,  //
  kFeesSet = 17,    //
  kGroupDefined = 18,      // group, quantity: the limit.
  kGroupReset = 19,        // group.
  kGroupTripped = 20,      // group, quantity: the quantity traded within the window.
  kMassCancelled = 21,     // quantity: the number of orders.
  kAccountStanding = 22,   // detail: AccountStanding, the new one.
  kNoted = 23,             // account and market of the command.
  kPositionLimitSet = 24,  // quantity: the limit; position, signed, as the limit counts it.
  kGroupDeleted = 25,      // group.
  kExpirySet = 26,         // expires, the new expiry time, or zero; priority is kept.
};

struct EventKindInfo {
  EventKind kind = {};
  absl::string_view name;
  absl::string_view rule;         // The section of engine/RULES.md that defines it.
  bool changes_an_order = false;  // It begins, changes or ends order_id or counter_order_id.
  bool concerns_a_market = true;  // False: `market` has no meaning; of a note, it may be zero.
  Meaning order_id = {"order", FieldType::kNumber};
  Meaning counter_order_id = {"from", FieldType::kNumber};
  Meaning price = {"price", FieldType::kPrice};
  Meaning quantity = {"quantity", FieldType::kQuantity};
  Meaning quantity_remaining = {"remaining", FieldType::kQuantity};
  Meaning detail = {"detail", FieldType::kNumber};
};

// By number; 0 stands for every number that is not a kind.
inline constexpr auto kEventKinds = std::to_array<EventKindInfo>({
    {.name = "", .rule = "11. Events"},
    {.kind = EventKind::kMarketDefined, .name = "market_defined", .rule = "5. Markets"},
    {.kind = EventKind::kAccepted,
     .name = "accepted",
     .rule = "2. Orders",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder}},
    {.kind = EventKind::kTrade,
     .name = "trade",
     .rule = "2. Orders, Priority and trades",
     .changes_an_order = true,
     .order_id = {"maker", FieldType::kOrder},
     .counter_order_id = {"taker", FieldType::kOrder}},
    {.kind = EventKind::kCancelled,
     .name = "cancelled",
     .rule = "13. Reasons, Of a cancellation",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .detail = {"reason", FieldType::kCancelReason}},
    {.kind = EventKind::kReduced,
     .name = "reduced",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder}},
    {.kind = EventKind::kReplaced,
     .name = "replaced",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .counter_order_id = {"from", FieldType::kOrder}},
    {.kind = EventKind::kAmended,
     .name = "amended",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .detail = {"priority", FieldType::kPriorityOutcome}},
    {.kind = EventKind::kTimeAdvanced,
     .name = "time_advanced",
     .rule = "6. The exchange as a whole",
     .concerns_a_market = false},
    // order_id is the one of the command: an order only if the command names one.
    {.kind = EventKind::kRejected,
     .name = "rejected",
     .rule = "13. Reasons, Of a refusal",
     .detail = {"reason", FieldType::kRejectReason}},
    {.kind = EventKind::kMarketState,
     .name = "market_state",
     .rule = "5. Markets",
     .detail = {"state", FieldType::kMarketState}},
    {.kind = EventKind::kDetermined, .name = "determined", .rule = "9. Settlement"},
    {.kind = EventKind::kExchangeState,
     .name = "exchange_state",
     .rule = "6. The exchange as a whole",
     .concerns_a_market = false,
     .detail = {"state", FieldType::kExchangeState}},
    {.kind = EventKind::kAccountOpened,
     .name = "account_opened",
     .rule = "7. Accounts and money",
     .concerns_a_market = false},
    {.kind = EventKind::kBalance,
     .name = "balance",
     .rule = "7. Accounts and money",
     .order_id = {"order", FieldType::kOrder},
     .counter_order_id = {"balance", FieldType::kMoney},
     .price = {"change", FieldType::kMoney},
     .quantity = {"fee", FieldType::kMoney},
     .quantity_remaining = {"reserved", FieldType::kMoney}},
    {.kind = EventKind::kPosition,
     .name = "position",
     .rule = "7. Accounts and money",
     .price = {"position", FieldType::kPosition}},
    {.kind = EventKind::kLimitsSet,
     .name = "limits_set",
     .rule = "10. Risk limits",
     .concerns_a_market = false},
    {.kind = EventKind::kFeesSet, .name = "fees_set", .rule = "8. Fees"},
    {.kind = EventKind::kGroupDefined,
     .name = "group_defined",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.kind = EventKind::kGroupReset,
     .name = "group_reset",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.kind = EventKind::kGroupTripped,
     .name = "group_tripped",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.kind = EventKind::kMassCancelled,
     .name = "mass_cancelled",
     .rule = "3. Changing and cancelling",
     .quantity = {"orders", FieldType::kCount}},
    {.kind = EventKind::kAccountStanding,
     .name = "account_standing",
     .rule = "7. Accounts and money, Suspension",
     .concerns_a_market = false,
     .detail = {"standing", FieldType::kAccountStanding}},
    {.kind = EventKind::kNoted,
     .name = "noted",
     .rule = "6. The exchange as a whole, Notes",
     .concerns_a_market = false},
    {.kind = EventKind::kPositionLimitSet,
     .name = "position_limit_set",
     .rule = "10. Risk limits, Position limits",
     .price = {"position", FieldType::kPosition},
     .quantity = {"limit", FieldType::kQuantity}},
    {.kind = EventKind::kGroupDeleted,
     .name = "group_deleted",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.kind = EventKind::kExpirySet,
     .name = "expiry_set",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .price = {"expires", FieldType::kTime}},
});
inline constexpr EventKind kLastEventKind = kEventKinds.back().kind;

// Whether row n is that of the kind with number n.
template <typename Infos>
constexpr bool IsByNumber(const Infos& infos) {
  for (size_t number = 0; number < infos.size(); ++number) {
    if (static_cast<size_t>(infos[number].kind) != number) return false;
  }
  return true;
}
static_assert(IsByNumber(kCommandKinds) && IsByNumber(kEventKinds));

constexpr const CommandKindInfo& InfoOf(CommandKind kind) {
  return kCommandKinds[kind <= kLastCommandKind ? static_cast<size_t>(kind) : 0];
}
constexpr const EventKindInfo& InfoOf(EventKind kind) {
  return kEventKinds[kind <= kLastEventKind ? static_cast<size_t>(kind) : 0];
}
constexpr bool NamesAnOrder(CommandKind kind) { return InfoOf(kind).names_an_order; }

// Whether `market` has a meaning. True for an unknown kind; false for a note, which may name none.
constexpr bool ConcernsAMarket(CommandKind kind) {
  const Scope scope = InfoOf(kind).scope;
  return scope == Scope::kNone || scope == Scope::kOrders || scope == Scope::kMarket;
}
constexpr bool ConcernsAMarket(EventKind kind) { return InfoOf(kind).concerns_a_market; }

}  // namespace engine

#endif  // ENGINE_MESSAGES_KINDS_H_
