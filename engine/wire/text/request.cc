#include "engine/wire/text/request.h"

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"

namespace engine {
namespace {

constexpr size_t kWordBytesShown = 40;
constexpr uint32_t kGroupMax = 65'535;

constexpr bool IsBlank(char c) { return c == ' ' || c == '\t'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// `keyword` is in upper case.
bool Is(absl::string_view word, absl::string_view keyword) {
  if (word.size() != keyword.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if ((word[i] & ~0x20) != keyword[i]) return false;
  }
  return true;
}

// Digits, at most one point among them; a digit first and last.
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

// The words of a line, one after the other. Every take that fails returns the error to pass up.
class Words {
 public:
  explicit Words(absl::string_view line) : rest_(line) {}

  // Empty at the end of the line. A word that begins with '#' ends it.
  absl::string_view Take() {
    size_t begin = 0;
    while (begin < rest_.size() && IsBlank(rest_[begin])) ++begin;
    if (begin == rest_.size() || rest_[begin] == '#') return rest_ = {};
    size_t end = begin;
    while (end < rest_.size() && !IsBlank(rest_[end])) ++end;
    const absl::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }

  absl::Status TakeId(uint64_t& id) {
    const absl::string_view word = Take();
    id = 0;
    for (const char c : word) {
      if (!IsDigit(c) || __builtin_mul_overflow(id, 10, &id) ||
          __builtin_add_overflow(id, static_cast<uint64_t>(c - '0'), &id)) {
        return Unexpected("an order id from 0 to 18446744073709551615", word);
      }
    }
    return word.empty() ? Unexpected("an order id", word) : absl::OkStatus();
  }

  absl::Status TakeSymbol(absl::string_view& symbol) {
    symbol = Take();
    return symbol.empty() ? Unexpected("a symbol", symbol) : absl::OkStatus();
  }

  absl::Status TakeSide(Side& side) {
    const absl::string_view word = Take();
    if (Is(word, "BUY")) {
      side = Side::kBid;
    } else if (Is(word, "SELL")) {
      side = Side::kAsk;
    } else {
      return Unexpected("BUY or SELL", word);
    }
    return absl::OkStatus();
  }

  absl::Status TakePrice(absl::string_view& price) {
    price = Take();
    const bool is_negative = !price.empty() && price.front() == '-';
    return IsDecimal(price.substr(is_negative ? 1 : 0)) ? absl::OkStatus()
                                                        : Unexpected("a price", price);
  }

  absl::Status TakeQuantity(absl::string_view& quantity) {
    quantity = Take();
    return IsDecimal(quantity) ? absl::OkStatus() : Unexpected("a quantity", quantity);
  }

  // `word` becomes the first that is no time in force.
  absl::Status TakeOptionalTif(SubmitRequest& request, absl::string_view& word, bool& is_there) {
    is_there = false;
    word = Take();
    absl::string_view time;
    if (Is(word, "GTC")) {
      request.tif = TimeInForce::kGoodTillCancelled;
    } else if (Is(word, "IOC")) {
      request.tif = TimeInForce::kImmediateOrCancel;
    } else if (Is(word, "FOK")) {
      request.tif = TimeInForce::kFillOrKill;
    } else if (Is(word, "DAY")) {
      request.tif = TimeInForce::kDay;
    } else if (SplitValue(word, "GTT", time)) {
      const absl::StatusOr<Timestamp> parsed = Timestamp::Parse(time);
      if (!parsed.ok()) return Unexpected("GTT=<time>, e.g. 2026-01-01T16:00:00Z", word);
      request.tif = TimeInForce::kGoodTillTime;
      request.expires_at = *parsed;
    } else {
      return absl::OkStatus();
    }
    is_there = true;
    word = Take();
    return absl::OkStatus();
  }

  // Those from `word` to the end of the line, each at most once. `otherwise` is what the first word
  // could have been too.
  absl::Status TakeOptions(absl::string_view word, absl::string_view otherwise,
                           OrderOptions& options) {
    unsigned seen = 0;
    for (; !word.empty(); word = Take()) {
      unsigned option = 0;
      RETURN_IF_ERROR(ReadOption(word, seen == 0 ? otherwise : "", options, option));
      if ((seen & option) != 0) return Unexpected("each option once", word);
      seen |= option;
    }
    return absl::OkStatus();
  }

  absl::Status TakeEnd() {
    const absl::string_view word = Take();
    return word.empty() ? absl::OkStatus() : Unexpected("the end of the line", word);
  }

  static absl::Status Unexpected(absl::string_view expected, absl::string_view found) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", expected, ", found ",
                     found.empty() ? std::string("the end of the line") : QuotedWord(found)));
  }

