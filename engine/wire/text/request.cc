#include "engine/wire/text/request.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/wire/text/words.h"

namespace engine {
namespace {

// Whether the word has the form `keyword`=<value>, such as GROUP=7. Sets `value`.
template <size_t kBytesAndZero>
bool SplitValue(absl::string_view word, const char (&keyword)[kBytesAndZero],
                absl::string_view& value) {
  constexpr size_t kEquals = kBytesAndZero - 1;
  if (word.size() <= kEquals || word[kEquals] != '=' ||
      !IsKeyword(word.substr(0, kEquals), keyword)) {
    return false;
  }
  value = word.substr(kEquals + 1);
  return true;
}

// Sets `word` to the first word that is not a time in force.
bool TakeOptionalTif(Words& words, SubmitRequest& request, absl::string_view& word,
                     bool& is_there) {
  is_there = false;
  word = words.Take();
  if (word.empty()) return true;
  absl::string_view time;
  if (IsKeyword(word, "GTC")) {
    request.tif = TimeInForce::kGoodTillCancelled;
  } else if (IsKeyword(word, "IOC")) {
    request.tif = TimeInForce::kImmediateOrCancel;
  } else if (IsKeyword(word, "FOK")) {
    request.tif = TimeInForce::kFillOrKill;
  } else if (IsKeyword(word, "DAY")) {
    request.tif = TimeInForce::kDay;
  } else if (SplitValue(word, "GTT", time)) {
    const absl::StatusOr<Timestamp> parsed = Timestamp::Parse(time);
    if (!parsed.ok()) return words.Refuse("GTT=<time>, e.g. 2026-01-01T16:00:00Z", word);
    request.tif = TimeInForce::kGoodTillTime;
    request.expires_at = *parsed;
  } else {
    return true;
  }
  is_there = true;
  word = words.Take();
  return true;
}

// Sets `option` to the bit of this option. `otherwise` lists the other words allowed here, for
// errors.
bool ReadOption(Words& words, absl::string_view word, absl::string_view otherwise,
                OrderOptions& options, unsigned& option) {
  absl::string_view value;
  if (IsKeyword(word, "POST")) {
    option = 1;
    options.flags = options.flags.WithPostOnly();
  } else if (IsKeyword(word, "REDUCE")) {
    option = 2;
    options.flags = options.flags.WithReduceOnly();
  } else if (IsKeyword(word, "PAUSE")) {
    option = 4;
    options.flags = options.flags.WithCancelOnPause();
  } else if (SplitValue(word, "STP", value)) {
    option = 8;
    const auto prevention = IsKeyword(value, "TAKER")   ? SelfTradePrevention::kCancelTaker
                            : IsKeyword(value, "MAKER") ? SelfTradePrevention::kCancelMaker
                            : IsKeyword(value, "BOTH")  ? SelfTradePrevention::kCancelBoth
                                                        : SelfTradePrevention::kNone;
    if (prevention == SelfTradePrevention::kNone) {
      return words.Refuse("STP=TAKER, STP=MAKER or STP=BOTH", word);
    }
    options.flags = options.flags.WithSelfTradePrevention(prevention);
  } else if (SplitValue(word, "GROUP", value)) {
    option = 16;
    uint32_t group = 0;
    if (!ParseInteger(value, group) || group == 0 || GroupId(group) > kGroupIdMax) {
      return words.Refuse(absl::StrCat("GROUP=1 to GROUP=", kGroupIdMax.value()), word);
    }
    options.group = GroupId(group);
  } else {
    return words.Refuse(
        absl::StrCat(otherwise, "POST, REDUCE, STP, PAUSE, GROUP or the end of the line"), word);
  }
  return true;
}

// Reads the options from `word` to the end of the line, each at most once. `otherwise` lists the
// other words allowed as the first word, for errors.
bool TakeOptions(Words& words, absl::string_view word, absl::string_view otherwise,
                 OrderOptions& options) {
  unsigned seen = 0;
  for (; !word.empty(); word = words.Take()) {
    unsigned option = 0;
    if (!ReadOption(words, word, seen == 0 ? otherwise : "", options, option)) return false;
    if ((seen & option) != 0) return words.Refuse("each option once", word);
    seen |= option;
  }
  return true;
}

bool Read(Words& words, SubmitRequest& request) {
  absl::string_view word;
  bool has_tif = false;
  return words.TakeId(request.id) && words.TakeSymbol(request.symbol) &&
         words.TakeSide(request.side) && words.TakePrice(request.price) &&
         words.TakeQuantity(request.quantity) && TakeOptionalTif(words, request, word, has_tif) &&
         TakeOptions(words, word, has_tif ? "" : "GTC, IOC, FOK, DAY, GTT, ", request.options);
}

bool Read(Words& words, MarketRequest& request) {
  return words.TakeId(request.id) && words.TakeSymbol(request.symbol) &&
         words.TakeSide(request.side) && words.TakeQuantity(request.quantity) &&
         TakeOptions(words, words.Take(), "", request.options);
}

bool Read(Words& words, CancelRequest& request) {
  return words.TakeId(request.id) && words.TakeEnd();
}

bool Read(Words& words, ModifyRequest& request) {
  return words.TakeId(request.id) && words.TakePrice(request.price) &&
         words.TakeQuantity(request.quantity) && words.TakeEnd();
}

bool Read(Words& words, PrintRequest& request) {
  request.symbol = words.Take();
  return words.TakeEnd();
}

bool Read(Words& words, PolicyRequest& request) {
  const absl::string_view word = words.Take();
  if (IsKeyword(word, "NONE")) {
    request.policy = TextAckPolicy::kNone;
  } else if (IsKeyword(word, "WRITTEN")) {
    request.policy = TextAckPolicy::kWritten;
  } else if (IsKeyword(word, "DISK")) {
    request.policy = TextAckPolicy::kDisk;
  } else {
    return words.Refuse("NONE, WRITTEN or DISK", word);
  }
  return words.TakeEnd();
}

template <typename Request>
absl::StatusOr<TextRequest> Parse(Words& words) {
  absl::StatusOr<TextRequest> request(absl::in_place, std::in_place_type<Request>);
  if (!Read(words, std::get<Request>(*request))) request = words.error();
  return request;
}

}  // namespace

absl::StatusOr<TextRequest> ParseTextRequest(absl::string_view line) {
  Words words(line);
  const absl::string_view keyword = words.Take();
  if (keyword.empty()) return NoRequest();
  if (IsKeyword(keyword, "SUBMIT")) return Parse<SubmitRequest>(words);
  if (IsKeyword(keyword, "CANCEL")) return Parse<CancelRequest>(words);
  if (IsKeyword(keyword, "MODIFY")) return Parse<ModifyRequest>(words);
  if (IsKeyword(keyword, "MARKET")) return Parse<MarketRequest>(words);
  if (IsKeyword(keyword, "PRINT")) return Parse<PrintRequest>(words);
  if (IsKeyword(keyword, "POLICY")) return Parse<PolicyRequest>(words);
  words.Refuse("SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY", keyword);
  return words.error();
}

}  // namespace engine
