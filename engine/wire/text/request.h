// The requests of the text protocol, one per line. The grammar is in PROTOCOL.md, section 2.

#ifndef ENGINE_WIRE_TEXT_REQUEST_H_
#define ENGINE_WIRE_TEXT_REQUEST_H_

#include <cstdint>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/text/decimal_word.h"

namespace engine {

// Views refer to the line. The market determines how many decimals prices and quantities may have.

// A blank line or a comment.
struct NoRequest {};

// The words after the time in force.
struct OrderOptions {
  OrderFlags flags;
  GroupId group;
};

struct SubmitRequest {
  uint64_t id = 0;
  absl::string_view symbol;
  Side side = {};
  DecimalWord price;
  DecimalWord quantity;
  TimeInForce tif = TimeInForce::kGoodTillCancelled;
  Timestamp expires_at;  // For a good-till-time order.
  OrderOptions options;
};

struct MarketRequest {
  uint64_t id = 0;
  absl::string_view symbol;
  Side side = {};
  DecimalWord quantity;
  OrderOptions options;
};

struct CancelRequest {
  uint64_t id = 0;
};

struct ModifyRequest {
  uint64_t id = 0;
  DecimalWord price;
  DecimalWord quantity;
};

struct PrintRequest {
  absl::string_view symbol;  // Empty for all markets.
};

// What a reply waits for: nothing, that its command survives the process, or that it survives the
// machine.
enum class TextAckPolicy : uint8_t { kNone, kWritten, kDisk };

struct PolicyRequest {
  TextAckPolicy policy = {};
};

using TextRequest = std::variant<NoRequest, SubmitRequest, MarketRequest, CancelRequest,
                                 ModifyRequest, PrintRequest, PolicyRequest>;

// Accepts any bytes; allocates only for errors.
// Errors: INVALID_ARGUMENT, "expected <what>, found '<word>'", in printable ASCII.
absl::StatusOr<TextRequest> ParseTextRequest(absl::string_view line);

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_REQUEST_H_
