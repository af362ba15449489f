// A log from which commands can be removed while the others still name the same orders.
//
// An order's id is the sequence number of the command that made it, so removing a command renumbers
// all later ones. Items keep the numbers of the original log as keys; ToLog() renumbers them at the
// end.
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
#include "engine/messages/command.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Whether such a command makes, changes or ends orders, which the passing of time does too. Other
// kinds are about markets, accounts, money and limits.
bool IsAboutOrders(engine::CommandKind kind);

// Returns the new_order command that enters the order at its price with its remaining quantity;
// sequence and time are unset.
engine::Command EnteringCommand(const engine::RestingOrder& order);

// A record of a log from which others can be removed. A regular value type.
struct LogItem {
  uint64_t key = 0;  // Its sequence number in the original log.
  LogEntry entry;    // Names other records, such as orders, by keys.
};
using LogItems = std::vector<LogItem>;

// Not thread-safe.
class OrderFamilies {
 public:
  // Records which order each replacement replaced, in the log that the items come from.
  explicit OrderFamilies(const LogItems& items);

  // Returns the first order of the chain of replacements that `key` belongs to.
  uint64_t RootOf(uint64_t key) const;

  // Returns the root of the order that the item makes or names; 0 if there is none.
  uint64_t LifeOf(const LogItem& item) const;

  // Returns the log of these items, in their order. A command whose order was removed names the
  // order before it in the chain of replacements, or none.
  Log ToLog(const LogItems& items) const;

 private:
  absl::flat_hash_map<uint64_t, uint64_t> replaced_;  // For look-ups only.
};

// Returns items that build the book of `subject` directly. REQUIRES: `subject` has applied the
// first `window` commands of `log`. Of these, commands not about orders stay; every live order is
// then entered again with its remaining quantity; the rest of the log follows. Orders in markets
// that `keep` rejects are left out. Positions and filled quantities are lost.
absl::StatusOr<LogItems> WithSynthesisedBook(const Log& log, size_t window, Subject& subject,
                                             const std::function<bool(engine::MarketId)>& keep);

}  // namespace replay

#endif  // REPLAY_COMPARE_LOG_ITEMS_H_
