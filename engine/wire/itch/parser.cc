#include "engine/wire/itch/parser.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/itch/message_type.h"

namespace engine {
namespace {

template <typename T>
absl::StatusOr<ItchMessage> Parse(const ItchFrame& frame) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == 1, "the layout of the wire");
  const Bytes fields = frame.message.subspan(1);
  CHECK(fields.size() == sizeof(T)) << fields.size() << " bytes for a " << T::kName;
  absl::StatusOr<ItchMessage> result(absl::in_place, std::in_place_type<T>);
  T& parsed = *std::get_if<T>(&*result);
  std::memcpy(&parsed, fields.data(), sizeof(T));
  if constexpr (requires { parsed.side; }) {
    const char letter = parsed.side.letter();
    if (letter != 'B' && letter != 'S') {
      return absl::InvalidArgumentError(
          absl::StrCat("message ", frame.number, " at byte ", frame.offset,
                       ": the buy/sell indicator of ", T::kName, " is '",
                       absl::CHexEscape(absl::string_view(&letter, 1)), "', expected 'B' or 'S'"));
    }
  }
  return result;
}

using ParseFunction = absl::StatusOr<ItchMessage> (*)(const ItchFrame&);

template <typename... T>
constexpr std::array<ParseFunction, kItchTypeCount> ParsersOf(
    std::type_identity<std::variant<T...>>) {
  return {&Parse<T>...};
}

constexpr auto kParsers = ParsersOf(std::type_identity<ItchMessage>());

}  // namespace

absl::StatusOr<ItchMessage> ParseItchMessage(const ItchFrame& frame) {
  const std::optional<size_t> index = ItchTypeIndex(AsText(frame.message).front());
  CHECK(index.has_value());
  return kParsers[*index](frame);
}

}  // namespace engine
