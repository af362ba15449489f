// The exchange as a pure function: (state, sequenced command) → (state, events).
//
//   Command ─► validate ──refused──► emit rejected; the state is unchanged (E4)
//                 │ allowed
//                 ▼
//              apply to book, orders, markets, ─► emit accepted, trade,
//              balance, cancelled, ... accounts, groups
//
// No I/O, no clock, no threads. Two exchanges given the same commands are equal, event for event
// and digest for digest (R1). engine/RULES.md and testdata/transcripts specify the rules,
// engine/DESIGN.md the digest and the invariants.
//
// This class is the face; venue_state.h says where each rule is. fast_path/ applies common commands
// faster: it takes a command or leaves it to the rules. Built with --define=fast_path=off, the
// exchange does without, and all events and digests are the same.

#ifndef ENGINE_CORE_EXCHANGE_H_
#define ENGINE_CORE_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/ledger.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the driver.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Applies `command` and writes the events it causes, at least one, to `events`. Reads
  // `attachment` for the kinds of command that have one. Orders whose time has come expire first. A
  // command that the rules refuse emits exactly one kRejected and changes nothing but
  // last_applied() and now() (E4); any bytes are safe. REQUIRES: command.sequence == last_applied()
  // + 1; command.timestamp is not before now().
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) {
    if (attachment.empty()) [[likely]]
      return ApplyPlain(command, events);
    ApplyWithAttachment(command, attachment, events);
  }

  // Prefetches the memory that the next commands will need; changes nothing. Call it before each
  // Apply, with the next kPrefetchWindow commands in order, beginning with the one to be applied.
  // Cheap while the books fit in the nearer caches.
  static constexpr size_t kPrefetchWindow = fast_path::kPrefetchWindow;
  ENGINE_ALWAYS_INLINE void Prefetch(const Command* coming) const {
    fast_path::Prefetch(venue_, coming);
  }

  // Sequence number and timestamp of the last command; zero before the first.
  SequenceNumber last_applied() const { return venue_.last_applied; }
  Timestamp now() const { return venue_.now; }

  // The digest of the logical state, queue order included (engine/DESIGN.md, Digests). Its cost
  // grows with what changed since the last call; the first call visits everything.
  Digest StateDigest() const;

  // Writes everything that decides what later commands do, as the parts of snapshot_parts.h.
  // Errors: the sink's.
  absl::Status Save(SnapshotSink sink) const;

  // Becomes the exchange that was saved (R2), by any build or engine. Any bytes are safe. REQUIRES:
  // no command was applied. Errors: the source's; DATA_LOSS (INVALID_ARGUMENT for an unsound market
  // definition), with the part and what was expected, for a state that no exchange can have. Do not
  // use the exchange after an error.
  absl::Status Load(SnapshotSource source);

  const MarketDirectory& markets() const { return venue_.directory; }

  // The earliest expiry of a resting order; Timestamp::Max() when there is none.
  Timestamp next_expiry() const { return venue_.expiries.first(); }

  // Visits the live orders of one side of one market in priority order; none for an unknown market.
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const {
    venue_.VisitOrders(market, side, visit);
  }

  // Right after StateDigest() it is known; else takes time in proportion to the pages of the index.
  uint64_t live_order_count() const;

  // Nullopt unless the account is open.
  std::optional<AccountState> FindAccount(AccountId account) const;

  // Active for an account that is not open.
  AccountStanding StandingOf(AccountId account) const { return venue_.risk.StandingOf(account); }

  // YES contracts in quantity units; negative: NO contracts. Zero for an unknown account or market.
  int64_t Position(AccountId account, MarketId market) const {
    return venue_.ledger.PositionOf(account, market);
  }

  // REQUIRES: the market is defined.
  MarketState StateOf(MarketId market) const;
  ExchangeState state() const { return venue_.state; }

  // CHECKs E1, E2, E3, and that books, index, accounts, groups and expiries agree. Visits
  // everything.
  void CheckInvariants() const;

 private:
  // Makes `command` the last applied. CHECKs that it comes next.
  ENGINE_ALWAYS_INLINE void AdvanceTo(const Command& command) {
    const SequenceNumber next = venue_.last_applied.Next();
    const Timestamp timestamp = command.timestamp;
    if (command.sequence != next || timestamp < venue_.now) [[unlikely]]
      CheckIsNext(command);
    venue_.last_applied = next;
    venue_.now = timestamp;
  }
  // CHECKs the same. The first command may have any time.
  ENGINE_COLD void CheckIsNext(const Command& command) const;
  void ApplyPlain(const Command& command, EventBuffer& events);
  void ApplyWithAttachment(const Command& command, Bytes attachment, EventBuffer& events);

  VenueState venue_;
};

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_H_
