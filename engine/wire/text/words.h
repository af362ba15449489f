// The words of a line, taken one after the other, each as its expected type.
//
//   SUBMIT 12 AAPL BUY 320.14 100   # comment
//   ▲      ▲  ▲ ...                 ends the line
//
// A take that fails keeps the error, which names what was expected and what was found. Most words
// are short: up to eight bytes are loaded as one 64-bit integer, the first byte in its lowest bits,
// so that a word's length costs no branches.

#ifndef ENGINE_WIRE_TEXT_WORDS_H_
#define ENGINE_WIRE_TEXT_WORDS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/types/side.h"
#include "engine/wire/text/decimal_word.h"

namespace engine {

// The bytes at `at` as an integer, the first byte in the lowest bits.
template <typename T>
T LoadBytes(const char* at) {
  return LoadLittleEndian<T>(reinterpret_cast<const std::byte*>(at));
}

// Whether `word` equals `keyword`, ignoring case. REQUIRES: `keyword` is in upper case.
template <size_t kBytesAndZero>
bool IsKeyword(absl::string_view word, const char (&keyword)[kBytesAndZero]) {
  constexpr size_t kBytes = kBytesAndZero - 1;
  static_assert(kBytes >= 3 && kBytes <= 8);
  constexpr uint32_t kUpperCase = 0xdfdfdfdf;
  if (word.size() != kBytes) return false;
  if constexpr (kBytes == 3) {
    return (LoadBytes<uint16_t>(word.data()) & kUpperCase) == LoadBytes<uint16_t>(keyword) &&
           (word[2] & ~0x20) == keyword[2];
  } else {  // Compares two halves that may overlap.
    const uint32_t first = LoadBytes<uint32_t>(word.data()) & kUpperCase;
    const uint32_t last = LoadBytes<uint32_t>(word.data() + kBytes - 4) & kUpperCase;
    return ((first ^ LoadBytes<uint32_t>(keyword)) |
            (last ^ LoadBytes<uint32_t>(keyword + kBytes - 4))) == 0;
  }
}

// Not thread-safe: on the stack of the reader of the line. Accepts any bytes.
class Words {
 public:
  // `line` outlives the words that are taken.
  explicit Words(absl::string_view line)
      : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) {}

  // Takes the next word; empty at the end of the line. A word that begins with '#' ends the line.
  absl::string_view Take() {
    SkipBlanks();
    if (at_ != end_ && *at_ == '#') at_ = end_;
    if (at_ == end_) return {};
    const char* const begin = at_;
    const size_t bytes = ShortWordBytes(LoadWord());
    at_ += bytes;
    if (bytes == kLoaded) {
      while (!IsAtWordEnd(at_)) ++at_;
    }
    return {begin, static_cast<size_t>(at_ - begin)};
  }

  // Takes an id. Returns false and sets error() if the next word is not one. The takes below do the
  // same.
  bool TakeId(uint64_t& id) {
    constexpr ptrdiff_t kDigitsMax = 19;  // Any 19 digits fit 64 bits.
    SkipBlanks();
    if (FewDigits few; ReadFewDigits(few) && few.decimal_count == 0) [[likely]] {
      at_ += few.bytes;
      id = few.digits;
      return true;
    }
    const char* at = at_;
    const char* const limit = end_ - at_ > kDigitsMax ? at_ + kDigitsMax : end_;
    uint64_t value = 0;
    while (at != limit && IsDigit(*at)) value = AppendDigit(value, *at++);
    if (at == at_ || !IsAtWordEnd(at)) [[unlikely]]
      return TakeOtherId(id);
    at_ = at;
    id = value;
    return true;
  }

  bool TakeSymbol(absl::string_view& symbol) {
    symbol = Take();
    return !symbol.empty() || Refuse("a symbol", symbol);
  }

  bool TakeSide(Side& side) {
    const absl::string_view word = Take();
    if (IsKeyword(word, "BUY")) {
      side = Side::kBid;
    } else if (IsKeyword(word, "SELL")) {
      side = Side::kAsk;
    } else {
      return Refuse("BUY or SELL", word);
    }
    return true;
  }

  bool TakePrice(DecimalWord& price) {
    return TakeShortDecimal(price, /*may_be_negative=*/true) || TakeOtherPrice(price);
  }

  bool TakeQuantity(DecimalWord& quantity) {
    return TakeShortDecimal(quantity, /*may_be_negative=*/false) || TakeOtherQuantity(quantity);
  }

  bool TakeEnd() {
    const absl::string_view word = Take();
    return word.empty() || Refuse("the end of the line", word);
  }

  // Sets error() and returns false.
  [[gnu::cold]] bool Refuse(absl::string_view expected, absl::string_view found);

  // INVALID_ARGUMENT, "expected <what>, found '<word>'". REQUIRES: a take has failed.
  const absl::Status& error() const { return error_; }

 private:
  static constexpr size_t kLoaded = sizeof(uint64_t);
  static constexpr uint64_t kOnes = 0x0101'0101'0101'0101;

