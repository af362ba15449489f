#include "engine/messages/order_note.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kWord = 8;
constexpr size_t kHeaderBytes = 2 * kWord;

// Of a struct without data words and with one pointer, whose content follows.
constexpr uint64_t kRoot = uint64_t{1} << 48;

// Of a list of `count` bytes, which follows.
constexpr uint64_t ListOf(size_t count) {
  constexpr uint64_t kList = 1;
  constexpr uint64_t kBytes = 2;
  return kList | kBytes << 32 | uint64_t{count} << 35;
}

// The text, a zero, and the padding to whole words.
constexpr size_t PaddedSize(size_t text_size) {
  return (text_size + 1 + kWord - 1) / kWord * kWord;
}

bool IsPrintable(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

bool IsClientOrderText(absl::string_view text) {
  return !text.empty() && text.size() <= kClientOrderTextBytesMax &&
         std::ranges::all_of(text, IsPrintable);
}

std::vector<std::byte> EncodeOrderNote(absl::string_view client_order_text) {
  CHECK(IsClientOrderText(client_order_text)) << client_order_text.size() << " bytes";
  std::vector<std::byte> bytes(kHeaderBytes + PaddedSize(client_order_text.size()));
  StoreLittleEndian(kRoot, bytes.data());
  StoreLittleEndian(ListOf(client_order_text.size() + 1), bytes.data() + kWord);
  std::memcpy(bytes.data() + kHeaderBytes, client_order_text.data(), client_order_text.size());
  return bytes;
}

std::optional<absl::string_view> DecodeOrderNote(Bytes bytes) {
  if (bytes.size() < kHeaderBytes ||
      bytes.size() > kHeaderBytes + PaddedSize(kClientOrderTextBytesMax) ||
      LoadLittleEndian<uint64_t>(bytes.data()) != kRoot) {
    return std::nullopt;
  }
  const absl::string_view content = AsText(bytes.subspan(kHeaderBytes));
  const absl::string_view text = content.substr(0, content.find('\0'));
  if (!IsClientOrderText(text) || content.size() != PaddedSize(text.size()) ||
      LoadLittleEndian<uint64_t>(bytes.data() + kWord) != ListOf(text.size() + 1)) {
    return std::nullopt;
  }
  const absl::string_view padding = content.substr(text.size());
  if (padding.find_first_not_of('\0') != absl::string_view::npos) return std::nullopt;
  return text;
}

}  // namespace engine
