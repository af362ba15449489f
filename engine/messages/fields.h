// The fields of commands and events, by kind: where they lie, and the names and types that kinds.h
// gives them. The text form, JSON, CSV, filters, order histories and slices are derived from these
// tables.

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
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

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
  uint8_t top_offset = 0;  // Of the most significant byte if it lies elsewhere; else zero.

  // The value as an unsigned number, in two's complement if the type is signed.
  template <typename Message>
  uint64_t Get(const Message& message) const {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&message);
    uint64_t bits = 0;
    std::memcpy(&bits, bytes + offset, size_at_offset());
    if (top_offset != 0) bits |= std::to_integer<uint64_t>(bytes[top_offset]) << TopShift();
    return bits;
  }
  template <typename Message>
  void Set(uint64_t bits, Message& message) const {
    auto* const bytes = reinterpret_cast<std::byte*>(&message);
    std::memcpy(bytes + offset, &bits, size_at_offset());
    if (top_offset != 0) bytes[top_offset] = static_cast<std::byte>(bits >> TopShift());
  }
  // The bytes of the value that are not at top_offset.
  constexpr size_t size_at_offset() const { return top_offset == 0 ? size : size - size_t{1}; }

 private:
  constexpr size_t TopShift() const { return 8 * size_at_offset(); }
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

// What a command of this kind names to be refused as one about an unknown order. Zero in an execute
// command means that it names none.
constexpr OrderId UnknownOrderFor(CommandKind kind) {
  return kind == CommandKind::kExecute ? OrderId(UINT64_MAX) : OrderId();
}

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
