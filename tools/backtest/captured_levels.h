// The records of a journal, with the levels of a capture as orders of their own (level_orders.h).
//
// `record --from kalshi-capture` keeps one order a level, in mirrored binary markets: there what a
// level gains would move all of it to the end of its queue. Records of all other markets stay as
// they are.

#ifndef TOOLS_BACKTEST_CAPTURED_LEVELS_H_
#define TOOLS_BACKTEST_CAPTURED_LEVELS_H_

#include <map>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "journal/record.h"
#include "tools/backtest/level_orders.h"

namespace tools {

// Not thread-safe: owned by the verb.
class CapturedLevels {
 public:
  explicit CapturedLevels(LevelOrders::Emit emit) : emit_(std::move(emit)) {}

  // The next record of the journal, which begins with record 1.
  absl::Status Take(const journal::Record& record);
  absl::Status Finish() { return orders_.has_value() ? orders_->Finish() : absl::OkStatus(); }

 private:
  struct Resting {
    LevelName level = {};
    engine::Quantity quantity = {};
  };

  bool IsOfCapture(const journal::Record& record) const;
  absl::Status TakeOfCapture(const engine::Command& command, engine::Bytes attachment);
  absl::Status Change(engine::Timestamp time, const LevelName& level, engine::Quantity less,
                      engine::Quantity more);

  const LevelOrders::Emit emit_;
  std::optional<LevelOrders> orders_;              // From the first market of a capture on.
  absl::flat_hash_set<engine::MarketId> markets_;  // Of a capture.
  absl::flat_hash_map<engine::OrderId, Resting> resting_;
  std::map<LevelName, engine::Quantity> levels_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_CAPTURED_LEVELS_H_
