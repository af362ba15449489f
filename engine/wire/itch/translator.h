// Translates an ITCH stream into commands: events at Nasdaq become commands to the engine.
//
//                            to match              to mirror
//   R  stock directory       define market         the same, mirrored      id = stock locate
//   A F  add order           new order             the same                limit, till cancelled
//   E  order executed        new order: opposite,  execute
//                            immediate or cancel
//   C  executed at a price   reduce                execute at that price; reduce if not printable
//   X  order cancel          reduce                the same
//   D  order delete          cancel                the same
//   U  order replace         replace               the same
//   P Q  hidden, cross       counted               execute without an order
//   all others               counted
//
// PROTOCOL.md specifies the translation of each field, with reasons.

#ifndef ENGINE_WIRE_ITCH_TRANSLATOR_H_
#define ENGINE_WIRE_ITCH_TRANSLATOR_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/wire/itch/messages.h"

namespace engine {

// What happens to an order that executes.
enum class ItchMode : uint8_t {
  kMatch,   // The engine matches an order with it by price and time.
  kMirror,  // The command names that order.
};

// Not thread-safe: owned by the reader of the stream. `sink`, `clock` and `executions` outlive it.
//
// An error of the sink is sticky in the sink; nothing else in a stream is fatal.
class ItchTranslator {
 public:
  // The stream's times count from `midnight`, which is before the year 2262. Sets `clock` to the
  // time of each message before its commands: the sequencer that implements `sink` reads it.
  // `executions` may be null.
  ItchTranslator(CommandSink& sink, ManualClock& clock, Timestamp midnight, ItchMode mode,
                 ItchExecutionListener* executions = nullptr);

  // Errors: those of the sink.
  absl::Status Translate(const ItchMessage& message);

  // The stream begins again, with empty books: cancels the orders that rest, ascending by ids, at
  // the time of the last message. Errors: those of the sink.
  absl::Status Clear();

  const ItchCounters& counters() const { return counters_; }

 private:
  struct LiveOrder {
    OrderId id;
    MarketId market;
    Side side = {};
    Price price;
    Quantity remaining;
  };
  using Orders = absl::flat_hash_map<uint64_t, LiveOrder>;

  absl::Status On(const ItchStockDirectory& message);
  absl::Status On(const ItchAddOrder& message) { return Add(message); }
  absl::Status On(const ItchAddOrderWithParticipant& message) { return Add(message); }
  absl::Status On(const ItchOrderExecuted& message);
  absl::Status On(const ItchOrderExecutedWithPrice& message);
  absl::Status On(const ItchOrderCancel& message) {
    return Reduce(message, message.cancelled_shares);
  }
  absl::Status On(const ItchOrderDelete& message);
  absl::Status On(const ItchOrderReplace& message);
  absl::Status On(const ItchNonCrossTrade& message) {
    return Print(message, message.shares, message.price);
  }
  absl::Status On(const ItchCrossTrade& message) {
    return Print(message, message.shares, message.cross_price);
  }
  template <typename T>
  absl::Status On(const T&) {
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status Add(const T& message);
  absl::Status Define(MarketId market, const ItchStock& stock);
  // Whether the market of the message is defined, which is done here if it is not.
  template <typename T>
  absl::StatusOr<bool> FindMarket(const T& message);
  // Submits a trade that names no order, in a mirrored market.
  template <typename T>
  absl::Status Print(const T& message, uint64_t shares, uint32_t price);
  // Announces the execution of `message`, which names `order`.
  template <typename T>
  void Announce(const T& message, const LiveOrder& order);
  // Submits the execution of the order, of no more shares than it has.
  absl::Status Mirror(Orders::iterator order, Quantity shares, Price price, uint64_t match_number);
  template <typename T>
  absl::Status Reduce(const T& message, uint32_t shares, uint64_t client_order_id = 0);

  // The order that `message` is about; counts the reference as unknown if there is none.
  template <typename T>
  Orders::iterator Find(const T& message, uint64_t reference);
  // Subtracts `shares` from the order's known remaining quantity, and forgets the order at zero.
  void Lower(Orders::iterator order, Quantity shares);

  // Submits a limit order for the remaining quantity of `order`, whose id is not read.
  absl::StatusOr<OrderId> SubmitNew(const LiveOrder& order, TimeInForce tif,
                                    uint64_t client_order_id);
  absl::StatusOr<OrderId> Submit(const Command& command);

  CommandSink& sink_;
  ManualClock& clock_;
  const Timestamp midnight_;
  const ItchMode mode_;
  ItchExecutionListener* const executions_;

  MarketDirectory markets_;  // Those whose definitions were submitted.
  Orders orders_;
  ItchCounters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_TRANSLATOR_H_
