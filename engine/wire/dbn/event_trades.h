// The trades of one event, and what its fills say about orders: of which order a cancel is an
// execution, at which price.

#ifndef ENGINE_WIRE_DBN_EVENT_TRADES_H_
#define ENGINE_WIRE_DBN_EVENT_TRADES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the translator.
class EventTrades {
 public:
  static constexpr size_t kTradesMax = 1 << 16;  // And fills.

  struct Trade {
    Price price;
    Quantity left;      // That no order was executed for.
    Side resting = {};  // The side of the orders that it fills; none if it is not known.
    uint32_t sequence = 0;
  };
  struct Execution {
    Price price;
    Quantity quantity;
    uint32_t sequence = 0;  // The trade's.
  };

  // Whether a record of `time` belongs to another event.
  bool IsOver(uint64_t time) const { return !trades_.empty() && time != time_; }
  bool is_full() const { return trades_.size() + fill_count_ >= kTradesMax; }

  // REQUIRES: !IsOver(time).
  void AddTrade(uint64_t time, const Trade& trade);

  // A fill of the newest trade. Without a price it is the trade's. Nothing if the order is of the
  // side that arrived. Returns false if there is no trade.
  bool AddFill(uint64_t order, Side side, std::optional<Price> price, Quantity quantity);

  // Takes an execution of the order, of `quantity` or less; nullopt if there is none.
  std::optional<Execution> TakeExecution(uint64_t order, Quantity quantity);

  const std::vector<Trade>& trades() const { return trades_; }
  void Clear();

 private:
  struct Fill {
    size_t trade;
    Price price;
    Quantity left;
  };
  struct Fills {
    std::vector<Fill> all = {};
    size_t first = 0;  // Those before it are used up.
  };

  uint64_t time_ = 0;  // Of the event at the venue, see DbnHeader.
  std::vector<Trade> trades_;
  absl::flat_hash_map<uint64_t, Fills> fills_;  // By order.
  size_t fill_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_EVENT_TRADES_H_
