#include "engine/wire/lobster/lines.h"

#include <algorithm>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr int64_t kNanosOfSecond = 1'000'000'000;
constexpr int64_t kSecondsMax = 86'400;
constexpr size_t kDecimalsMax = 9;
constexpr int64_t kNoPrice = 9'999'999'999;  // Of a level that is not there; negative for bids.
constexpr size_t kShownMax = 40;
constexpr size_t kColumns = 6;

absl::Status Expected(absl::string_view field, absl::string_view text, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      field, ": '", absl::CHexEscape(text.substr(0, kShownMax)), "', expected ", what));
}

// Takes the text up to the next comma, and the comma.
absl::string_view TakeField(absl::string_view& line) {
  const size_t end = line.find(',');
  const absl::string_view field = line.substr(0, end);
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  return field;
}

template <typename Int>
absl::StatusOr<Int> TakeInteger(absl::string_view& line, absl::string_view name, Int min, Int max) {
  const absl::string_view text = TakeField(line);
  Int value = 0;
  if (!ParseInteger(text, value) || value < min || value > max) {
    return Expected(name, text, absl::StrCat("a whole number from ", min, " to ", max));
  }
  return value;
}

absl::StatusOr<int64_t> TakeTime(absl::string_view& line) {
  const absl::string_view text = TakeField(line);
  const size_t point = text.find('.');
  const absl::string_view decimals = point == text.npos ? "0" : text.substr(point + 1);
  int64_t seconds = 0;
  uint64_t fraction = 0;
  if (!ParseInteger(text.substr(0, point), seconds) || seconds < 0 || seconds > kSecondsMax ||
      decimals.size() > kDecimalsMax || !ParseInteger(decimals, fraction)) {
    return Expected("time", text, "seconds after midnight, with up to nine decimals");
  }
  for (size_t i = decimals.size(); i < kDecimalsMax; ++i) fraction *= 10;
  return seconds * kNanosOfSecond + static_cast<int64_t>(fraction);
}

absl::StatusOr<LobsterHalt> TakeHalt(absl::string_view& line) {
  const absl::string_view text = TakeField(line);
  if (text == "-1") return LobsterHalt::kHalted;
  if (text == "0") return LobsterHalt::kQuoting;
  if (text == "1") return LobsterHalt::kTrading;
  return Expected("price", text, "-1, 0 or 1, as the type is 7 (halt)");
}

absl::StatusOr<Side> TakeSide(absl::string_view& line) {
  const absl::string_view text = TakeField(line);
  if (text == "1") return Side::kBid;
  if (text == "-1") return Side::kAsk;
  return Expected("direction", text, "1 or -1");
}

// Takes a price and a size, of a level that may not be there.
absl::Status TakeLevel(absl::string_view& line, Side side, std::vector<LobsterLevel>& levels,
                       bool& has_ended) {
  const bool is_bid = side == Side::kBid;
  const absl::string_view price_name = is_bid ? "bid price" : "ask price";
  const absl::string_view size_name = is_bid ? "bid size" : "ask size";
  ASSIGN_OR_RETURN(const int64_t price,
                   TakeInteger<int64_t>(line, price_name, -kNoPrice, kNoPrice));
  ASSIGN_OR_RETURN(const uint64_t size,
                   TakeInteger<uint64_t>(line, size_name, 0, kQuantityMax.units()));
  if (size == 0 || price == kNoPrice || price == -kNoPrice) {
    has_ended = true;
    return absl::OkStatus();
  }
  const bool is_worse = levels.empty() || (is_bid ? price < levels.back().price.units()
                                                  : price > levels.back().price.units());
  if (has_ended || !is_worse || price < 1) {
    return Expected(price_name, absl::StrCat(price),
                    "a price above zero that is worse than that of the level before");
  }
  levels.push_back({.price = Price::FromUnits(price), .quantity = Quantity::FromUnits(size)});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LobsterMessage> ParseLobsterMessage(absl::string_view line) {
  const size_t columns = 1 + static_cast<size_t>(std::count(line.begin(), line.end(), ','));
  // Newer files have a seventh: the participant.
  if (columns != kColumns && columns != kColumns + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(columns, " columns, expected time, type, order, size, price and direction"));
  }
  LobsterMessage message;
  ASSIGN_OR_RETURN(message.nanos, TakeTime(line));
  ASSIGN_OR_RETURN(const int type,
                   TakeInteger<int>(line, "type", 1, static_cast<int>(kLobsterTypeCount)));
  message.type = static_cast<LobsterType>(type);
  ASSIGN_OR_RETURN(message.order,
                   TakeInteger<int64_t>(line, "order", -1, std::numeric_limits<int64_t>::max()));
  const bool is_halt = message.type == LobsterType::kHalt;
  const uint64_t size_min = is_halt || message.type == LobsterType::kCross ? 0 : 1;
  ASSIGN_OR_RETURN(const uint64_t size,
                   TakeInteger<uint64_t>(line, "size", size_min, kQuantityMax.units()));
  if (is_halt) {
    ASSIGN_OR_RETURN(message.halt, TakeHalt(line));
    return message;
  }
  message.size = Quantity::FromUnits(size);
  ASSIGN_OR_RETURN(const int64_t price,
                   TakeInteger<int64_t>(line, "price", size == 0 ? 0 : 1, kNoPrice));
  message.price = Price::FromUnits(price);
  ASSIGN_OR_RETURN(message.side, TakeSide(line));
  return message;
}

absl::Status ParseLobsterBook(absl::string_view line, LobsterBook& book) {
  const size_t columns = 1 + static_cast<size_t>(std::count(line.begin(), line.end(), ','));
  if (columns % 4 != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        columns, " columns, expected four a level: ask price, ask size, bid price, bid size"));
  }
  book.depth = columns / 4;
  book.bids.clear();
  book.asks.clear();
  bool asks_have_ended = false;
  bool bids_have_ended = false;
  while (!line.empty()) {
    RETURN_IF_ERROR(TakeLevel(line, Side::kAsk, book.asks, asks_have_ended));
    RETURN_IF_ERROR(TakeLevel(line, Side::kBid, book.bids, bids_have_ended));
  }
  return absl::OkStatus();
}

}  // namespace engine
