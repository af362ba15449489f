// What an order carries besides its terms, as the attachment of the command that enters or changes
// it: the client's own id as text. The exchange never reads it.
//
//   word 0   struct of one pointer      the canonical Cap'n Proto form of a struct that has one
//   word 1   list of bytes              text, written and read here without the library: most
//   word 2.. the text, a zero, padding  orders of some clients have one
//
// Commands may have other attachments; readers ignore what is no order note.

#ifndef ENGINE_MESSAGES_ORDER_NOTE_H_
#define ENGINE_MESSAGES_ORDER_NOTE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

inline constexpr size_t kClientOrderTextBytesMax = 128;

// Whether an order note may have this text: 1 to kClientOrderTextBytesMax printable ASCII
// characters, spaces included.
bool IsClientOrderText(absl::string_view text);

// REQUIRES: IsClientOrderText(client_order_text).
std::vector<std::byte> EncodeOrderNote(absl::string_view client_order_text);

// Accepts any bytes. The client's text, which lies in `bytes`; nullopt unless they are what
// EncodeOrderNote() returns for it.
std::optional<absl::string_view> DecodeOrderNote(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_ORDER_NOTE_H_
