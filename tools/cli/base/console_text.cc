#include "tools/cli/base/console_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/strings/str_format.h"
#include "tools/cli/base/visible_text.h"

namespace tools {
namespace {

void AppendEscape(const TextPiece& piece, std::string& out) {
  constexpr std::array<std::pair<uint32_t, const char*>, 3> kShort = {
      {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}}};
  for (const auto& [character, escape] : kShort) {
    if (piece.character == character) return absl::StrAppend(&out, escape);
  }
  if (piece.kind == TextPiece::Kind::kNotUtf8 || piece.character < 0x80) {
    absl::StrAppendFormat(&out, "\\x%02x", piece.character);
  } else if (piece.character < 0x1'0000) {
    absl::StrAppendFormat(&out, "\\u%04x", piece.character);
  } else {
    absl::StrAppendFormat(&out, "\\U%08x", piece.character);
  }
}

// The escape sequences that begin the styles, in their order.
constexpr std::array<absl::string_view, 6> kStyles = {"",         "\x1b[1m",  "\x1b[2m",
                                                      "\x1b[32m", "\x1b[31m", "\x1b[33m"};

}  // namespace

void ConsoleText::AppendEscaped(absl::string_view text) {
  if (PlainPrefix(text) == text.size()) {
    bytes_.append(text.data(), text.size());
    return;
  }
  VisitPieces(text, [this](const TextPiece& piece) {
    if (piece.kind == TextPiece::Kind::kVisible) {
      bytes_.append(piece.bytes.data(), piece.bytes.size());
    } else {
      AppendEscape(piece, bytes_);
    }
  });
}

ConsoleText ConsoleText::Lines(absl::string_view text) {
  ConsoleText lines;
  for (size_t end = text.find_first_of("\n\t"); end != absl::string_view::npos;
       end = text.find_first_of("\n\t")) {
    lines.AppendEscaped(text.substr(0, end));
    lines.bytes_ += text[end];
    text.remove_prefix(end + 1);
  }
  lines.AppendEscaped(text);
  return lines;
}

ConsoleText ConsoleText::Message(absl::string_view text) {
  ConsoleText message;
  for (size_t end = text.find('\n'); end != absl::string_view::npos; end = text.find('\n')) {
    message.AppendEscaped(text.substr(0, end));
    text.remove_prefix(end + 1);
    message.bytes_ += text.empty() || text.front() == ' ' ? "\n" : "\n  ";
  }
  message.AppendEscaped(text);
  return message;
}

ConsoleText ConsoleText::WithoutStyles() const {
  ConsoleText plain;
  for (absl::string_view rest = bytes_; !rest.empty();) {
    const size_t escape = std::min(rest.find('\x1b'), rest.size());
    absl::StrAppend(&plain.bytes_, rest.substr(0, escape));
    rest.remove_prefix(escape);
    if (!rest.empty()) rest.remove_prefix(rest.find('m') + 1);
  }
  return plain;
}

ConsoleText Styled(Style style, const ConsoleText& text) {
  if (style == Style::kPlain) return text;
  ConsoleText styled;
  styled.bytes_ = absl::StrCat(kStyles[static_cast<size_t>(style)], text.bytes(), "\x1b[0m");
  return styled;
}

}  // namespace tools
