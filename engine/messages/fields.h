// The fields of commands and events: one table gives each kind its name, the name and type of each
// word, and what the kind is about.
//
//   new_order  order_id → order     price → price    names no order, makes one, concerns a market
//   deposit                         price → amount   names none, makes none, concerns no market
//   trade      order_id → maker     counter → taker  both are orders
//   balance    counter → balance    price → change   order_id is the order that caused it
//
// The text form, JSON, CSV, filters, order histories and slices are derived from these tables.

#ifndef ENGINE_MESSAGES_FIELDS_H_
#define ENGINE_MESSAGES_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/market_definition.h"

namespace engine {

// What a field holds: its unit, or the enumeration that names its values.
enum class FieldType : uint8_t {
  kNumber,     // An id or another whole number.
  kCount,      // A count, of which zero is also told.
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
  kSelfTradePrevention,
  kMarketKind,
};

// What a word of a message means for one kind.
struct Meaning {
  absl::string_view name;
  FieldType type;
};

// What a command changes. An order command makes, changes or ends orders of a market.
enum class Scope : uint8_t { kNone, kOrders, kTime, kMarket, kExchange, kAccount, kGroup };

struct CommandKindInfo {
  absl::string_view name;
  Scope scope = Scope::kNone;
  bool names_an_order = false;  // Its order_id is an existing order's.
  bool makes_an_order = false;  // Its sequence number is the id of an order, unless it is refused.
  bool concerns_a_market = true;       // False: `market` has no meaning.
  bool accepted_on_full_disk = false;  // It shrinks the book.
  Meaning order_id = {"order", FieldType::kNumber};
  Meaning price = {"price", FieldType::kPrice};
};

// By number; 0 stands for every number that is not a kind.
inline constexpr std::array<CommandKindInfo, static_cast<size_t>(kLastCommandKind) + 1>
    kCommandKinds = {{
        {.name = ""},
        {.name = "define_market", .scope = Scope::kMarket},
        // order_id is the expiry time if tif is good till time, and nothing else.
        {.name = "new_order", .scope = Scope::kOrders, .makes_an_order = true},
        {.name = "cancel",
         .scope = Scope::kOrders,
         .names_an_order = true,
         .accepted_on_full_disk = true},
        {.name = "reduce",
         .scope = Scope::kOrders,
         .names_an_order = true,
         .accepted_on_full_disk = true},
        {.name = "replace",
         .scope = Scope::kOrders,
         .names_an_order = true,
         .makes_an_order = true},
        {.name = "amend", .scope = Scope::kOrders, .names_an_order = true},
        {.name = "advance_time",
         .scope = Scope::kTime,
         .concerns_a_market = false,
         .accepted_on_full_disk = true},
        {.name = "reduce_to",
         .scope = Scope::kOrders,
         .names_an_order = true,
         .accepted_on_full_disk = true},
        {.name = "mass_cancel", .scope = Scope::kOrders, .accepted_on_full_disk = true},
        {.name = "open_market", .scope = Scope::kMarket},
        {.name = "pause_market", .scope = Scope::kMarket},
        {.name = "close_market", .scope = Scope::kMarket},
        {.name = "determine_market", .scope = Scope::kMarket},
        {.name = "settle_market", .scope = Scope::kMarket},
        {.name = "resume_exchange", .scope = Scope::kExchange, .concerns_a_market = false},
        {.name = "pause_exchange", .scope = Scope::kExchange, .concerns_a_market = false},
        {.name = "halt_exchange", .scope = Scope::kExchange, .concerns_a_market = false},
        {.name = "open_account", .scope = Scope::kAccount, .concerns_a_market = false},
        {.name = "deposit",
         .scope = Scope::kAccount,
         .concerns_a_market = false,
         .price = {"amount", FieldType::kMoney}},
        {.name = "withdraw",
         .scope = Scope::kAccount,
         .concerns_a_market = false,
         .price = {"amount", FieldType::kMoney}},
        {.name = "set_risk_limits", .scope = Scope::kAccount, .concerns_a_market = false},
        {.name = "set_fees", .scope = Scope::kMarket},
        {.name = "define_group",
         .scope = Scope::kGroup,
         .concerns_a_market = false,
         .price = {"window_ns", FieldType::kNanos}},
        {.name = "reset_group", .scope = Scope::kGroup, .concerns_a_market = false},
    }};

struct EventKindInfo {
  absl::string_view name;
  absl::string_view rule;         // The section of engine/RULES.md that defines it.
  bool changes_an_order = false;  // It begins, changes or ends order_id or counter_order_id.
  bool concerns_a_market = true;
  Meaning order_id = {"order", FieldType::kNumber};
  Meaning counter_order_id = {"from", FieldType::kNumber};
  Meaning price = {"price", FieldType::kPrice};
  Meaning quantity = {"quantity", FieldType::kQuantity};
  Meaning quantity_remaining = {"remaining", FieldType::kQuantity};
  Meaning detail = {"detail", FieldType::kNumber};
};

// By number; 0 stands for every number that is not a kind.
inline constexpr std::array<EventKindInfo, static_cast<size_t>(kLastEventKind) + 1> kEventKinds = {{
    {.name = "", .rule = "11. Events"},
    {.name = "market_defined", .rule = "5. Markets"},
    {.name = "accepted",
     .rule = "2. Orders",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder}},
    {.name = "trade",
     .rule = "2. Orders, Priority and trades",
     .changes_an_order = true,
     .order_id = {"maker", FieldType::kOrder},
     .counter_order_id = {"taker", FieldType::kOrder}},
    {.name = "cancelled",
     .rule = "13. Reasons, Of a cancellation",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .detail = {"reason", FieldType::kCancelReason}},
    {.name = "reduced",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder}},
    {.name = "replaced",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .counter_order_id = {"from", FieldType::kOrder}},
    {.name = "amended",
     .rule = "3. Changing and cancelling",
     .changes_an_order = true,
     .order_id = {"order", FieldType::kOrder},
     .detail = {"priority", FieldType::kPriorityOutcome}},
    {.name = "time_advanced", .rule = "6. The exchange as a whole", .concerns_a_market = false},
    // order_id is the one of the command: an order only if the command names one.
    {.name = "rejected",
     .rule = "13. Reasons, Of a refusal",
     .detail = {"reason", FieldType::kRejectReason}},
    {.name = "market_state", .rule = "5. Markets", .detail = {"state", FieldType::kMarketState}},
    {.name = "determined", .rule = "9. Settlement"},
    {.name = "exchange_state",
     .rule = "6. The exchange as a whole",
     .concerns_a_market = false,
     .detail = {"state", FieldType::kExchangeState}},
    {.name = "account_opened", .rule = "7. Accounts and money", .concerns_a_market = false},
    {.name = "balance",
     .rule = "7. Accounts and money",
     .order_id = {"order", FieldType::kOrder},
     .counter_order_id = {"balance", FieldType::kMoney},
     .price = {"change", FieldType::kMoney},
     .quantity = {"fee", FieldType::kMoney},
     .quantity_remaining = {"reserved", FieldType::kMoney}},
    {.name = "position",
     .rule = "7. Accounts and money",
     .price = {"position", FieldType::kPosition}},
    {.name = "limits_set", .rule = "10. Risk limits", .concerns_a_market = false},
    {.name = "fees_set", .rule = "8. Fees"},
    {.name = "group_defined",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.name = "group_reset",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.name = "group_tripped",
     .rule = "4. Order groups",
     .concerns_a_market = false,
     .order_id = {"group", FieldType::kNumber}},
    {.name = "mass_cancelled",
     .rule = "3. Changing and cancelling",
     .quantity = {"orders", FieldType::kCount}},
}};

