#include "engine/wire/text/request.h"

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr size_t kWordBytesShown = 40;

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

  absl::Status TakeOptionalTif(TimeInForce& tif) {
    const absl::string_view word = Take();
    if (word.empty() || Is(word, "GTC")) {
      tif = TimeInForce::kGoodTillCancelled;
    } else if (Is(word, "IOC")) {
      tif = TimeInForce::kImmediateOrCancel;
    } else if (Is(word, "FOK")) {
      tif = TimeInForce::kFillOrKill;
    } else {
      return Unexpected("GTC, IOC, FOK or the end of the line", word);
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
  absl::string_view rest_;
};

absl::StatusOr<TextRequest> ParseSubmit(Words& words) {
  SubmitRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakeSymbol(request.symbol));
  RETURN_IF_ERROR(words.TakeSide(request.side));
  RETURN_IF_ERROR(words.TakePrice(request.price));
  RETURN_IF_ERROR(words.TakeQuantity(request.quantity));
  RETURN_IF_ERROR(words.TakeOptionalTif(request.tif));
  RETURN_IF_ERROR(words.TakeEnd());
  return request;
}

absl::StatusOr<TextRequest> ParseMarket(Words& words) {
  MarketRequest request;
  RETURN_IF_ERROR(words.TakeId(request.id));
  RETURN_IF_ERROR(words.TakeSymbol(request.symbol));
  RETURN_IF_ERROR(words.TakeSide(request.side));
  RETURN_IF_ERROR(words.TakeQuantity(request.quantity));
  RETURN_IF_ERROR(words.TakeEnd());
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
