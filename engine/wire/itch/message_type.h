// The types of ITCH messages: their letters, names and sizes, and an index of each for tables.

#ifndef ENGINE_WIRE_ITCH_MESSAGE_TYPE_H_
#define ENGINE_WIRE_ITCH_MESSAGE_TYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "engine/wire/itch/messages.h"

namespace engine {

inline constexpr size_t kItchTypeCount = std::variant_size_v<ItchMessage>;
static_assert(kItchTypeCount == 23);

struct ItchType {
  char letter;
  size_t bytes;  // The size of a message, without the frame's length field.
  absl::string_view name;
};

namespace itch_internal {

inline constexpr std::array<absl::string_view, kItchTypeCount> kNames = {
    "system_event",
    "stock_directory",
    "stock_trading_action",
    "reg_sho_restriction",
    "market_participant_position",
    "mwcb_decline_level",
    "mwcb_status",
    "ipo_quoting_period_update",
    "luld_auction_collar",
    "operational_halt",
    "add_order",
    "add_order_with_participant",
    "order_executed",
    "order_executed_with_price",
    "order_cancel",
    "order_delete",
    "order_replace",
    "non_cross_trade",
    "cross_trade",
    "broken_trade",
    "net_order_imbalance",
    "retail_price_improvement",
    "direct_listing_with_capital_raise",
};

template <size_t... kIndex>
constexpr std::array<ItchType, kItchTypeCount> MakeTypes(std::index_sequence<kIndex...>) {
  return {ItchType{std::variant_alternative_t<kIndex, ItchMessage>::kType,
                   std::variant_alternative_t<kIndex, ItchMessage>::kBytes, kNames[kIndex]}...};
}

}  // namespace itch_internal

// By type index, which is ItchMessage::index(): the order of the specification.
inline constexpr std::array<ItchType, kItchTypeCount> kItchTypes =
    itch_internal::MakeTypes(std::make_index_sequence<kItchTypeCount>());

namespace itch_internal {

constexpr std::array<uint8_t, 256> MakeIndexOfLetter() {
  std::array<uint8_t, 256> index = {};
  for (uint8_t& none : index) none = kItchTypeCount;
  for (size_t i = 0; i < kItchTypeCount; ++i) {
    index[static_cast<uint8_t>(kItchTypes[i].letter)] = static_cast<uint8_t>(i);
  }
  return index;
}

inline constexpr std::array<uint8_t, 256> kIndexOfLetter = MakeIndexOfLetter();

constexpr size_t LargestMessage() {
  size_t bytes = 0;
  for (const ItchType& type : kItchTypes) bytes = type.bytes > bytes ? type.bytes : bytes;
  return bytes;
}

}  // namespace itch_internal

inline constexpr size_t kItchMessageBytesMax = itch_internal::LargestMessage();

// The type index for a message's first byte; nullopt if there is no such type.
constexpr std::optional<size_t> ItchTypeIndex(char letter) {
  const size_t index = itch_internal::kIndexOfLetter[static_cast<uint8_t>(letter)];
  return index < kItchTypeCount ? std::optional<size_t>(index) : std::nullopt;
}

// The type index of the struct T, an alternative of ItchMessage.
template <typename T>
inline constexpr size_t kItchIndexOf = *ItchTypeIndex(T::kType);

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_MESSAGE_TYPE_H_
