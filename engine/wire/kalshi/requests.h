// The bodies of requests: JSON to values.
//
//   bytes ─► JSON? ─► types? ─► values? ─► CreateOrder, AmendOrder ...
//              └──────┴─ flat    └─ nested error, code invalid_order, invalid_price ...
//
// Values are checked as far as they need no market: whether a price is on its grid, and whether an
// order exists, the engine decides. PROTOCOL.md lists the checks and their order.

#ifndef ENGINE_WIRE_KALSHI_REQUESTS_H_
#define ENGINE_WIRE_KALSHI_REQUESTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/types/order_flags.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

// Texts are views of the decoder's memory, see RequestDecoder.

struct CreateOrder {
  absl::string_view ticker = {};
  absl::string_view client_order_id = {};  // May be empty.
  absl::string_view order_group_id = {};   // Empty if in none.
  Side side = Side::kBid;                  // Of the YES leg.
  Count count = {};                        // Positive.
  Price price = {};                        // Of the YES leg, within [0, 1] dollar.
  // kGoodTillCancelled, kImmediateOrCancel or kFillOrKill; kGoodTillCancelled with expiration_s is
  // kGoodTillTime for the engine.
  TimeInForce time_in_force = TimeInForce::kGoodTillCancelled;
  SelfTradePrevention self_trade_prevention = SelfTradePrevention::kCancelTaker;
  std::optional<int64_t> expiration_s = {};  // Only with kGoodTillCancelled. Positive.
  bool post_only = false;
  bool reduce_only = false;  // Only with kImmediateOrCancel.
  bool cancel_order_on_pause = false;
  int32_t exchange_index = -1;  // -1: by ticker.

  friend bool operator==(const CreateOrder&, const CreateOrder&) = default;
};

struct BatchCreateEntry {
  absl::string_view client_order_id;  // Also of an order that is refused.
  Result<CreateOrder> order;
};

struct AmendOrder {
  absl::string_view ticker = {};
  absl::string_view client_order_id = {};          // Empty: not compared with the order's.
  absl::string_view updated_client_order_id = {};  // Empty: unchanged.
  Side side = Side::kBid;
  Count count = {};  // Filled + resting afterwards. Positive.
  Price price = {};
  std::optional<int64_t> expiration_s = {};  // 0 removes it.
  int32_t exchange_index = -1;

  friend bool operator==(const AmendOrder&, const AmendOrder&) = default;
};

struct DecreaseOrder {
  bool is_to = false;               // The remaining count afterwards, otherwise the difference.
  Count count;                      // Positive, or zero if is_to.
  absl::string_view market_ticker;  // Empty: not compared with the order's.
  int32_t exchange_index = -1;
};

struct CancelEntry {
  absl::string_view order_id;       // Not checked to be a UUID.
  absl::string_view market_ticker;  // Empty: not compared with the order's.
  int32_t exchange_index = -1;
};

struct CreateGroup {
  Count contracts_limit;  // Positive.
  int32_t exchange_index = -1;
};

struct GroupLimit {
  Count contracts_limit;  // Positive.
};

// Decodes one body after another. Texts of a result are valid until the next call or the decoder's
// end. It keeps its memory from one body to the next, at most a few times the longest body. Not
// thread-safe; one may serve all sessions of a thread.
class RequestDecoder {
 public:
  static constexpr size_t kBodyBytesMax = size_t{1} << 20;  // Longer is a bad request.
  static constexpr size_t kDepthMax = 32;
  static constexpr size_t kBatchMax = 1000;  // Entries of a batch.

  RequestDecoder();
  ~RequestDecoder();
  RequestDecoder(const RequestDecoder&) = delete;
  RequestDecoder& operator=(const RequestDecoder&) = delete;

  Result<CreateOrder> DecodeCreateOrder(absl::string_view body);
  // An order with wrong values is refused for itself, with wrong types the batch is.
  Result<std::vector<BatchCreateEntry>> DecodeBatchCreate(absl::string_view body);
  Result<AmendOrder> DecodeAmendOrder(absl::string_view body);
  Result<DecreaseOrder> DecodeDecreaseOrder(absl::string_view body);
  Result<std::vector<CancelEntry>> DecodeBatchCancel(absl::string_view body);
  Result<CreateGroup> DecodeCreateGroup(absl::string_view body);
  Result<GroupLimit> DecodeGroupLimit(absl::string_view body);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_REQUESTS_H_
