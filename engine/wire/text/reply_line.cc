#include "engine/wire/text/reply_line.h"

#include <cstdlib>

#include "engine/base/check.h"
#include "engine/types/decimal.h"

namespace engine {

ReplyLine& ReplyLine::LongNumber(uint64_t value) {
  Number(value / EightDigits::kBound);
  return Word(EightDigits(value % EightDigits::kBound).Text(8), 8);
}

ReplyLine& ReplyLine::LongDecimal(uint64_t units, int decimals) {
  CHECK(decimals > 0 && decimals <= kDecimalsMax) << decimals;
  static_assert(kDecimalsMax == 9, "after the point are at most one digit and eight");
  uint64_t dollar = 1;
  for (int i = 0; i < decimals; ++i) dollar *= 10;
  Number(units / dollar).Text(".");
  const uint64_t fraction = units % dollar;
  auto left = static_cast<size_t>(decimals);
  if (left > 8) {
    Number(fraction / EightDigits::kBound);
    left = 8;
  }
  return Word(EightDigits(fraction % EightDigits::kBound).Text(left), left);
}

void ReplyLine::FailTooLong(size_t bytes) const {
  CHECK(false) << "a reply of " << size_ << " bytes and " << bytes;
  std::abort();
}

}  // namespace engine
