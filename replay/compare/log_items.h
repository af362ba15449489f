// A log whose commands can be left out and still mean the same orders.
//
// An order's id is the sequence number of the command that made it, so leaving out a command
// renumbers all behind it. Items keep the numbers of the log they come from; a log is made of them
// at the end.
//
//   items     1 define   5 bid   7 ask   9 cancel 7   12 replace 5   20 cancel 12
//   without 7, 9
//   log       1 define   2 bid                         3 replace 2    4 cancel 3

#ifndef REPLAY_COMPARE_LOG_ITEMS_H_
#define REPLAY_COMPARE_LOG_ITEMS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "engine/book/resting_order.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// A regular value type.
struct LogItem {
  uint64_t key = 0;  // Its sequence number in the log it comes from.
  LogEntry entry;    // Names orders by keys.
};
using LogItems = std::vector<LogItem>;

// Whether such a command makes, changes or ends orders; else it defines, opens, pays or limits.
bool IsAboutOrders(engine::CommandKind kind);

// The command that puts the order where it is, with what remains of it; without number and time.
engine::Command EnteringCommand(const engine::RestingOrder& order);

LogItems ToItems(Log log);

// Not thread-safe.
class OrderFamilies {
 public:
  // Which replacement came of which order, in the log that the items come from.
  explicit OrderFamilies(const LogItems& items);

  // The first order of the chain of replacements that `key` belongs to.
  uint64_t RootOf(uint64_t key) const;

  // Whose life the item is part of: the root of the order that it makes or names; 0 for none.
  uint64_t LifeOf(const LogItem& item) const;

  // The log of these items, in their order. A command that names an order which is gone names the
  // order that was replaced by it, or none.
  Log ToLog(const LogItems& items) const;

 private:
  absl::flat_hash_map<uint64_t, uint64_t> replaced_;  // For look-ups only.
};

// Items that lead straight to the book of `subject`, which has applied the first `window` commands
// of `log`: what is not about orders stays as it is, then every live order is entered anew,
// with what remains of it; the window follows. Orders whose market `keep` refuses are left out.
// Positions, and what was filled of an order, are lost.
absl::StatusOr<LogItems> WithSynthesisedBook(const Log& log, size_t window, Subject& subject,
                                             const std::function<bool(engine::MarketId)>& keep);

}  // namespace replay

#endif  // REPLAY_COMPARE_LOG_ITEMS_H_
