#include "tools/cli/base/console.h"

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
  if (!output_.empty()) output_sink_(output_);
  output_.clear();
}

void Console::Error(absl::string_view text) {
  Flush();  // So that the two streams interleave as they were said.
  error_sink_(text);
}

std::string Console::Styled(Style style, absl::string_view text) const {
  if (!options_.output_is_terminal || options_.json || style == Style::kPlain) {
    return std::string(text);
  }
  return absl::StrCat(EscapeOf(style), text, "\x1b[0m");
}

}  // namespace tools
