// Translates LOBSTER's messages into commands to a mirrored market.
//
//   1  new order            limit, till cancelled
//   2  reduced              reduce
//   3  deleted              cancel
//   4  executed             execute
//   5 6  hidden, cross      execute without an order
//   7  halt                 pause market, open market
//
// Orders that rested before the first message, and what happened while a level was not in view, are
// not in the messages. With the book after each message, the levels in view are corrected by orders
// of the translator's own. PROTOCOL.md has the details.

#ifndef ENGINE_WIRE_LOBSTER_TRANSLATOR_H_
#define ENGINE_WIRE_LOBSTER_TRANSLATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/lobster/lines.h"

namespace engine {

struct LobsterCounters {
  using PerType = std::array<uint64_t, kLobsterTypeCount + 1>;  // By LobsterType; 0 is unused.

  PerType messages = {};
  PerType unknown_orders = {};  // Messages about an order that no message has added.
  uint64_t commands = 0;
  // Levels that differed from the book after the message: in view for the first time, or again.
  uint64_t corrected_first_view = 0;
  uint64_t corrected_later_views = 0;
  uint64_t orders_repeated = 0;      // Added while an order of the same number rests; dropped.
  uint64_t quantities_exceeded = 0;  // More executed or taken than the order had.
  uint64_t opened_by_orders = 0;     // Orders during a halt, which open the market.
  uint64_t times_before = 0;         // Messages with a time before that of the one before.
};

// Not thread-safe: owned by the reader of the files. `sink` and `clock` outlive it.
class LobsterTranslator {
 public:
  static constexpr MarketId kMarket = MarketId(1);

  // Times count from `midnight`. Sets `clock` to the time of each message before its commands.
  // REQUIRES: `symbol` is valid as that of a market (Validate).
  LobsterTranslator(CommandSink& sink, ManualClock& clock, Timestamp midnight, std::string symbol)
      : sink_(sink), clock_(clock), midnight_(midnight), symbol_(std::move(symbol)) {}

  // `book` is the one after the message; null if it is not known. Errors: those of the sink.
  absl::Status Take(const LobsterMessage& message, const LobsterBook* book);

  const LobsterCounters& counters() const { return counters_; }
  // Of the last command.
  SequenceNumber last_sequence() const { return last_sequence_; }

 private:
  struct Order {
    OrderId id;
    Side side = {};
    Price price = {};
    Quantity remaining = {};
  };
  // An order that no message has added.
  struct Unnamed {
    OrderId id;
    Quantity remaining;
  };
  struct Level {
    Quantity total = {};
    std::vector<int64_t> named = {};  // In the order of arrival; orders_ has them.
    std::vector<Unnamed> unnamed = {};
  };
  // By distance from the best price: the price, negative for bids.
  using Levels = std::map<int64_t, Level>;

  static int64_t KeyOf(Side side, Price price) {
    return side == Side::kBid ? -price.units() : price.units();
  }
  absl::flat_hash_set<int64_t>& SeenOf(Side side) {
    return side == Side::kBid ? seen_bids_ : seen_asks_;
  }
  Levels& LevelsOf(Side side) { return side == Side::kBid ? bids_ : asks_; }

  absl::Status Define();
  absl::Status Apply(const LobsterMessage& message, bool has_book);
  absl::Status Add(const LobsterMessage& message);
  absl::Status Halt(LobsterHalt halt);
  absl::Status Print(const LobsterMessage& message, Side side);
  // Types 2 to 4, about an order that is known.
  absl::Status ChangeNamed(const LobsterMessage& message, Order& order);
  // The same about another: the level's unnamed orders stand for it.
  absl::Status ChangeUnnamed(const LobsterMessage& message, bool has_book);
  absl::Status Correct(const LobsterBook& book);
  void CountCorrection(Side side, Price price);
  absl::Status CorrectSide(Side side, const LobsterBook& book);
  absl::Status SetLevel(Side side, Price price, Quantity wanted);
  absl::Status AddUnnamed(Side side, Price price, Quantity quantity);
  // Takes up to `most` from the unnamed orders of a level, and returns what is left of it.
  absl::StatusOr<Quantity> TakeFromUnnamed(Side side, Price price, Quantity most, CommandKind kind,
                                           Price at);
  // Takes `quantity` from an order with `remaining` by the command, or by a cancel of all of it.
  absl::Status Take(OrderId id, Quantity quantity, Quantity remaining, CommandKind kind, Price at);
  // The named order has so much less; it is forgotten at zero.
  void Lower(int64_t number, Quantity quantity);
  void LowerLevel(Side side, Price price, Quantity quantity);
  absl::StatusOr<OrderId> SubmitNew(Side side, Price price, Quantity quantity, int64_t number);
  absl::Status Submit(const Command& command);

  CommandSink& sink_;
  ManualClock& clock_;
  const Timestamp midnight_;
  const std::string symbol_;
  bool is_defined_ = false;
  bool is_paused_ = false;
  Levels bids_;
  Levels asks_;
  absl::flat_hash_map<int64_t, Order> orders_;  // By LOBSTER's number.
  absl::flat_hash_set<int64_t> seen_bids_;      // Prices of levels that were in view.
  absl::flat_hash_set<int64_t> seen_asks_;
  SequenceNumber last_sequence_;
  LobsterCounters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_LOBSTER_TRANSLATOR_H_
