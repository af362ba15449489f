// Reads members of JSON objects that a venue sent. The other direction's reader, with Go's words
// for a wrong type, is json_fields.h.
//
//   JsonMembers order(object);
//   const absl::string_view id = order.Text("order_id");
//   const Price price = order.PriceOf("yes_price_dollars");
//   if (!order.status().ok()) return order.status();
//
// Members that are not asked for are ignored; of two with one name the first counts.

#ifndef ENGINE_WIRE_KALSHI_JSON_MEMBERS_H_
#define ENGINE_WIRE_KALSHI_JSON_MEMBERS_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/queries.h"
#include "simdjson.h"

namespace engine::kalshi {

// One object. The first member that is missing or wrong is the error, which names it and what was
// expected. What is read after it has no meaning, and its objects and lists must not be used.
//
// Functions with IfAny take a member that is missing or null, and give an empty value for it.
// Texts are views of the document. Allocates nothing without an error. Not thread-safe.
class JsonMembers {
 public:
  explicit JsonMembers(simdjson::dom::object members) : members_(members) {}

  // Whether the member is there, and not null.
  bool Has(absl::string_view name) const;
  bool HasText(absl::string_view name) const;

  absl::string_view Text(absl::string_view name);
  absl::string_view TextIfAny(absl::string_view name);
  int64_t Integer(absl::string_view name);
  int64_t IntegerIfAny(absl::string_view name);
  bool Boolean(absl::string_view name);
  bool BooleanIfAny(absl::string_view name);
  simdjson::dom::object Object(absl::string_view name);
  simdjson::dom::array List(absl::string_view name);

  // Texts of numbers and times, as in numbers.h; a time may also have nine decimals.
  Price PriceOf(absl::string_view name);  // 0 to 1 dollar.
  Count CountOf(absl::string_view name);
  Count SignedCountOf(absl::string_view name);
  Count CountIfAny(absl::string_view name);
  Money MoneyOf(absl::string_view name);  // With a sign or without; at most kMoneyMax.
  Money MoneyIfAny(absl::string_view name);
  std::optional<Timestamp> TimeIfAny(absl::string_view name);
  // A number.
  Timestamp MillisOf(absl::string_view name);

  // The parts of the above for texts that are no members: `name` is for the error.
  Count ParseCount(absl::string_view name, absl::string_view text, Count max, bool is_signed);
  // Of an order or a trade: above 0 and below 1 dollar.
  Price ParseTradePrice(absl::string_view name, absl::string_view text);
  Timestamp ParseTime(absl::string_view name, absl::string_view text);

  // yes is the side of a bid, no that of an ask.
  Side OutcomeSide(absl::string_view name);
  // Of an order or fill: book_side, or else outcome_side.
  Side OrderSide();
  OrderStatus OrderStatusOf(absl::string_view name);

  // Sets the error, unless there is one. `found` is cut if it is long.
  void Refuse(absl::string_view name, absl::string_view found, absl::string_view expected);
  const absl::Status& status() const { return status_; }

 private:
  template <typename Value>
  void Get(absl::string_view name, absl::string_view what, Value& value);

  simdjson::dom::object members_;
  absl::Status status_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_JSON_MEMBERS_H_
