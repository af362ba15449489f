#include "engine/wire/kalshi/capture_frame.h"

#include <limits>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/types/quantity.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int64_t kNanosPerMilli = 1'000'000;
constexpr int64_t kMillisMax = std::numeric_limits<int64_t>::max() / kNanosPerMilli;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// The members of a JSON object. The first that is missing or wrong is the error; what is read after
// it means nothing, and its objects and lists must not be looked at.
class Members {
 public:
  explicit Members(object members) : members_(members) {}

  bool Has(absl::string_view name) const {
    element value;
    return members_[std::string_view(name.data(), name.size())].get(value) == simdjson::SUCCESS &&
           !value.is_null();
  }
  absl::string_view Text(absl::string_view name) {
    std::string_view text;
    Get(name, "a text", text);
    return View(text);
  }
  int64_t Integer(absl::string_view name) {
    int64_t number = 0;
    Get(name, "a whole number", number);
    return number;
  }
  int64_t IntegerIfAny(absl::string_view name) { return Has(name) ? Integer(name) : 0; }
  object Object(absl::string_view name) {
    object members;
    Get(name, "an object", members);
    return members;
  }
  array List(absl::string_view name) {
    array list;
    Get(name, "a list", list);
    return list;
  }

  Price PriceOf(absl::string_view name, absl::string_view text) {
    const std::optional<Price> price = ParsePrice(text);
    if (price.has_value() && *price > Price() && *price < kOneDollar) return *price;
    Refuse(name, text, "a price above 0 and below 1 dollar with at most 4 decimals");
    return Price();
  }
  Count CountOf(absl::string_view name, absl::string_view text, bool is_signed) {
    absl::string_view digits = text;
    const bool is_negative = is_signed && absl::ConsumePrefix(&digits, "-");
    const std::optional<Count> count = ParseCount(digits);
    if (count.has_value() && count->ToQuantity() <= kQuantityMax) {
      return is_negative ? Count() - *count : *count;
    }
    Refuse(name, text, "a count of at most 100,000,000 with at most 2 decimals");
    return Count();
  }

  void Refuse(absl::string_view name, absl::string_view found, absl::string_view expected) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        absl::StrCat(name, ": '", found.substr(0, 64), "', expected ", expected));
  }
  const absl::Status& status() const { return status_; }

 private:
  template <typename Value>
  void Get(absl::string_view name, absl::string_view what, Value& value) {
    if (!status_.ok()) return;
    element found;
    if (members_[std::string_view(name.data(), name.size())].get(found) != simdjson::SUCCESS) {
      status_ = absl::InvalidArgumentError(absl::StrCat(name, ": missing, expected ", what));
    } else if (found.get(value) != simdjson::SUCCESS) {
      status_ = absl::InvalidArgumentError(absl::StrCat(name, ": expected ", what));
    }
  }

  object members_;
  absl::Status status_;
};

// Reads [[price, count], …] of one side.
void ReadLevels(absl::string_view name, Side side, bool is_complement, Members& message,
                std::vector<CaptureLevel>& levels) {
  if (!message.status().ok() || !message.Has(name)) return;
  const array list = message.List(name);
  if (!message.status().ok()) return;
  for (const element each : list) {
    array pair;
    std::string_view price;
    std::string_view count;
    if (each.get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
        pair.at(0).get(price) != simdjson::SUCCESS || pair.at(1).get(count) != simdjson::SUCCESS) {
      return message.Refuse(name, "an entry", "lists of two texts: a price and a count");
    }
    CaptureLevel level = {.side = side,
                          .price = message.PriceOf(name, View(price)),
                          .count = message.CountOf(name, View(count), /*is_signed=*/false)};
    if (!message.status().ok()) return;
    if (is_complement) level.price = Complement(level.price);
    levels.push_back(level);
  }
}

