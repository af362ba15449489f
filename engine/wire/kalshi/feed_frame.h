// A frame that the venue sends over WebSocket, as a client reads it: JSON to values. The other
// direction: frames.h and channel_messages.h.
//
//   bytes ─┬─ fast path: the members of a delta or a trade in the venue's usual order ─┐
//          └─ any other JSON: simdjson ────────────────────────────────────────────────┴─►
//          FeedFrame
//
// Both paths give equal frames for what both accept; a property and a fuzz target compare them.

#ifndef ENGINE_WIRE_KALSHI_FEED_FRAME_H_
#define ENGINE_WIRE_KALSHI_FEED_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/book_messages.h"
#include "engine/wire/kalshi/feed_fast_path.h"
#include "engine/wire/kalshi/json_fields.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/queries.h"

namespace engine::kalshi {

enum class FeedType : uint8_t {
  kOther,         // Any other frame: name is its type.
  kSnapshot,      // ticker, levels: all of them.
  kDelta,         // ticker, time, levels: one, whose count is the change.
  kTrade,         // ticker, time, levels: one, whose side is that of the taker.
  kFill,          // ticker, time, fill.
  kUserOrder,     // ticker, order.
  kLifecycle,     // ticker, lifecycle, settlement_value.
  kSubscribed,    // name: the channel.
  kOk,            // A command was done.
  kUnsubscribed,  // The subscription has ended.
  kError,         // code, name: the message.
};

// An own fill.
struct FeedFill {
  absl::string_view trade_id = {};
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};  // Empty: none.
  Side side = Side::kBid;                  // Of the order.
  Price price = {};                        // Of the YES leg.
  Count count = {};
  Money fee = {};
  bool is_taker = false;

  friend bool operator==(const FeedFill&, const FeedFill&) = default;
};

// An own order as it is now.
struct FeedOrder {
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};
  Side side = Side::kBid;
  OrderStatus status = OrderStatus::kResting;
  Price price = {};  // The limit, of the YES leg.
  Count fill_count = {};
  Count remaining_count = {};
  Count initial_count = {};
  absl::string_view reason = {};  // last_update_reason; empty: none.

  friend bool operator==(const FeedOrder&, const FeedOrder&) = default;
};

enum class Lifecycle : uint8_t {
  kOther,  // Also of a market's data.
  kCreated,
  kActivated,
  kDeactivated,
  kCloseDateUpdated,
  kDetermined,
  kSettled,
};

// A regular value. Members that its type does not list are empty, except id, sid and seq, which any
// frame may have.
struct FeedFrame {
  FeedType type = FeedType::kOther;
  int64_t id = 0;   // Of the command that it answers; zero: none. The same of sid and seq.
  int64_t sid = 0;  // Of the subscription.
  int64_t seq = 0;  // Its place among the frames of the subscription.
  int64_t code = 0;
  absl::string_view name = {};
  absl::string_view ticker = {};
  Timestamp time = {};  // Of the venue; zero: none.
  std::vector<FeedLevel> levels = {};
  FeedFill fill = {};
  FeedOrder order = {};
  Lifecycle lifecycle = Lifecycle::kOther;
  std::optional<Price> settlement_value = {};

  friend bool operator==(const FeedFrame&, const FeedFrame&) = default;
};

// Decodes one frame after another. Texts of a frame are views of the decoder's memory or of the
// frame's bytes, valid until the next call or the end of either. Once it has seen frames as long as
// those that follow, and `frame` as many levels, it allocates nothing except for an error. Any
// bytes are safe. Not thread-safe.
class FeedDecoder {
 public:
  static constexpr size_t kFrameBytesMax = size_t{4} << 20;

  // With `use_yes_price`, the prices of the NO side are those of the YES leg, as in a subscription
  // with that parameter.
  explicit FeedDecoder(bool use_yes_price)
      : document_(kFrameBytesMax, kDepthMax),
        form_{.use_yes_price = use_yes_price},
        fast_path_(form_) {}

  // Replaces all of `frame`, whose memory is used again. Errors: INVALID_ARGUMENT that names the
  // member and what was expected; `frame` is then unspecified.
  absl::Status Decode(absl::string_view bytes, FeedFrame& frame);
  // The same without the fast path.
  absl::Status DecodeAny(absl::string_view bytes, FeedFrame& frame);

 private:
  static constexpr size_t kDepthMax = 16;

  JsonDocument document_;
  const FeedForm form_;
  FeedFastPath fast_path_;
  const FeedFrame empty_;  // A copy of it empties a frame whose levels keep their memory.
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_FEED_FRAME_H_