constexpr const CommandKindInfo& InfoOf(CommandKind kind) {
  return kCommandKinds[kind <= kLastCommandKind ? static_cast<size_t>(kind) : 0];
}
constexpr const EventKindInfo& InfoOf(EventKind kind) {
  return kEventKinds[kind <= kLastEventKind ? static_cast<size_t>(kind) : 0];
}
constexpr bool NamesAnOrder(CommandKind kind) { return InfoOf(kind).names_an_order; }

// The sections of engine/RULES.md that define the cancel reasons, in numerical order.
inline constexpr std::array<absl::string_view, kCancelReasonNames.size()> kCancelReasonRules = {
    "13. Reasons, Of a cancellation",    // none
    "3. Changing and cancelling",        // requested
    "3. Changing and cancelling",        // reduced
    "2. Orders, Time in force",          // immediate_or_cancel
    "2. Orders, Time in force",          // fill_or_kill
    "3. Changing and cancelling",        // mass_cancel
    "2. Orders, Time in force",          // expired
    "2. Orders, Cancel on pause",        // market_paused
    "5. Markets",                        // market_closed
    "2. Orders, Self-trade prevention",  // self_trade
    "2. Orders, Reduce-only",            // reduce_only
    "2. Orders, Post-only",              // post_only
    "4. Order groups",                   // group_limit
};