// yes or no.
Side ReadSide(absl::string_view name, Members& message) {
  const absl::string_view side = message.Text(name);
  if (side == "yes") return Side::kBid;
  if (side != "no") message.Refuse(name, side, "yes or no");
  return Side::kAsk;
}

std::optional<Timestamp> FromMillis(absl::string_view name, Members& members) {
  const int64_t millis = members.Integer(name);
  if (millis >= 0 && millis <= kMillisMax) return Timestamp::FromNanos(millis * kNanosPerMilli);
  members.Refuse(name, absl::StrCat(millis), "milliseconds since 1970");
  return std::nullopt;
}

// When it happened: of the two forms, the text of a delta is the finer one.
std::optional<Timestamp> ReadTime(object fields, Members& message) {
  std::string_view text;
  if (fields["ts"].get(text) == simdjson::SUCCESS) {
    const absl::StatusOr<Timestamp> time = Timestamp::Parse(View(text));
    if (time.ok()) return *time;
    message.Refuse("ts", View(text), "a time as 2026-06-11T05:39:31.28563Z");
    return std::nullopt;
  }
  if (!message.Has("ts_ms")) return std::nullopt;
  return FromMillis("ts_ms", message);
}

CaptureType TypeOf(absl::string_view name) {
  if (name == "orderbook_snapshot") return CaptureType::kSnapshot;
  if (name == "orderbook_delta") return CaptureType::kDelta;
  return name == "trade" ? CaptureType::kTrade : CaptureType::kOther;
}

}  // namespace

absl::StatusOr<CaptureFrame> CaptureReader::Read(absl::string_view line) {
  const std::optional<element> root = document_.Parse(line);
  if (!root.has_value()) return absl::InvalidArgumentError(document_.error());
  object top;
  if (root->get(top) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError("expected a JSON object: a frame, or one in an envelope");
  }
  CaptureFrame frame;
  Members envelope(top);
  object whole = top;
  if (envelope.Has("frame")) {
    whole = envelope.Object("frame");
    if (envelope.Has("received_ts_ms")) frame.time = FromMillis("received_ts_ms", envelope);
    if (!envelope.status().ok()) return envelope.status();
  }
  Members fields(whole);
  frame.type_name = fields.Text("type");
  frame.type = TypeOf(frame.type_name);
  frame.sid = fields.IntegerIfAny("sid");
  frame.seq = fields.IntegerIfAny("seq");
  if (frame.type == CaptureType::kOther || !fields.status().ok()) {
    if (!fields.status().ok()) return fields.status();
    return frame;
  }
  const object msg = fields.Object("msg");
  if (!fields.status().ok()) return fields.status();
  Members message(msg);
  frame.ticker = message.Text("market_ticker");
  if (!frame.time.has_value()) frame.time = ReadTime(msg, message);
  if (frame.type == CaptureType::kSnapshot) {
    ReadLevels("yes_dollars_fp", Side::kBid, false, message, frame.levels);
    ReadLevels("no_dollars_fp", Side::kAsk, !use_yes_price_, message, frame.levels);
  } else if (frame.type == CaptureType::kDelta) {
    CaptureLevel level = {
        .side = ReadSide("side", message),
        .price = message.PriceOf("price_dollars", message.Text("price_dollars")),
        .count = message.CountOf("delta_fp", message.Text("delta_fp"), /*is_signed=*/true)};
    if (level.side == Side::kAsk && !use_yes_price_) level.price = Complement(level.price);
    frame.levels.push_back(level);
  } else {
    const bool is_new = message.Has("taker_outcome_side");
    frame.trade = {
        .side = ReadSide(is_new ? "taker_outcome_side" : "taker_side", message),
        .price = message.PriceOf("yes_price_dollars", message.Text("yes_price_dollars")),
        .count = message.CountOf("count_fp", message.Text("count_fp"), /*is_signed=*/false)};
  }
  if (!message.status().ok()) return message.status();
  return frame;
}

}  // namespace engine::kalshi
