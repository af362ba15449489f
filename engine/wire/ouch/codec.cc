#include "engine/wire/ouch/codec.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace engine::ouch {
namespace {

bool IsPrintable(char c) { return c >= ' ' && c <= '~'; }

// Calls `see` with the name and the characters of each field that is text.
template <typename Message>
void SeeTexts(const Message& message, auto see) {
  const auto letter = [&](absl::string_view name, const char& field) {
    see(name, absl::string_view(&field, 1));
  };
  const auto text = [&](absl::string_view name, const auto& field) {
    see(name, absl::string_view(field.data(), field.size()));
  };
  if constexpr (requires { message.token; }) text("token", message.token);
  if constexpr (requires { message.existing_token; }) {
    text("existing token", message.existing_token);
  }
  if constexpr (requires { message.replacement_token; }) {
    text("replacement token", message.replacement_token);
  }
  if constexpr (requires { message.previous_token; }) {
    text("previous token", message.previous_token);
  }
  if constexpr (requires { message.stock; }) text("stock", message.stock);
  if constexpr (requires { message.firm; }) text("firm", message.firm);
  if constexpr (requires { message.side; }) letter("side", message.side);
  if constexpr (requires { message.display; }) letter("display", message.display);
  if constexpr (requires { message.capacity; }) letter("capacity", message.capacity);
  if constexpr (requires { message.intermarket_sweep; }) {
    letter("intermarket sweep", message.intermarket_sweep);
  }
  if constexpr (requires { message.cross_type; }) letter("cross type", message.cross_type);
  if constexpr (requires { message.customer_type; }) {
    letter("customer type", message.customer_type);
  }
  if constexpr (requires { message.order_state; }) letter("order state", message.order_state);
  if constexpr (requires { message.bbo_weight; }) letter("BBO weight", message.bbo_weight);
  if constexpr (requires { message.reason; }) letter("reason", message.reason);
  if constexpr (requires { message.liquidity; }) letter("liquidity", message.liquidity);
  if constexpr (requires { message.event; }) letter("event", message.event);
}

template <typename Message>
absl::Status Check(const Message& message) {
  absl::Status status;
  SeeTexts(message, [&](absl::string_view name, absl::string_view text) {
    if (!status.ok() || std::ranges::all_of(text, IsPrintable)) return;
    status = absl::InvalidArgumentError(absl::StrCat("OUCH: ", Message::kName, ": ", name, " '",
                                                     absl::CHexEscape(text), "', expected ASCII"));
  });
  return status;
}

template <typename Message, typename Any>
std::optional<absl::StatusOr<Any>> ParseAs(char type, Bytes fields) {
  static_assert(std::is_trivially_copyable_v<Message> && alignof(Message) == 1,
                "the layout of the wire");
  if (type != Message::kType) return std::nullopt;
  if (fields.size() != sizeof(Message)) {
    return absl::StatusOr<Any>(
        absl::InvalidArgumentError(absl::StrCat("OUCH: ", Message::kName, " of ", 1 + fields.size(),
                                                " bytes, expected ", kBytesOf<Message>)));
  }
  absl::StatusOr<Any> parsed(absl::in_place, std::in_place_type<Message>);
  Message& message = *std::get_if<Message>(&*parsed);
  std::memcpy(&message, fields.data(), sizeof(Message));
  if (absl::Status status = Check(message); !status.ok()) {
    return absl::StatusOr<Any>(std::move(status));
  }
  return parsed;
}

template <typename... Messages>
absl::StatusOr<std::variant<Messages...>> Parse(Bytes message,
                                                std::type_identity<std::variant<Messages...>>) {
  using Any = std::variant<Messages...>;
  if (message.empty()) return absl::InvalidArgumentError("OUCH: a message without a type");
  const char type = AsText(message).front();
  std::optional<absl::StatusOr<Any>> parsed;
  // The first that has this type.
  (void)((parsed = ParseAs<Messages, Any>(type, message.subspan(1))).has_value() || ...);
  if (parsed.has_value()) return *std::move(parsed);
  return absl::InvalidArgumentError(
      absl::StrCat("OUCH: type '", absl::CHexEscape(absl::string_view(&type, 1)),
                   "', expected one of ", std::string({Messages::kType...})));
}

}  // namespace

absl::StatusOr<Inbound> ParseInbound(Bytes message) {
  return Parse(message, std::type_identity<Inbound>());
}

absl::StatusOr<Outbound> ParseOutbound(Bytes message) {
  return Parse(message, std::type_identity<Outbound>());
}

}  // namespace engine::ouch
