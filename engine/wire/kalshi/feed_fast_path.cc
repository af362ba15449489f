#include "engine/wire/kalshi/feed_fast_path.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/status/statusor.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/digits.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/plain_text.h"

namespace engine::kalshi {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kNanosPerMilli = 1'000'000;
constexpr size_t kNanosDecimals = 9;
constexpr std::array<int64_t, kNanosDecimals + 1> kPowersOfTen = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
// With two decimals more, any number of so many digits fits 63 bits.
static_assert(kDigitsMax == 16);
constexpr int64_t kMillisMax = std::numeric_limits<int64_t>::max() / kNanosPerMilli;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Like memcmp, which is a call for more than 16 bytes.
template <size_t kSize>
bool AreEqual(const char* a, const char* b) {
  constexpr size_t kWord = sizeof(uint64_t);
  if constexpr (kSize <= 2 * kWord) {
    return std::memcmp(a, b, kSize) == 0;
  } else {
    return std::memcmp(a, b, 2 * kWord) == 0 &&
           AreEqual<kSize - 2 * kWord>(a + 2 * kWord, b + 2 * kWord);
  }
}

// Takes what it expects from the front of a text. Each function is false, and the rest of the text
// then unspecified, if something else is there.
class Scanner {
 public:
  explicit Scanner(absl::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  template <size_t kSize>
  bool Take(const char (&literal)[kSize]) {
    if (!StartsWith(literal)) return false;
    at_ += kSize - 1;
    return true;
  }
  template <size_t kSize>
  bool StartsWith(const char (&literal)[kSize]) const {
    return size() >= kSize - 1 && AreEqual<kSize - 1>(at_, literal);
  }

  // The rest of a string, with its closing quotation mark.
  bool TakeText(absl::string_view& text) {
    const size_t bytes = PlainSize({at_, size()});
    text = {at_, bytes};
    at_ += bytes;
    return Take("\"");
  }
  bool SkipText() {
    absl::string_view text;
    return TakeText(text);
  }
  bool TakeOutcome(Side& side) {
    if (Take("yes\"")) {
      side = Side::kBid;
      return true;
    }
    side = Side::kAsk;
    return Take("no\"");
  }
  // Above 0 and below 1 dollar, with all decimals.
  bool TakePrice(Price& price) {
    if (!Take("0.")) return false;
    int64_t units = 0;
    if (!TakeDigits(kPriceDecimals, units) || units == 0) return false;
    price = Price::FromUnits(units);
    return Take("\"");
  }
  // With both decimals.
  bool TakeCount(Count max, Count& count) {
    int64_t hundredths = 0;
    if (!TakeInteger(hundredths) || !Take(".") || !TakeDigits(2, hundredths)) return false;
    count = Count::FromHundredths(hundredths);
    return count <= max && Take("\"");
  }
  bool TakeSignedCount(Count max, Count& count) {
    const bool is_negative = Take("-");
    if (!TakeCount(max, count)) return false;
    if (is_negative) count = Count() - count;
    return true;
  }
  // Without a sign, of at most kDigitsMax digits.
  bool TakeInteger(int64_t& value) {
    const char* const first = at_;
    if (!SkipInteger()) return false;
    value =
        DigitsValue({first, static_cast<size_t>(end_ - first)}, static_cast<size_t>(at_ - first));
    return true;
  }
  bool SkipInteger() {
    const char* const first = at_;
    const size_t count = DigitCount({at_, size()});
    at_ += count;
    return count == 1 || (count != 0 && *first != '0');
  }
  // A time in UTC, with at most 9 decimals.
  bool TakeTime(Midnights& midnights, Timestamp& time) {
    if (size() < Midnights::kDateBytes) return false;
    Timestamp midnight;
    if (!midnights.Find(at_, midnight)) return false;
    at_ += Midnights::kDateBytes;
    int64_t hours = 0;
    int64_t minutes = 0;
    int64_t seconds = 0;
    if (!TakeDigits(2, hours) || !Take(":") || !TakeDigits(2, minutes) || !Take(":") ||
        !TakeDigits(2, seconds) || hours > 23 || minutes > 59 || seconds > 59) {
      return false;
    }
    int64_t nanos = 0;
    if (Take(".") && !TakeFraction(nanos)) return false;
    nanos += ((hours * 60 + minutes) * 60 + seconds) * kNanosPerSecond;
    int64_t sum = 0;
    if (__builtin_add_overflow(midnight.nanos(), nanos, &sum)) return false;
    time = Timestamp::FromNanos(sum);
    return Take("Z\"");
  }
  // The end, perhaps after blanks.
  bool AtEnd() {
    while (at_ < end_ && (*at_ == '\n' || *at_ == ' ' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ == end_;
  }

 private:
  size_t size() const { return static_cast<size_t>(end_ - at_); }

  // Appends exactly `count` digits to `value`.
  bool TakeDigits(int count, int64_t& value) {
    if (end_ - at_ < count) return false;
    for (int i = 0; i < count; ++i, ++at_) {
      if (!IsDigit(*at_)) return false;
      value = value * 10 + (*at_ - '0');
    }
    return true;
  }
  // 1 to 9 decimals of a second.
  bool TakeFraction(int64_t& nanos) {
    const size_t count = DigitCount({at_, size()});
    if (count == 0 || count > kNanosDecimals) return false;
    nanos = DigitsValue({at_, size()}, count) * kPowersOfTen[kNanosDecimals - count];
    at_ += count;
    return true;
  }

  const char* at_;
  const char* const end_;
};

// {"type":"…","sid": has been taken.
bool TakeAddress(Scanner& in, FeedFrame& frame) {
  return in.TakeInteger(frame.sid) && in.Take(R"(,"seq":)") && in.TakeInteger(frame.seq) &&
         in.Take(R"(,"msg":{)");
}

bool TakeDelta(Scanner& in, const FeedForm& form, Midnights& midnights, FeedFrame& frame,
               FeedLevel& level) {
  if (!TakeAddress(in, frame) || !in.Take(R"("market_ticker":")") || !in.TakeText(frame.ticker) ||
      !in.Take(R"(,"market_id":")") || !in.SkipText() ||  //
      !in.Take(R"(,"price_dollars":")") || !in.TakePrice(level.price) ||
      !in.Take(R"(,"delta_fp":")") || !in.TakeSignedCount(form.count_max, level.count) ||
      !in.Take(R"(,"side":")") || !in.TakeOutcome(level.side) ||  //
      !in.Take(R"(,"ts":")") || !in.TakeTime(midnights, frame.time)) {
    return false;
  }
  if (in.Take(R"(,"ts_ms":)") && !in.SkipInteger()) return false;
  if (in.Take(R"(,"client_order_id":")") && !in.SkipText()) return false;
  if (in.Take(R"(,"subaccount":)") && !in.SkipInteger()) return false;
  return in.Take("}}") && in.AtEnd();
}

bool TakeTrade(Scanner& in, const FeedForm& form, FeedFrame& frame, FeedLevel& level) {
  if (!TakeAddress(in, frame) || !in.Take(R"("trade_id":")") || !in.SkipText() ||
      !in.Take(R"(,"market_ticker":")") || !in.TakeText(frame.ticker) ||
      !in.Take(R"(,"yes_price_dollars":")") || !in.TakePrice(level.price) ||
      !in.Take(R"(,"no_price_dollars":")") || !in.SkipText() ||  //
      !in.Take(R"(,"count_fp":")") || !in.TakeCount(form.count_max, level.count) ||
      !in.Take(R"(,"taker_side":")") || !in.SkipText() || !in.Take(R"(,"taker_outcome_side":")") ||
      !in.TakeOutcome(level.side) || !in.Take(R"(,"taker_book_side":")") || !in.SkipText() ||
      !(in.Take(R"(,"is_block_trade":false)") || in.Take(R"(,"is_block_trade":true)")) ||
      !in.Take(R"(,"ts":)") || !in.SkipInteger()) {
    return false;
  }
  int64_t millis = 0;
  if (!in.Take(R"(,"ts_ms":)") || !in.TakeInteger(millis) || millis > kMillisMax) return false;
  frame.time = Timestamp::FromNanos(millis * kNanosPerMilli);
  return in.Take("}}") && in.AtEnd();
}

}  // namespace

bool Midnights::Find(const char* date, Timestamp& midnight) {
  if (std::memcmp(date, date_.data(), kDateBytes) != 0) {
    constexpr absl::string_view kMidnight = "00:00:00Z";
    std::array<char, kDateBytes + kMidnight.size()> text;
    std::memcpy(text.data(), date, kDateBytes);
    std::memcpy(text.data() + kDateBytes, kMidnight.data(), kMidnight.size());
    if (text[kDateBytes - 1] != 'T') return false;
    const absl::StatusOr<Timestamp> time = Timestamp::Parse({text.data(), text.size()});
    if (!time.ok()) return false;
    std::memcpy(date_.data(), date, kDateBytes);
    midnight_ = *time;
  }
  midnight = midnight_;
  return true;
}

// Inlined as a whole: the place in the text then stays in a register.
[[gnu::flatten]] bool FeedFastPath::Read(absl::string_view bytes, FeedFrame& frame) {
  Scanner in(bytes);
  FeedLevel& level = frame.levels.emplace_back();
  if (in.Take(R"({"type":"orderbook_delta","sid":)")) {
    frame.type = FeedType::kDelta;
    if (!TakeDelta(in, form_, midnights_, frame, level)) return false;
    ToYesPrice(form_, level);
  } else if (in.Take(R"({"type":"trade","sid":)")) {
    frame.type = FeedType::kTrade;
    if (!TakeTrade(in, form_, frame, level)) return false;
  } else {
    return false;
  }
  return true;
}

}  // namespace engine::kalshi
