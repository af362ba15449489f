#include "tools/cli/base/console_text.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_format.h"

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

bool IsPlain(char c) { return c >= ' ' && c < '\x7f'; }

struct Range {
  uint32_t first;
  uint32_t last;
};

// Characters that move the cursor, change colours, the direction of writing or the shape of their
// neighbours, have no width, or are no characters (Unicode 15, Cc, Cf, Zl, Zp, Cs).
constexpr std::array<Range, 20> kHidden = {
    {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x34f, 0x34f},   {0x600, 0x605},
     {0x61c, 0x61c},   {0x6dd, 0x6dd},   {0x70f, 0x70f},   {0x890, 0x891},   {0x8e2, 0x8e2},
     {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e},
     {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}}};

bool IsHidden(uint32_t character) {
  if (character >= 0x1'0000) {
    // Musical controls, tags, shorthand, supplementary variation selectors, private use.
    return (character >= 0x1'bca0 && character <= 0x1'bca3) ||
           (character >= 0x1'd173 && character <= 0x1'd17a) || character >= 0xe'0000;
  }
  for (const Range& range : kHidden) {
    if (character >= range.first && character <= range.last) return true;
  }
  return (character & 0xfffe) == 0xfffe;
}

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

Decoded DecodeCharacter(absl::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  uint32_t character = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x1'0000};
  const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
  if (character < kLeast[length] || character > 0x10'ffff || is_surrogate) return {};
  return {length, character};
}

size_t PlainPrefix(absl::string_view text) {
  // Blocks without branches, which the compiler vectorises.
  constexpr size_t kBlock = 32;
  size_t at = 0;
  while (text.size() - at >= kBlock) {
    bool is_plain = true;
    for (size_t i = 0; i < kBlock; ++i) is_plain &= IsPlain(text[at + i]);
    if (!is_plain) break;
    at += kBlock;
  }
  while (at < text.size() && IsPlain(text[at])) ++at;
  return at;
}

void VisitPieces(absl::string_view text, absl::FunctionRef<void(const TextPiece&)> visit) {
  size_t begin = 0;  // Start of the visible run that is not yet reported.
  size_t at = 0;
  const auto show_until_here = [&] {
    if (at > begin) visit({.bytes = text.substr(begin, at - begin)});
  };
  while (at < text.size()) {
    at += PlainPrefix(text.substr(at));
    if (at == text.size()) break;
    const Decoded decoded = DecodeCharacter(text.substr(at));
    if (decoded.length > 0 && !IsHidden(decoded.character)) {
      at += decoded.length;
      continue;
    }
    show_until_here();
    const bool is_utf8 = decoded.length > 0;
    const size_t length = is_utf8 ? decoded.length : 1;
    visit({.kind = is_utf8 ? TextPiece::Kind::kHidden : TextPiece::Kind::kNotUtf8,
           .bytes = text.substr(at, length),
           .character = is_utf8 ? decoded.character : static_cast<uint8_t>(text[at])});
    at += length;
    begin = at;
  }
  show_until_here();
}

}  // namespace tools
