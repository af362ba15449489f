// The types of ITCH messages: their letters, names and sizes, and an index of each for tables.

#ifndef ENGINE_WIRE_ITCH_MESSAGE_TYPE_H_
#define ENGINE_WIRE_ITCH_MESSAGE_TYPE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
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

template <typename... T>
constexpr std::array<ItchType, kItchTypeCount> TypesOf(std::type_identity<std::variant<T...>>) {
  return {ItchType{.letter = T::kType, .bytes = 1 + sizeof(T), .name = T::kName}...};
}

}  // namespace itch_internal

// By type index, which is ItchMessage::index(): the order of the specification.
inline constexpr std::array<ItchType, kItchTypeCount> kItchTypes =
    itch_internal::TypesOf(std::type_identity<ItchMessage>());

inline constexpr size_t kItchMessageBytesMax =
    std::ranges::max(kItchTypes, {}, &ItchType::bytes).bytes;

namespace itch_internal {

inline constexpr std::array<uint8_t, 256> kIndexOfLetter = [] {
  std::array<uint8_t, 256> index = {};
  index.fill(kItchTypeCount);
  for (size_t i = 0; i < kItchTypeCount; ++i) {
    index[static_cast<uint8_t>(kItchTypes[i].letter)] = static_cast<uint8_t>(i);
  }
  return index;
}();

}  // namespace itch_internal

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
