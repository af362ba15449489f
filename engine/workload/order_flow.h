// Generates an order flow from a seed: the same commands on every machine.
//
//   mid price: a random walk by single ticks ─► orders near it, most of them passive ─► cancels,
//   amends, replaces and reduces of recent orders, market orders, and a few invalid requests
//
// For trials and tests. It does not see the outcome of its orders, so a few of its requests are
// late, as a real client's are.

#ifndef ENGINE_WORKLOAD_ORDER_FLOW_H_
#define ENGINE_WORKLOAD_ORDER_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace bench {

// Not thread-safe: owned by its caller. `sink` and `clock` outlive it.
class OrderFlow {
 public:
  struct Options {
    uint64_t seed = 1;
    uint32_t market_count = 4;     // Range [1, 1 Mi].
    uint32_t account_count = 100;  // Range [1, 1 Mi].
    engine::Timestamp start;
    int64_t mean_gap_nanos = 1000;  // Between commands. Range [1, 10^12].
  };

  // Sets the clock to the flow's own time before each command.
  OrderFlow(engine::CommandSink& sink, engine::ManualClock& clock, Options options);

  // Submits the next command: first one definition for each market, then orders without end.
  // Errors: those of the sink.
  absl::Status Next();

 private:
  struct Placed {
    engine::OrderId order;
    engine::AccountId account;
    engine::MarketId market;
    engine::Side side = {};
    engine::Price price;
  };
  struct Market {
    int64_t mid_ticks = 0;
  };

  absl::Status DefineNextMarket();
  absl::Status NewOrder();
  absl::Status Change(engine::CommandKind kind);
  absl::Status Send(const engine::Command& command);
  // Submits a command that makes an order, and remembers the order.
  absl::Status Place(const engine::Command& command, engine::Side side);

  engine::Price PriceNear(const Market& market, engine::Side side, bool takes);
  engine::Quantity AnyQuantity();
  // Returns one of the remembered orders, mostly a recent one.
  const Placed& AnyPlaced();

  engine::CommandSink& sink_;
  engine::ManualClock& clock_;
  const Options options_;

  engine::Prng prng_;
  int64_t now_nanos_;
  std::vector<Market> markets_;  // Index: market id - 1; grows as they are defined.
  std::vector<Placed> placed_;   // A ring once it is full.
  size_t next_placed_ = 0;
  uint64_t next_client_order_id_ = 1;
};

}  // namespace bench

#endif  // ENGINE_WORKLOAD_ORDER_FLOW_H_
