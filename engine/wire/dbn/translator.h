// Translates MBO records into commands to mirrored markets, so that each book is the stream's after
// every record.
//
//   A  add             new order; of a top of book, in place of all orders of its side
//   C  cancel          execute what a fill of the event has announced; reduce or cancel the rest
//   M  modify          the same for what it takes away; then amend
//   R  clear           mass cancel
//   T  trade           what no order of its event is executed for: execute without an order
//   F  fill            none: it says whose cancel is an execution
//   N  none            none
//
// PROTOCOL.md specifies the translation of each field, with reasons.

#ifndef ENGINE_WIRE_DBN_TRANSLATOR_H_
#define ENGINE_WIRE_DBN_TRANSLATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/dbn/counters.h"
#include "engine/wire/dbn/event_trades.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/records.h"

namespace engine {

// Not thread-safe: owned by the reader of the stream. What is referred to outlives it.
class DbnTranslator {
 public:
  // `markets` has learnt all records. Sets `clock` to the time of each record before its commands.
  DbnTranslator(CommandSink& sink, ManualClock& clock, DbnMarkets& markets)
      : sink_(sink), clock_(clock), markets_(markets) {}

  // Errors: those of the sink; FAILED_PRECONDITION if `markets` has not learnt the record.
  absl::Status Take(const DbnMbo& record);

  // Call after the last record. Errors: those of the sink.
  absl::Status Finish();

  const DbnCounters& counters() const { return counters_; }

 private:
  struct Order {
    OrderId id = {};
    Side side = {};
    Price price = {};
    Quantity remaining = {};
    Quantity filled = {};
  };
  using Orders = absl::flat_hash_map<uint64_t, Order>;
  // The orders that one publisher has in one market.
  struct Book {
    size_t market = 0;  // Its index.
    MarketId id = {};
    Orders orders = {};
    std::array<uint64_t, 2> order_counts = {};  // Of `orders`, by side.
    std::array<OrderId, 2> tops = {};           // By side: orders that stand for the best price.
    EventTrades trades = {};
  };

  absl::StatusOr<Book*> BookOf(const DbnMbo& record, const DbnMarket& market);
  absl::Status Define(const DbnMarket& market);

  absl::Status Apply(const DbnMbo& record, const DbnMarket& market, Book& book);
  absl::Status Add(const DbnMbo& record, const DbnMarket& market, Book& book);
  absl::Status AddTop(const DbnMbo& record, const DbnMarket& market, Side side, Book& book);
  absl::Status Cancel(const DbnMbo& record, Book& book);
  absl::Status Modify(const DbnMbo& record, const DbnMarket& market, Book& book);
  absl::Status Clear(Book& book);
  absl::Status Trade(const DbnMbo& record, const DbnMarket& market, Book& book);
  absl::Status Fill(const DbnMbo& record, const DbnMarket& market, Book& book);
  // Submits the trades of the event that no order was executed for.
  absl::Status EndEvent(Book& book);

  // Takes `quantity`, at most what remains, from the order: as executions as far as fills say so.
  absl::Status Lower(Book& book, Orders::iterator order, Quantity quantity);
  absl::Status Execute(Book& book, Orders::iterator order, Quantity& quantity);
  absl::Status Change(Book& book, Order& order, Price price, Quantity quantity,
                      uint64_t order_number);
  // Cancels all orders of a side, each by its number.
  absl::Status CancelSide(Book& book, Side side);
  absl::StatusOr<OrderId> SubmitNew(const Book& book, Side side, Price price, Quantity quantity,
                                    uint64_t order_number);
  absl::StatusOr<OrderId> Submit(const Command& command, uint64_t& count);

  void Erase(Book& book, Orders::iterator order);
  // Counts orders that come; below zero, those that leave.
  void CountLive(Book& book, int64_t change);

  CommandSink& sink_;
  ManualClock& clock_;
  DbnMarkets& markets_;

  std::vector<std::unique_ptr<Book>> books_;  // In the order of their first records.
  absl::flat_hash_map<std::pair<size_t, uint16_t>, Book*> book_of_;  // By market and publisher.
  std::vector<uint64_t> live_orders_;  // Of each market that is defined.
  DbnCounters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_TRANSLATOR_H_