  static constexpr bool IsBlank(char c) { return c == ' ' || c == '\t'; }
  static constexpr bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }
  static constexpr uint64_t AppendDigit(uint64_t value, char digit) {
    return value * 10 + static_cast<unsigned char>(digit - '0');
  }

  bool IsAtWordEnd(const char* at) const { return at == end_ || IsBlank(*at); }
  void SkipBlanks() {
    while (at_ != end_ && IsBlank(*at_)) ++at_;
  }

  // Up to eight bytes of the line from here on; bytes after its end are zero. REQUIRES: not at its
  // end.
  uint64_t LoadWord() const {
    const auto left = static_cast<size_t>(end_ - at_);
    if (left >= kLoaded) [[likely]]
      return LoadBytes<uint64_t>(at_);
    if (static_cast<size_t>(end_ - begin_) >= kLoaded) {
      return LoadBytes<uint64_t>(end_ - kLoaded) >> (8 * (kLoaded - left));
    }
    uint64_t loaded = 0;
    std::memcpy(&loaded, at_, left);
    return loaded;
  }

  // The highest bit of the first byte that equals `byte`, and of some later bytes; 0 if no byte is
  // equal.
  static constexpr uint64_t Matches(uint64_t loaded, unsigned char byte) {
    const uint64_t differing = loaded ^ (kOnes * byte);
    return (differing - kOnes) & ~differing & (kOnes << 7);
  }

  // The length of the word at the beginning of LoadWord(); kLoaded if it may be longer.
  size_t ShortWordBytes(uint64_t loaded) const {
    const uint64_t blanks = Matches(loaded, ' ') | Matches(loaded, '\t');
    const auto left = static_cast<size_t>(end_ - at_);
    const size_t bytes = blanks == 0 ? kLoaded : static_cast<size_t>(std::countr_zero(blanks)) / 8;
    return bytes < left ? bytes : left;
  }

  struct FewDigits {
    uint64_t digits = 0;
    unsigned bytes = 0;
    unsigned decimal_count = 0;  // Digits after the point.
  };

  // Reads the word here if it has at most seven bytes: digits with at most one point between them.
  bool ReadFewDigits(FewDigits& few) const {
    if (at_ == end_) return false;
    const uint64_t loaded = LoadWord();
    const size_t bytes = ShortWordBytes(loaded);
    if (bytes == 0 || bytes == kLoaded) return false;
    // Moves the last digit to the highest byte.
    uint64_t text = loaded << (8 * (kLoaded - bytes));
    size_t digit_count = bytes;
    size_t decimal_count = 0;
    if (const uint64_t point = Matches(text, '.'); point != 0) {
      const auto place = static_cast<size_t>(std::countr_zero(point)) / 8;
      decimal_count = kLoaded - 1 - place;
      const uint64_t before = (uint64_t{1} << (8 * place)) - 1;
      text = (text & ~(before << 8 | 0xff)) | (text & before) << 8;
      --digit_count;
      if (decimal_count == 0 || decimal_count == digit_count) return false;
    }
    const uint64_t values = text ^ ((kOnes * '0') << (8 * (kLoaded - digit_count)));
    if (((values + kOnes * (0x7f - 9)) | values) & (kOnes << 7)) return false;  // No digit.
    // Combines digits into pairs, pairs into fours, fours into the number.
    const uint64_t pairs = values * 10 + (values >> 8);
    constexpr uint64_t kPairMask = 0x0000'00ff'0000'00ff;
    few.digits = ((pairs & kPairMask) * (100 + (uint64_t{1'000'000} << 32)) +
                  ((pairs >> 16) & kPairMask) * (1 + (uint64_t{10'000} << 32))) >>
                 32;
    few.bytes = static_cast<unsigned>(bytes);
    few.decimal_count = static_cast<unsigned>(decimal_count);
    return true;
  }

  // Takes a number of at most kDigitsMax digits. Returns false and takes nothing if the word is
  // anything else.
  bool TakeShortDecimal(DecimalWord& decimal, bool may_be_negative) {
    SkipBlanks();
    if (FewDigits few; ReadFewDigits(few)) [[likely]] {
      decimal = {.text = {at_, few.bytes},
                 .digits = few.digits,
                 .decimal_count = static_cast<uint8_t>(few.decimal_count),
                 .is_negative = false,
                 .is_read = true};
      at_ += few.bytes;
      return true;
    }
    const char* at = at_;
    const bool is_negative = may_be_negative && at != end_ && *at == '-';
    if (is_negative) ++at;
    const char* const limit =
        end_ - at > DecimalWord::kDigitsMax + 1 ? at + DecimalWord::kDigitsMax + 1 : end_;
    const char* const first = at;
    uint64_t digits = 0;
    while (at != limit && IsDigit(*at)) digits = AppendDigit(digits, *at++);
    ptrdiff_t digit_count = at - first;
    ptrdiff_t decimal_count = 0;
    if (digit_count > 0 && at != limit && *at == '.') {
      const char* const fraction_begin = ++at;
      while (at != limit && IsDigit(*at)) digits = AppendDigit(digits, *at++);
      decimal_count = at - fraction_begin;
      digit_count = decimal_count > 0 ? digit_count + decimal_count : 0;
    }
    if (digit_count == 0 || digit_count > DecimalWord::kDigitsMax || !IsAtWordEnd(at)) [[unlikely]]
      return false;
    decimal.text = {at_, static_cast<size_t>(at - at_)};
    decimal.digits = digits;
    decimal.decimal_count = static_cast<uint8_t>(decimal_count);
    decimal.is_negative = is_negative;
    decimal.is_read = true;
    at_ = at;
    return true;
  }

  // For words that are long or malformed.
  [[gnu::cold]] bool TakeOtherId(uint64_t& id);
  [[gnu::cold]] bool TakeOtherPrice(DecimalWord& price);
  [[gnu::cold]] bool TakeOtherQuantity(DecimalWord& quantity);

  const char* const begin_;
  const char* at_;
  const char* const end_;
  absl::Status error_;
};

// A word as error messages show it: non-printable bytes escaped, long words cut.
std::string QuotedWord(absl::string_view word);

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_WORDS_H_
