// What a line of the text protocol asks. The grammar is in PROTOCOL.md, section 2.

#ifndef ENGINE_WIRE_TEXT_REQUEST_H_
#define ENGINE_WIRE_TEXT_REQUEST_H_

#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// Views are of the line. Prices and quantities are decimal numbers, still as text: how many
// decimals they may have depends on the market.

// A blank line or a comment.
struct NoRequest {};

// The words behind the time in force.
struct OrderOptions {
  OrderFlags flags;
  GroupId group;
};

struct SubmitRequest {
  uint64_t id = 0;
  absl::string_view symbol;
  Side side = {};
  absl::string_view price;
  absl::string_view quantity;
  TimeInForce tif = TimeInForce::kGoodTillCancelled;
  Timestamp expires_at;  // Of an order that is good till a time.
  OrderOptions options;
};

struct MarketRequest {
  uint64_t id = 0;
  absl::string_view symbol;
  Side side = {};
  absl::string_view quantity;
  OrderOptions options;
};

struct CancelRequest {
  uint64_t id = 0;
};

struct ModifyRequest {
  uint64_t id = 0;
  absl::string_view price;
  absl::string_view quantity;
};

struct PrintRequest {
  absl::string_view symbol;  // Empty: all markets.
};

using TextRequest = std::variant<NoRequest, SubmitRequest, MarketRequest, CancelRequest,
                                 ModifyRequest, PrintRequest>;

// Reads any bytes safely and allocates nothing unless they are refused.
// Errors: INVALID_ARGUMENT, "expected <what>, found '<word>'", in printable ASCII.
absl::StatusOr<TextRequest> ParseTextRequest(absl::string_view line);

// A word as error messages show it: escaped where it is not printable, cut where it is long.
std::string QuotedWord(absl::string_view word);

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_REQUEST_H_