 private:
  // GROUP=7: whether the word is `keyword` with a value.
  static bool SplitValue(absl::string_view word, absl::string_view keyword,
                         absl::string_view& value) {
    const size_t equals = keyword.size();
    if (word.size() <= equals || word[equals] != '=' || !Is(word.substr(0, equals), keyword)) {
      return false;
    }
    value = word.substr(equals + 1);
    return true;
  }

  // `option` becomes a bit that stands for it.
  static absl::Status ReadOption(absl::string_view word, absl::string_view otherwise,
                                 OrderOptions& options, unsigned& option) {
    absl::string_view value;
    if (Is(word, "POST")) {
      option = 1;
      options.flags = options.flags.WithPostOnly();
    } else if (Is(word, "REDUCE")) {
      option = 2;
      options.flags = options.flags.WithReduceOnly();
    } else if (Is(word, "PAUSE")) {
      option = 4;
      options.flags = options.flags.WithCancelOnPause();
    } else if (SplitValue(word, "STP", value)) {
      option = 8;
      const auto prevention = Is(value, "TAKER")   ? SelfTradePrevention::kCancelTaker
                              : Is(value, "MAKER") ? SelfTradePrevention::kCancelMaker
                              : Is(value, "BOTH")  ? SelfTradePrevention::kCancelBoth
                                                   : SelfTradePrevention::kNone;
      if (prevention == SelfTradePrevention::kNone) {
        return Unexpected("STP=TAKER, STP=MAKER or STP=BOTH", word);
      }
      options.flags = options.flags.WithSelfTradePrevention(prevention);
    } else if (SplitValue(word, "GROUP", value)) {
      option = 16;
      uint32_t group = 0;
      for (const char c : value) {
        group = IsDigit(c) && group <= kGroupMax ? group * 10 + static_cast<uint32_t>(c - '0')
                                                 : kGroupMax + 1;
      }
      if (group == 0 || group > kGroupMax) return Unexpected("GROUP=1 to GROUP=65535", word);
      options.group = GroupId(static_cast<uint16_t>(group));
    } else {
      return Unexpected(
          absl::StrCat(otherwise, "POST, REDUCE, STP, PAUSE, GROUP or the end of the line"), word);
    }
    return absl::OkStatus();
  }

  absl::string_view rest_;
};

absl::StatusOr<TextRequest> ParseSubmit(Words& words) {
  SubmitRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakeSymbol(request.symbol));
  RETURN_IF_ERROR(words.TakeSide(request.side));
  RETURN_IF_ERROR(words.TakePrice(request.price));
  RETURN_IF_ERROR(words.TakeQuantity(request.quantity));
  absl::string_view word;
  bool has_tif = false;
  RETURN_IF_ERROR(words.TakeOptionalTif(request, word, has_tif));
  RETURN_IF_ERROR(
      words.TakeOptions(word, has_tif ? "" : "GTC, IOC, FOK, DAY, GTT, ", request.options));
  return request;
}

absl::StatusOr<TextRequest> ParseMarket(Words& words) {
  MarketRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakeSymbol(request.symbol));
  RETURN_IF_ERROR(words.TakeSide(request.side));
  RETURN_IF_ERROR(words.TakeQuantity(request.quantity));
  RETURN_IF_ERROR(words.TakeOptions(words.Take(), "", request.options));
  return request;
}

absl::StatusOr<TextRequest> ParseCancel(Words& words) {
  CancelRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakeEnd());
  return request;
}

absl::StatusOr<TextRequest> ParseModify(Words& words) {
  ModifyRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakePrice(request.price));
  RETURN_IF_ERROR(words.TakeQuantity(request.quantity));
  RETURN_IF_ERROR(words.TakeEnd());
  return request;
}

absl::StatusOr<TextRequest> ParsePrint(Words& words) {
  PrintRequest request;
  request.symbol = words.Take();
  RETURN_IF_ERROR(words.TakeEnd());
  return request;
}

}  // namespace

absl::StatusOr<TextRequest> ParseTextRequest(absl::string_view line) {
  Words words(line);
  const absl::string_view keyword = words.Take();
  if (keyword.empty()) return NoRequest();
  if (Is(keyword, "SUBMIT")) return ParseSubmit(words);
  if (Is(keyword, "CANCEL")) return ParseCancel(words);
  if (Is(keyword, "MODIFY")) return ParseModify(words);
  if (Is(keyword, "MARKET")) return ParseMarket(words);
  if (Is(keyword, "PRINT")) return ParsePrint(words);
  return Words::Unexpected("SUBMIT, MARKET, CANCEL, MODIFY or PRINT", keyword);
}

std::string QuotedWord(absl::string_view word) {
  return absl::StrCat("'", absl::CEscape(word.substr(0, kWordBytesShown)),
                      word.size() > kWordBytesShown ? "..." : "", "'");
}

}  // namespace engine
