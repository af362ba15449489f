// Parses and writes the messages of OUCH: payloads of SoupBinTCP's data packets.

#ifndef ENGINE_WIRE_OUCH_CODEC_H_
#define ENGINE_WIRE_OUCH_CODEC_H_

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/ouch/messages.h"

namespace engine::ouch {

// Any bytes are safe. Letters and texts of what they return are printable ASCII; whether a letter
// is one of the specification's is the owner's matter. Allocate only for errors. Errors:
// INVALID_ARGUMENT with what was found and what was expected.
absl::StatusOr<Inbound> ParseInbound(Bytes message);
absl::StatusOr<Outbound> ParseOutbound(Bytes message);

// The bytes of a message, its type included.
template <typename Message>
std::array<std::byte, kBytesOf<Message>> BytesOf(const Message& message) {
  static_assert(std::is_trivially_copyable_v<Message> && alignof(Message) == 1,
                "the layout of the wire");
  std::array<std::byte, kBytesOf<Message>> bytes;
  bytes[0] = static_cast<std::byte>(Message::kType);
  std::memcpy(bytes.data() + 1, &message, sizeof(Message));
  return bytes;
}

// A text in a field, padded with blanks. REQUIRES: it fits.
template <typename Field>
Field FieldOf(absl::string_view text) {
  Field field;
  field.fill(' ');
  std::memcpy(field.data(), text.data(), text.size());
  return field;
}

// The text of a field, without the blanks after it.
template <size_t kSize>
absl::string_view TextOf(const std::array<char, kSize>& field) {
  const absl::string_view text(field.data(), kSize);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace engine::ouch

#endif  // ENGINE_WIRE_OUCH_CODEC_H_
