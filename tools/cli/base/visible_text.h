// Which characters of a text may be shown unchanged.

#ifndef TOOLS_CLI_BASE_VISIBLE_TEXT_H_
#define TOOLS_CLI_BASE_VISIBLE_TEXT_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tools {

// Returns the length of the longest prefix of printable ASCII.
size_t PlainPrefix(absl::string_view text);

// The first character of a text; `length` is 0 if its bytes are not UTF-8 (RFC 3629).
struct Decoded {
  size_t length = 0;
  uint32_t character = 0;
};
Decoded DecodeCharacter(absl::string_view text);  // REQUIRES: not empty.

// A run of text that needs no escaping, or one character or byte that does.
struct TextPiece {
  enum class Kind {
    kVisible,  // Valid UTF-8 without hidden characters.
    kHidden,   // One character: a control character, a change of direction, or one without width.
    kNotUtf8,  // One byte.
  };
  Kind kind = Kind::kVisible;
  absl::string_view bytes;
  uint32_t character = 0;  // kHidden: the code point; kNotUtf8: the byte.
};

// Calls `visit` with the pieces of `text` in order; together they are the whole text.
void VisitPieces(absl::string_view text, absl::FunctionRef<void(const TextPiece&)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VISIBLE_TEXT_H_
