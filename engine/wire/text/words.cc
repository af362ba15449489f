#include "engine/wire/text/words.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"

namespace engine {
namespace {

constexpr size_t kWordBytesShown = 40;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits with at most one point; the first and the last character are digits.
bool IsDecimal(absl::string_view word) {
  bool seen_point = false;
  if (word.empty() || !IsDigit(word.front()) || !IsDigit(word.back())) return false;
  for (const char c : word) {
    if (IsDigit(c)) continue;
    if (c != '.' || seen_point) return false;
    seen_point = true;
  }
  return true;
}

}  // namespace

bool Words::Refuse(absl::string_view expected, absl::string_view found) {
  error_ = absl::InvalidArgumentError(
      absl::StrCat("expected ", expected, ", found ",
                   found.empty() ? std::string("the end of the line") : QuotedWord(found)));
  return false;
}

bool Words::TakeOtherId(uint64_t& id) {
  const absl::string_view word = Take();
  if (word.empty()) return Refuse("an order id", word);
  return ParseInteger(word, id) || Refuse("an order id from 0 to 18446744073709551615", word);
}

bool Words::TakeOtherPrice(DecimalWord& price) {
  price = {.text = Take()};
  price.is_negative = !price.text.empty() && price.text.front() == '-';
  return IsDecimal(price.text.substr(price.is_negative ? 1 : 0)) || Refuse("a price", price.text);
}

bool Words::TakeOtherQuantity(DecimalWord& quantity) {
  quantity = {.text = Take()};
  return IsDecimal(quantity.text) || Refuse("a quantity", quantity.text);
}

std::string QuotedWord(absl::string_view word) {
  return absl::StrCat("'", absl::CEscape(word.substr(0, kWordBytesShown)),
                      word.size() > kWordBytesShown ? "..." : "", "'");
}

}  // namespace engine
