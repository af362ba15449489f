// Text that is safe to print to a terminal.
//
//   ConsoleText::Of("note ", note, "\n")
//                     │        │     └ literal of this program: unchanged
//                     │        └ from outside: escaped, so that it stays on its line and cannot
//                     │          control the terminal
//                     └ literal of this program: unchanged
//
// Escaped are: control characters, including newline and tab; characters that change the direction
// of writing or are invisible; bytes that are not UTF-8. "\x1b", "\n", "\u202e".
//
// For one string with several lines written by this program, Lines() keeps newlines and tabs, and
// escapes the rest.

#ifndef TOOLS_CLI_BASE_CONSOLE_TEXT_H_
#define TOOLS_CLI_BASE_CONSOLE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tools {

enum class Style { kPlain, kBold, kDim, kGreen, kRed, kYellow };

// A value type. Every byte in it is a literal of this program, escaped, or a style.
class ConsoleText {
 public:
  ConsoleText() = default;
  // Text from outside. Not explicit, so that printing functions take any text.
  ConsoleText(absl::string_view text) { AppendEscaped(text); }
  ConsoleText(const std::string& text) { AppendEscaped(text); }
  ConsoleText(const char* text) { AppendEscaped(text); }

  // Concatenates pieces: literals, other ConsoleTexts, everything that absl::StrCat takes, numbered
  // values (SequenceNumber), and values with a text form (Timestamp, Digest).
  template <typename... What>
  static ConsoleText Of(What&&... what) {
    ConsoleText text;
    (text.Append(std::forward<What>(what)), ...);
    return text;
  }

  // Keeps newlines and tabs.
  static ConsoleText Lines(absl::string_view text);

  // A message that may have several lines. All lines but the first are indented, so that no line
  // can be mistaken for another message.
  static ConsoleText Message(absl::string_view text);

  template <typename What>
  void Append(What&& what) {
    using Plain = std::remove_cvref_t<What>;
    if constexpr (std::is_same_v<Plain, ConsoleText>) {
      bytes_ += what.bytes_;
    } else if constexpr (kIsLiteral<std::remove_reference_t<What>>) {
      bytes_ += what;
    } else if constexpr (requires { absl::AlphaNum(what.value()); }) {
      AppendEscaped(absl::AlphaNum(what.value()).Piece());
    } else if constexpr (requires { what.ToString(); }) {
      AppendEscaped(what.ToString());
    } else {
      AppendEscaped(absl::AlphaNum(what).Piece());
    }
  }

  void Clear() { bytes_.clear(); }

  ConsoleText WithoutStyles() const;

  absl::string_view bytes() const { return bytes_; }

 private:
  friend ConsoleText Styled(Style style, const ConsoleText& text);

  template <typename What>
  static constexpr bool kIsLiteral =
      std::is_array_v<What> && std::is_same_v<std::remove_extent_t<What>, const char>;

  void AppendEscaped(absl::string_view text);

  std::string bytes_;
};

// Returns `text` between the escape sequences of `style`.
ConsoleText Styled(Style style, const ConsoleText& text);

// ---- Which characters of a text may be shown unchanged.

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

#endif  // TOOLS_CLI_BASE_CONSOLE_TEXT_H_
