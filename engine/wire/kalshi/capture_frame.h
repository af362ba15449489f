// A frame of a recorded WebSocket connection, as one line of a capture holds it.
//
//   {"type":"orderbook_delta","sid":1,"seq":2,"msg":{…}}                             bare
//   {"received_ts_ms":1781159489957,"frame":{"type":"orderbook_delta",…}}            with a time
//
// PROTOCOL.md, Captures, says what each frame becomes.

#ifndef ENGINE_WIRE_KALSHI_CAPTURE_FRAME_H_
#define ENGINE_WIRE_KALSHI_CAPTURE_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/quantity.h"
#include "engine/wire/kalshi/book_messages.h"
#include "engine/wire/kalshi/json_fields.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

enum class CaptureType : uint8_t { kSnapshot, kDelta, kTrade, kOther };

// Its views are valid until the reader's next line.
struct CaptureFrame {
  CaptureType type = CaptureType::kOther;
  absl::string_view type_name = {};
  int64_t sid = 0;  // Zero, as seq: the frame has none.
  int64_t seq = 0;
  absl::string_view ticker = {};       // Not of kOther.
  std::optional<Timestamp> time = {};  // When it was received, or else when it happened.
  std::vector<FeedLevel> levels = {};  // Of a snapshot, all; of a delta, one.
  FeedLevel trade = {};                // Its side is the one that took.
};

// Not thread-safe.
class CaptureReader {
 public:
  static constexpr size_t kLineBytesMax = size_t{4} << 20;

  // With `use_yes_price`, the prices of the NO side are those of the YES leg, as in a subscription
  // with that parameter.
  explicit CaptureReader(bool use_yes_price)
      : document_(kLineBytesMax, kDepthMax),
        form_{.use_yes_price = use_yes_price, .count_max = Count::Of(kQuantityMax)} {}

  // Errors: INVALID_ARGUMENT that names the member, and what was expected.
  absl::StatusOr<CaptureFrame> Read(absl::string_view line);

 private:
  static constexpr size_t kDepthMax = 16;

  JsonDocument document_;
  const FeedForm form_;  // Each count becomes an order's quantity.
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CAPTURE_FRAME_H_
