// Which characters may be shown as they are.

#ifndef TOOLS_CLI_BASE_VISIBLE_TEXT_H_
#define TOOLS_CLI_BASE_VISIBLE_TEXT_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tools {

// How many bytes at the beginning are printable ASCII.
size_t PlainPrefix(absl::string_view text);

// A piece of text of which nothing needs to be escaped, or one thing that does.
struct TextPiece {
  enum class Kind {
    kVisible,  // Valid UTF-8 that can be seen.
    kHidden,   // One character: of control, of direction, or without width.
    kNotUtf8,  // One byte.
  };
  Kind kind = Kind::kVisible;
  absl::string_view bytes;
  uint32_t character = 0;  // Of kHidden: the code point; of kNotUtf8: the byte.
};

// Shows the pieces of `text` in order; together they are all of it.
void VisitPieces(absl::string_view text, absl::FunctionRef<void(const TextPiece&)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VISIBLE_TEXT_H_
