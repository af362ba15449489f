// The replies to a client's requests: JSON to values. The other direction: order_replies.h,
// portfolio_objects.h, exchange_objects.h, market_objects.h.
//
//   {"orders":[{"order_id":"9df4…","status":"resting",…}],"cursor":"AQ"}  ─►  ReplyPage<Order>
//
// Members that are not read are ignored, and those that Kalshi may leave out may be missing.
// PROTOCOL.md, What a client reads, lists those that must be there.

#ifndef ENGINE_WIRE_KALSHI_CLIENT_REPLIES_H_
#define ENGINE_WIRE_KALSHI_CLIENT_REPLIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/wire/kalshi/json_fields.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/portfolio_objects.h"

namespace engine::kalshi {

// The reply to a create or an amend.
struct ReadOrderReply {
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};  // Empty: none.
  Count fill_count = {};                   // Of this write.
  Count remaining_count = {};
};

struct ReadCancelReply {
  absl::string_view order_id = {};
  Count reduced_by = {};
};

// A part of a list.
template <typename T>
struct ReplyPage {
  std::vector<T> items = {};
  absl::string_view cursor = {};  // Of the next page; empty: this is the last.
};

// Of a market, what a client needs to trade it.
struct ReadMarket {
  absl::string_view ticker = {};
  absl::string_view title = {};
  absl::string_view status = {};              // "active"
  std::vector<PriceRange> price_ranges = {};  // As sent, perhaps none.
  std::optional<Timestamp> close_time = {};
  absl::string_view result = {};  // "yes", "no", "scalar"; empty: none yet.
  std::optional<Price> settlement_value = {};
};

// What an account may spend on requests: tokens, and tokens a second.
struct ReadLimits {
  uint32_t read_capacity = 0;
  uint32_t read_refill = 0;
  uint32_t write_capacity = 0;
  uint32_t write_refill = 0;
};

// An error of any shape, see errors.h. What its body lacks is empty; all is, if it is no JSON.
struct ReadError {
  absl::string_view code = {};
  absl::string_view message = {};
  absl::string_view details = {};
};

// Reads one body after another. Any bytes are safe. Texts of a result are valid until the next call
// or the reader's end; they are views of memory that it keeps, a few times the longest body. Errors
// of all functions: INVALID_ARGUMENT that names the member and what was expected. Not thread-safe.
class ReplyReader {
 public:
  static constexpr size_t kBodyBytesMax = size_t{16} << 20;

  ReplyReader() : document_(kBodyBytesMax, kDepthMax) {}

  absl::StatusOr<ReadOrderReply> OrderReply(absl::string_view body);
  absl::StatusOr<ReadCancelReply> CancelReply(absl::string_view body);
  absl::StatusOr<ReplyPage<Order>> Orders(absl::string_view body);
  absl::StatusOr<ReplyPage<Fill>> Fills(absl::string_view body);
  absl::StatusOr<ReplyPage<MarketPosition>> Positions(absl::string_view body);
  absl::StatusOr<ReadMarket> Market(absl::string_view body);  // Of one ticker.
  absl::StatusOr<ReplyPage<ReadMarket>> Markets(absl::string_view body);
  absl::StatusOr<ReadLimits> Limits(absl::string_view body);
  // To 10^-4 dollar, or to a cent if the body has no more.
  absl::StatusOr<Money> Balance(absl::string_view body);
  // The moment of which the account's lists are: GET /exchange/user_data_timestamp.
  absl::StatusOr<Timestamp> DataTime(absl::string_view body);
  ReadError Error(absl::string_view body);

 private:
  static constexpr size_t kDepthMax = 32;

  absl::StatusOr<simdjson::dom::object> Parse(absl::string_view body);
  // The page whose items are the list `name`, each read by `read`(members) to a value or a status.
  template <typename T, typename Read>
  absl::StatusOr<ReplyPage<T>> ReadPage(absl::string_view body, absl::string_view name, Read read);

  JsonDocument document_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CLIENT_REPLIES_H_