// Returns the section of engine/RULES.md that defines the event.
constexpr absl::string_view RulesSectionOf(const Event& event) {
  const bool has_reason =
      event.kind == EventKind::kCancelled && event.detail < kCancelReasonRules.size();
  return has_reason ? kCancelReasonRules[event.detail] : InfoOf(event.kind).rule;
}

// The fields of a message, in the order of the JSON form.
enum class CommandWord : uint8_t {
  kSequence,
  kTime,
  kKind,
  kMarket,
  kOrder,
  kSide,
  kType,
  kTif,
  kPrice,
  kQuantity,
  kAccount,
  kClientOrderId,
  kFlags,
  kGroup,
};
enum class EventWord : uint8_t {
  kSequence,
  kIndex,
  kKind,
  kMarket,
  kOrder,
  kCounter,
  kSide,
  kPrice,
  kQuantity,
  kRemaining,
  kAccount,
  kDetail,
};

// A field of a 64-byte message. A regular value type.
struct Field {
  absl::string_view name;
  FieldType type = FieldType::kNumber;
  uint8_t offset = 0;  // In the message; `size` bytes from there.
  uint8_t size = 0;

  // The value as an unsigned number, in two's complement if the type is signed.
  template <typename Message>
  uint64_t Get(const Message& message) const {
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const std::byte*>(&message) + offset, size);
    return bits;
  }
  template <typename Message>
  void Set(uint64_t bits, Message& message) const {
    std::memcpy(reinterpret_cast<std::byte*>(&message) + offset, &bits, size);
  }
};

// The order of the words of events in the text and JSON forms. The counter order stands twice: an
// amount of money in its word follows the other amounts, an order does not.
inline constexpr std::array<EventWord, 9> kEventWordOrder = {
    EventWord::kOrder,     EventWord::kCounter,  EventWord::kSide,
    EventWord::kPrice,     EventWord::kQuantity, EventWord::kCounter,
    EventWord::kRemaining, EventWord::kAccount,  EventWord::kDetail};

using CommandFields = std::array<Field, static_cast<size_t>(CommandWord::kGroup) + 1>;
using EventFields = std::array<Field, static_cast<size_t>(EventWord::kDetail) + 1>;

// Returns the fields of a message of that kind, indexed by word. The order_id of a new order that
// is good till a time is `expires`.
const CommandFields& FieldsOf(CommandKind kind, TimeInForce tif = {});
const EventFields& FieldsOf(EventKind kind);
inline const CommandFields& FieldsOf(const Command& command) {
  return FieldsOf(command.kind, command.tif);
}
inline const EventFields& FieldsOf(const Event& event) { return FieldsOf(event.kind); }

// Returns the field of that name: a word by its general name (order, price, ...) or the name that
// it has for this kind (amount, maker, ...). Null if this kind has no such field. `order` is not
// the group of events about groups.
const Field* FindField(absl::string_view name, const CommandFields& fields);
const Field* FindField(absl::string_view name, const EventFields& fields);

// Returns the names of the type's values, in numerical order; empty if its values have no names.
std::span<const absl::string_view> NamesOf(FieldType type);
constexpr bool IsSigned(FieldType type) {
  return type == FieldType::kNanos || type == FieldType::kTime || type == FieldType::kPrice ||
         type == FieldType::kPosition || type == FieldType::kMoney;
}

// Returns the value in the text form. `market` defines the decimals of prices and quantities; if it
// is null, they are counts of units after a '#'.
std::string FieldText(FieldType type, uint64_t bits, const MarketDefinition* market);

// The inverse; `size` is the value's size in bytes. Errors: INVALID_ARGUMENT that begins with
// "<name>=".
absl::Status ParseFieldText(absl::string_view name, FieldType type, size_t size,
                            absl::string_view text, const MarketDefinition* market, uint64_t& bits);

}  // namespace engine

#endif  // ENGINE_MESSAGES_FIELDS_H_
