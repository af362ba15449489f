// Reads the lines of LOBSTER's two files: a message, and the book after it.
//
//   34200.017459617,5,0,1,2238200,-1                        time, type, order, size, price,
//   direction 2239500,100,2231800,100,2239900,100,2230700,200         ask, size, bid, size; level
//   by level
//
// Prices are counts of 0.0001 dollar. Specified in PROTOCOL.md.

#ifndef ENGINE_WIRE_LOBSTER_LINES_H_
#define ENGINE_WIRE_LOBSTER_LINES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

enum class LobsterType : uint8_t {
  kAdd = 1,
  kReduce = 2,
  kDelete = 3,
  kExecute = 4,
  kExecuteHidden = 5,
  kCross = 6,
  kHalt = 7,
};
inline constexpr size_t kLobsterTypeCount = 7;

enum class LobsterHalt : uint8_t { kNone, kHalted, kQuoting, kTrading };

// A value.
struct LobsterMessage {
  int64_t nanos = 0;  // Since midnight in New York.
  LobsterType type = {};
  int64_t order = 0;  // 0 or -1 where there is none.
  Quantity size = {};
  Price price = {};
  Side side = {};         // Of the order that rests.
  LobsterHalt halt = {};  // kNone except in a kHalt, which has neither size, price nor side.
};

struct LobsterLevel {
  Price price = {};
  Quantity quantity = {};

  friend bool operator==(const LobsterLevel&, const LobsterLevel&) = default;
};

// The best levels of a book, best first; fewer than `depth` if a side has no more.
struct LobsterBook {
  size_t depth = 0;
  std::vector<LobsterLevel> bids = {};
  std::vector<LobsterLevel> asks = {};

  const std::vector<LobsterLevel>& levels(Side side) const {
    return side == Side::kBid ? bids : asks;
  }
};

// The line is without its end. Errors: INVALID_ARGUMENT "FIELD: 'TEXT', expected …".
absl::StatusOr<LobsterMessage> ParseLobsterMessage(absl::string_view line);

// The same; what `book` had is overwritten.
absl::Status ParseLobsterBook(absl::string_view line, LobsterBook& book);

}  // namespace engine

#endif  // ENGINE_WIRE_LOBSTER_LINES_H_
