#include "tools/cli/base/console.h"

#include "absl/strings/str_cat.h"
#include "tools/cli/base/console_text.h"

namespace tools {
namespace {

absl::string_view EscapeOf(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGreen:
      return "\x1b[32m";
    case Style::kRed:
      return "\x1b[31m";
    case Style::kYellow:
      return "\x1b[33m";
  }
  return "";
}

}  // namespace

void Console::Flush() {
  if (!output_.bytes().empty()) output_sink_(output_.bytes());
  output_.Clear();
}

void Console::ShowError(const ConsoleText& text) {
  Flush();  // Keeps the two streams in the order of the calls.
  error_sink_(text.bytes());
}

ConsoleText Console::Styled(Style style, const ConsoleText& text) const {
  if (!options_.output_is_terminal || options_.json || style == Style::kPlain) return text;
  ConsoleText styled;
  styled.bytes_ = absl::StrCat(EscapeOf(style), text.bytes(), "\x1b[0m");
  return styled;
}

}  // namespace tools
