#include "engine/wire/kalshi/json_members.h"

#include <limits>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int64_t kNanosPerMilli = 1'000'000;
constexpr int64_t kMillisMax = std::numeric_limits<int64_t>::max() / kNanosPerMilli;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }
std::string_view StdView(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace

template <typename Value>
void JsonMembers::Get(absl::string_view name, absl::string_view what, Value& value) {
  if (!status_.ok()) return;
  element found;
  if (members_[StdView(name)].get(found) != simdjson::SUCCESS) {
    status_ = absl::InvalidArgumentError(absl::StrCat(name, ": missing, expected ", what));
  } else if (found.get(value) != simdjson::SUCCESS) {
    status_ = absl::InvalidArgumentError(absl::StrCat(name, ": expected ", what));
  }
}

bool JsonMembers::Has(absl::string_view name) const {
  element value;
  return members_[StdView(name)].get(value) == simdjson::SUCCESS && !value.is_null();
}

bool JsonMembers::HasText(absl::string_view name) const {
  std::string_view text;
  return members_[StdView(name)].get(text) == simdjson::SUCCESS;
}

absl::string_view JsonMembers::Text(absl::string_view name) {
  std::string_view text;
  Get(name, "a text", text);
  return View(text);
}

absl::string_view JsonMembers::TextIfAny(absl::string_view name) {
  return Has(name) ? Text(name) : "";
}

int64_t JsonMembers::Integer(absl::string_view name) {
  int64_t number = 0;
  Get(name, "a whole number", number);
  return number;
}

int64_t JsonMembers::IntegerIfAny(absl::string_view name) { return Has(name) ? Integer(name) : 0; }

bool JsonMembers::Boolean(absl::string_view name) {
  bool value = false;
  Get(name, "true or false", value);
  return value;
}

bool JsonMembers::BooleanIfAny(absl::string_view name) { return Has(name) && Boolean(name); }

object JsonMembers::Object(absl::string_view name) {
  object members;
  Get(name, "an object", members);
  return members;
}

array JsonMembers::List(absl::string_view name) {
  array list;
  Get(name, "a list", list);
  return list;
}

Price JsonMembers::PriceOf(absl::string_view name) {
  const absl::string_view text = Text(name);
  const std::optional<Price> price = ParsePrice(text);
  if (price.has_value() && *price <= kOneDollar) return *price;
  Refuse(name, text, "a price of 0 to 1 dollar with at most 4 decimals");
  return Price();
}

Count JsonMembers::CountOf(absl::string_view name) {
  return ParseCount(name, Text(name), kVenueCountMax, /*is_signed=*/false);
}

Count JsonMembers::SignedCountOf(absl::string_view name) {
  return ParseCount(name, Text(name), kVenueCountMax, /*is_signed=*/true);
}

Count JsonMembers::CountIfAny(absl::string_view name) {
  return Has(name) ? CountOf(name) : Count();
}

Money JsonMembers::MoneyOf(absl::string_view name) {
  const absl::string_view text = Text(name);
  if (!status_.ok()) return Money();
  const absl::StatusOr<Money> money = Money::Parse(text);
  if (money.ok() && *money <= kMoneyMax && *money >= -kMoneyMax) return *money;
  Refuse(name, text, "dollars with at most 6 decimals");
  return Money();
}

Money JsonMembers::MoneyIfAny(absl::string_view name) {
  return Has(name) ? MoneyOf(name) : Money();
}

std::optional<Timestamp> JsonMembers::TimeIfAny(absl::string_view name) {
  if (!Has(name)) return std::nullopt;
  return ParseTime(name, Text(name));
}

Timestamp JsonMembers::MillisOf(absl::string_view name) {
  const int64_t millis = Integer(name);
  if (millis >= 0 && millis <= kMillisMax) return Timestamp::FromNanos(millis * kNanosPerMilli);
  Refuse(name, absl::StrCat(millis), "milliseconds since 1970");
  return Timestamp();
}

Count JsonMembers::ParseCount(absl::string_view name, absl::string_view text, Count max,
                              bool is_signed) {
  absl::string_view digits = text;
  const bool is_negative = is_signed && absl::ConsumePrefix(&digits, "-");
  const std::optional<Count> count = kalshi::ParseCount(digits);
  if (count.has_value() && *count <= max) return is_negative ? Count() - *count : *count;
  Refuse(name, text,
         absl::StrCat("a count of at most ", max.hundredths() / 100, " with at most 2 decimals"));
  return Count();
}

Price JsonMembers::ParseTradePrice(absl::string_view name, absl::string_view text) {
  const std::optional<Price> price = ParsePrice(text);
  if (price.has_value() && *price > Price() && *price < kOneDollar) return *price;
  Refuse(name, text, "a price above 0 and below 1 dollar with at most 4 decimals");
  return Price();
}

Timestamp JsonMembers::ParseTime(absl::string_view name, absl::string_view text) {
  if (!status_.ok()) return Timestamp();
  const absl::StatusOr<Timestamp> time = Timestamp::Parse(text);
  if (time.ok()) return *time;
  Refuse(name, text, "a time as 2026-06-11T05:39:31.28563Z");
  return Timestamp();
}

Side JsonMembers::OutcomeSide(absl::string_view name) {
  const absl::string_view side = Text(name);
  if (side == "yes") return Side::kBid;
  if (side != "no") Refuse(name, side, "yes or no");
  return Side::kAsk;
}

Side JsonMembers::OrderSide() {
  if (!Has("book_side") && Has("outcome_side")) return OutcomeSide("outcome_side");
  const absl::string_view side = Text("book_side");
  if (side == "bid") return Side::kBid;
  if (side != "ask") Refuse("book_side", side, "bid or ask");
  return Side::kAsk;
}

OrderStatus JsonMembers::OrderStatusOf(absl::string_view name) {
  const absl::string_view text = Text(name);
  const std::optional<OrderStatus> status = ParseOrderStatus(text);
  if (!status.has_value()) Refuse(name, text, "resting, canceled or executed");
  return status.value_or(OrderStatus::kCanceled);
}

void JsonMembers::Refuse(absl::string_view name, absl::string_view found,
                         absl::string_view expected) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(
      absl::StrCat(name, ": '", found.substr(0, 64), "', expected ", expected));
}

}  // namespace engine::kalshi
