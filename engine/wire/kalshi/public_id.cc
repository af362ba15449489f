#include "engine/wire/kalshi/public_id.h"

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace engine::kalshi {
namespace {

constexpr int kIndexBits = 24;
constexpr uint64_t kCheckMask = (uint64_t{1} << 58) - 1;

// What a digest covers: a key is one of (journal, role, which of the keys), a check of
// (check key, 0, payload).
struct DigestInput {
  uint64_t low = 0;
  uint64_t high = 0;
  uint64_t value = 0;
};

uint64_t DigestOf(const DigestInput& input) { return engine::DigestOf(AsBytes(input)).low; }

uint32_t Mix(uint32_t half, uint64_t key) {
  uint64_t mixed = (half ^ key) * 0x9e3779b97f4a7c15;
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9;
  return static_cast<uint32_t>(mixed >> 32);
}

// A UUID's 128 bits, as two numbers, the first 8 bytes in `high`.
struct Bits {
  uint64_t high = 0;
  uint64_t low = 0;
};

// RFC 9562: 48 bits, version 8, 12 bits; variant 2, 62 bits. The payload comes first.
Bits Join(uint64_t payload, uint64_t check) {
  return {.high = (payload >> 16 << 16) | 0x8000 | ((payload >> 4) & 0xFFF),
          .low = uint64_t{2} << 62 | (payload & 0xF) << 58 | check};
}

uint64_t PayloadOf(const Bits& bits) {
  return (bits.high >> 16 << 16) | (bits.high & 0xFFF) << 4 | ((bits.low >> 58) & 0xF);
}

bool IsHyphenPlace(size_t place) { return place == 8 || place == 13 || place == 18 || place == 23; }

// The digit's value; -1 for another character.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<Bits> ParseUuid(absl::string_view text) {
  if (text.size() != PublicId::kSize) return std::nullopt;
  Bits bits;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsHyphenPlace(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int digit = DigitOf(text[i]);
    if (digit < 0) return std::nullopt;
    bits.high = bits.high << 4 | bits.low >> 60;
    bits.low = bits.low << 4 | static_cast<uint64_t>(digit);
  }
  return bits;
}

void Format(Bits bits, std::array<char, PublicId::kSize>& text) {
  constexpr absl::string_view kDigits = "0123456789abcdef";
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsHyphenPlace(i)) {
      text[i] = '-';
      continue;
    }
    text[i] = kDigits[bits.high >> 60];
    bits.high = bits.high << 4 | bits.low >> 60;
    bits.low <<= 4;
  }
}

}  // namespace

bool IsUuid(absl::string_view text) { return ParseUuid(text).has_value(); }

PublicIds::PublicIds(const Digest& journal, IdRole role) {
  uint64_t which = uint64_t{static_cast<uint8_t>(role)} << 8;
  for (uint64_t& key : keys_) {
    key = DigestOf({.low = journal.low, .high = journal.high, .value = which++});
  }
  check_key_ = DigestOf({.low = journal.low, .high = journal.high, .value = which});
}

PublicId PublicIds::Make(const IdPlace& place) const {
  CHECK(place.sequence < IdPlace::kSequenceEnd && place.index < IdPlace::kIndexEnd) << place;
  const uint64_t payload = Permute(place.sequence << kIndexBits | place.index);
  PublicId id;
  Format(Join(payload, CheckOf(payload)), id.text_);
  return id;
}

std::optional<IdPlace> PublicIds::Parse(absl::string_view text) const {
  const std::optional<Bits> bits = ParseUuid(text);
  if (!bits.has_value()) return std::nullopt;
  const uint64_t payload = PayloadOf(*bits);
  const Bits made = Join(payload, CheckOf(payload));
  if (made.high != bits->high || made.low != bits->low) return std::nullopt;
  const uint64_t place = Unpermute(payload);
  return IdPlace{.sequence = place >> kIndexBits,
                 .index = static_cast<uint32_t>(place & (IdPlace::kIndexEnd - 1))};
}

uint64_t PublicIds::Permute(uint64_t payload) const {
  auto left = static_cast<uint32_t>(payload >> 32);
  auto right = static_cast<uint32_t>(payload);
  for (const uint64_t key : keys_) {
    const uint32_t next = left ^ Mix(right, key);
    left = right;
    right = next;
  }
  return uint64_t{left} << 32 | right;
}

uint64_t PublicIds::Unpermute(uint64_t payload) const {
  auto left = static_cast<uint32_t>(payload >> 32);
  auto right = static_cast<uint32_t>(payload);
  for (auto key = keys_.rbegin(); key != keys_.rend(); ++key) {
    const uint32_t previous = right ^ Mix(left, *key);
    right = left;
    left = previous;
  }
  return uint64_t{left} << 32 | right;
}

uint64_t PublicIds::CheckOf(uint64_t payload) const {
  return DigestOf({.low = check_key_, .value = payload}) & kCheckMask;
}

}  // namespace engine::kalshi
