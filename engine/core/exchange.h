// The exchange as a pure function: (state, sequenced command) → (state, events).
//
//   Command ─► is it allowed? ──no──► rejected, and nothing has changed (E4)
//                    │ yes
//                    ▼
//              book, orders, markets ─► accepted, trade, trade, cancelled, ...
//
// No I/O, no clock, no threads. Two exchanges given the same commands are equal, event for event
// and digest for digest (R1). The rules are specified by testdata/transcripts, the digest and the
// invariants by engine/DESIGN.md.

#ifndef ENGINE_CORE_EXCHANGE_H_
#define ENGINE_CORE_EXCHANGE_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/book/testing/reference_book.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the driver.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Applies `command` and leaves the events it causes, at least one, in `events`. `attachment` is
  // read of a define-market command only. A wish the rules refuse yields exactly one kRejected and
  // changes nothing but last_applied() and now() (E4); any bytes are safe.
  // REQUIRES: command.sequence == last_applied() + 1; command.timestamp is not before now().
  void Apply(const Command& command, Bytes attachment, EventBuffer& events);

  // Sequence number and timestamp of the last command; those of no command before the first.
  SequenceNumber last_applied() const { return last_applied_; }
  Timestamp now() const { return now_; }

  // Of the logical state, queue order included (engine/DESIGN.md, Digests). Walks all live orders.
  Digest StateDigest() const;

  const MarketDirectory& markets() const { return directory_; }

  // The live orders of one side of one market in priority order; none when there is no such market.
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const;

  uint64_t live_order_count() const { return live_orders_.size(); }

  // E2, E3, and that books and index agree. CHECKs; walks everything.
  void CheckInvariants() const;

 private:
  struct Market {
    const MarketDefinition* definition = nullptr;  // In directory_.
    Digest digest;                                 // Its part of the state digest.
    ReferenceBook book;
  };
  struct Addressed;

  // One method per kind: each either refuses before it changes anything, or acts and returns kNone.
  RejectReason Dispatch(const Command& command, Bytes attachment, EventBuffer& events);
  RejectReason DefineMarket(const Command& command, Bytes attachment, EventBuffer& events);
  RejectReason NewOrder(const Command& command, EventBuffer& events);
  RejectReason Cancel(const Command& command, EventBuffer& events);
  RejectReason Reduce(const Command& command, EventBuffer& events);
  RejectReason Replace(const Command& command, EventBuffer& events);
  RejectReason Amend(const Command& command, EventBuffer& events);

  Market* FindMarket(MarketId id) const;
  RejectReason FindAddressed(const Command& command, Addressed& found) const;
  void Trade(Market& market, RestingOrder& taker, std::optional<Price> limit, EventBuffer& events);
  void Rest(Market& market, const RestingOrder& order);
  void Remove(const Addressed& addressed);

  SequenceNumber last_applied_;
  Timestamp now_;
  MarketDirectory directory_;

  // For look-ups only; directory_ has the order of the markets, the books that of the orders.
  absl::flat_hash_map<MarketId, std::unique_ptr<Market>> markets_;
  absl::flat_hash_map<OrderId, ReferenceBook::Handle> live_orders_;
};

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_H_
