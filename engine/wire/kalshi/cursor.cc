#include "engine/wire/kalshi/cursor.h"

#include "absl/strings/escaping.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"

namespace engine::kalshi {
namespace {

constexpr char kVersion = 1;
constexpr size_t kCheckSize = 4;
constexpr size_t kTextMax = 64;

void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

// Takes a varint of at most `bits` from the start of `text`.
std::optional<uint64_t> TakeVarint(absl::string_view& text, int bits) {
  uint64_t value = 0;
  for (int shift = 0; shift < bits && !text.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text[0]);
    text.remove_prefix(1);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::string CheckOf(absl::string_view bytes) {
  const uint64_t digest = DigestOf(AsBytes(bytes)).low;
  std::string check;
  for (size_t i = 0; i < kCheckSize; ++i) check += static_cast<char>(digest >> (8 * i));
  return check;
}

}  // namespace

std::string MakeCursor(CursorList list, const CursorPosition& position) {
  std::string bytes = {kVersion, static_cast<char>(list)};
  AppendVarint(position.sequence, bytes);
  AppendVarint(position.listing, bytes);
  return absl::WebSafeBase64Escape(bytes + CheckOf(bytes));
}

std::optional<CursorPosition> ParseCursor(CursorList list, absl::string_view text) {
  std::string bytes;
  if (text.size() > kTextMax || !absl::WebSafeBase64Unescape(text, &bytes)) return std::nullopt;
  if (bytes.size() < 2 + kCheckSize) return std::nullopt;
  absl::string_view rest = bytes;
  const absl::string_view check = rest.substr(rest.size() - kCheckSize);
  rest.remove_suffix(kCheckSize);
  if (check != CheckOf(rest)) return std::nullopt;
  if (rest[0] != kVersion || rest[1] != static_cast<char>(list)) return std::nullopt;
  rest.remove_prefix(2);
  const std::optional<uint64_t> sequence = TakeVarint(rest, 64);
  const std::optional<uint64_t> listing = TakeVarint(rest, 32);
  if (!sequence.has_value() || !listing.has_value() || *listing > UINT32_MAX) return std::nullopt;
  return CursorPosition{.sequence = *sequence, .listing = static_cast<uint32_t>(*listing)};
}

}  // namespace engine::kalshi
