// Text that is safe to print to a terminal.
//
//   ConsoleText::Of("note ", note, "\n")
//                     │        │     └ a literal is ours: as it is
//                     │        └ from outside: escaped, so that it stays on its line and does no
//                     │          more than to be read
//                     └ ours
//
// What is escaped: control characters, the newline and the tabulator among them; characters that
// change the direction of writing, or cannot be seen; bytes that are no UTF-8. "\x1b", "\n",
// "\u202e".
//
// One string may hold several lines of ours: Lines() keeps its line ends and tabulators, and
// escapes the rest.

#ifndef TOOLS_CLI_BASE_CONSOLE_TEXT_H_
#define TOOLS_CLI_BASE_CONSOLE_TEXT_H_

#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tools {

// A value type. There is no way to put bytes into it that were not written in this program, or
// escaped.
class ConsoleText {
 public:
  ConsoleText() = default;
  // From outside; not explicit, so that a function which prints takes any text.
  ConsoleText(absl::string_view text) { AppendEscaped(text); }
  ConsoleText(const std::string& text) { AppendEscaped(text); }
  ConsoleText(const char* text) { AppendEscaped(text); }

  // All pieces: literals, other console texts, and all that absl::StrCat takes.
  template <typename... What>
  static ConsoleText Of(What&&... what) {
    ConsoleText text;
    (text.Append(std::forward<What>(what)), ...);
    return text;
  }

  // Several lines.
  static ConsoleText Lines(absl::string_view text);

  // A message that may go on over several lines. All but the first are indented, so that none can
  // be taken for another message.
  static ConsoleText Message(absl::string_view text);

  template <typename What>
  void Append(What&& what) {
    using Plain = std::remove_cvref_t<What>;
    if constexpr (std::is_same_v<Plain, ConsoleText>) {
      bytes_ += what.bytes_;
    } else if constexpr (kIsLiteral<std::remove_reference_t<What>>) {
      bytes_ += what;
    } else {
      AppendEscaped(absl::AlphaNum(what).Piece());
    }
  }

  void Clear() { bytes_.clear(); }

  absl::string_view bytes() const { return bytes_; }

 private:
  friend class Console;  // Which puts styles around it.

  template <typename What>
  static constexpr bool kIsLiteral =
      std::is_array_v<What> && std::is_same_v<std::remove_extent_t<What>, const char>;

  void AppendEscaped(absl::string_view text);

  std::string bytes_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONSOLE_TEXT_H_
