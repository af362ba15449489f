// A recorded market of levels as a mirrored market of orders, so that a place in the queue is one.
//
//   more at a level        a new order, at the end of its queue
//   less, by a trade       executions of the orders at the front
//   less, without          the orders at the end lose it: who cancelled is not known, and so an
//                          order of the strategy waits longest
//   a trade of more        a print of the rest
//
// A venue reports a trade and what it takes from a level apart, in either order, so rows are looked
// at 100 ms ahead. Two that have one moment belong together: the one that is reported second is
// left out. A trade whose level stays as it was is put back at the end of its queue.

#ifndef TOOLS_BACKTEST_LEVEL_ORDERS_H_
#define TOOLS_BACKTEST_LEVEL_ORDERS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "tools/backtest/renumbering.h"

namespace tools {

// The name of a level.
struct LevelName {
  engine::MarketId market = {};
  engine::Side side = {};
  engine::Price price = {};

  friend auto operator<=>(const LevelName&, const LevelName&) = default;
};

// Not thread-safe: owned by the source of a backtest.
class LevelOrders {
 public:
  static constexpr int64_t kApartNanos = 100'000'000;
  // Times are within this of 1970.
  static constexpr int64_t kNanosMax = int64_t{1} << 61;

  // Receives records that are numbered from 1 on. What it returns is what the calls below return.
  using Emit = std::function<absl::Status(const journal::Record&)>;

  // `records`: those that went to `emit` before, as they were.
  explicit LevelOrders(Emit emit, uint64_t records = 0)
      : emit_(std::move(emit)), row_(records), emitted_(records) {}

  // Each call is a row, numbered from `records` + 1 on. Their times do not decrease. A command is
  // emitted as it is; an order that it names is the number of a row. Errors: INVALID_ARGUMENT for a
  // time out of reach; those of `emit`.
  absl::Status Pass(const engine::Command& command, engine::Bytes attachment);
  // What is at the level now. `moment`: when the venue says it happened; any number if the venue
  // does not say.
  absl::Status SetLevel(engine::Timestamp time, int64_t moment, const LevelName& level,
                        engine::Quantity quantity);
  // `level`: of the order that rested; no side if it is not known.
  absl::Status Trade(engine::Timestamp time, int64_t moment, const LevelName& level,
                     engine::Quantity quantity);
  // A row that means nothing here.
  absl::Status Skip(engine::Timestamp time);
  absl::Status Finish();

 private:
  enum class RowKind : uint8_t { kCommand, kLevel, kTrade };
  struct Row {
    RowKind kind = {};
    engine::Command command = {};  // Of others its time.
    std::vector<std::byte> attachment = {};
    LevelName level = {};
    engine::Quantity quantity = {};
    int64_t moment = 0;
  };
  // Quantities of moments.
  class Amounts {
   public:
    void Add(int64_t moment, engine::Quantity quantity);
    // Takes what there is of the moment, at most `quantity`. Returns how much that is.
    engine::Quantity Take(int64_t moment, engine::Quantity quantity);
    // Takes of any. REQUIRES: there is so much.
    void TakeAny(engine::Quantity quantity);
    engine::Quantity total() const { return total_; }

   private:
    std::map<int64_t, engine::Quantity> amounts_;
    engine::Quantity total_;
  };
  struct Part {
    engine::OrderId order = {};
    engine::Quantity quantity = {};
  };
  // sum = quantity - early.
  struct Level {
    std::deque<Part> queue;
    engine::Quantity sum;       // Of the queue.
    engine::Quantity quantity;  // As recorded.
    Amounts coming;             // Of trades that are looked at ahead.
    Amounts claimed;            // Of these, what the level has lost already.
    Amounts early;              // Of trades that the level has not lost yet.
  };
  struct EarlyTrade {
    engine::Timestamp time = {};
    int64_t moment = 0;
    LevelName level = {};
  };

  absl::Status Add(Row row);
  absl::Status Release();
  absl::Status ReleaseLevel(const Row& row);
  absl::Status ReleaseTrade(const Row& row);
  // The levels that are known to stay as they were; all before the market's book is not known.
  absl::Status PutBack(bool all);
  absl::Status Append(const LevelName& name, Level& level, engine::Quantity quantity);
  // kExecute takes the orders at the front, kReduce those at the end. REQUIRES: there is so much.
  absl::Status Take(engine::CommandKind kind, const LevelName& name, Level& level,
                    engine::Quantity quantity);
  engine::Command CommandAt(engine::CommandKind kind, engine::MarketId market) const;
  absl::Status Emitted(engine::Command command, engine::Bytes attachment = {});

  const Emit emit_;
  std::deque<Row> rows_;  // Looked at ahead.
  std::map<LevelName, Level> levels_;
  std::deque<EarlyTrade> early_;
  Renumbering numbers_;
  uint64_t row_;      // The number of the row that is released.
  uint64_t emitted_;  // Records.
  engine::Timestamp now_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_LEVEL_ORDERS_H_
