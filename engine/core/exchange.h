// The exchange as a pure function: (state, sequenced command) → (state, events).
//
//   Command ─► validate ──refused──► emit rejected; the state is unchanged (E4)
//                 │ allowed
//                 ▼
//              apply to book, orders, markets, ─► emit accepted, trade, balance, cancelled, ...
//              accounts, groups
//
// No I/O, no clock, no threads. Two exchanges given the same commands are equal, event for event
// and digest for digest (R1). engine/RULES.md and testdata/transcripts specify the rules,
// engine/DESIGN.md the digest and the invariants.
//
// This class is the façade. Its methods are in
// exchange_{fast_path,fast_path_limits,fast_path_money,prefetch,ordinary,money,orders,matching,
// markets,accounts,state}.cc and exchange_snapshot_{load,save}.cc. Each rule is in a file of this
// folder, one concept per file. Most commands are ordinary: an order without special terms in an
// open market, its cancel, its amend. A few comparisons recognise them, and they skip the checks
// that concern other commands; after that all commands share the same code.

#ifndef ENGINE_CORE_EXCHANGE_H_
#define ENGINE_CORE_EXCHANGE_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_book.h"
#include "engine/book/order_index.h"
#include "engine/book/order_slot.h"
#include "engine/book/resting_order.h"
#include "engine/core/account_digest.h"
#include "engine/core/contract_money.h"
#include "engine/core/expiry_queue.h"
#include "engine/core/ledger.h"
#include "engine/core/market.h"
#include "engine/core/market_table.h"
#include "engine/core/order_groups.h"
#include "engine/core/order_sum.h"
#include "engine/core/risk_control.h"
#include "engine/core/snapshot_io.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// Not thread-safe: owned by the driver.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Applies `command` and writes the events it causes, at least one, to `events`. Reads
  // `attachment` for the kinds of command that have one. Orders whose time has come expire first.
  // A command that the rules refuse emits exactly one kRejected and changes nothing but
  // last_applied() and now() (E4); any bytes are safe. REQUIRES: command.sequence ==
  // last_applied() + 1; command.timestamp is not before now().
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) {
    if (attachment.empty()) [[likely]]
      return ApplyFast(command, events);
    attachment_ = attachment;
    ApplyFast(command, events);
    attachment_ = {};
  }

  // Prefetches the memory that the next commands will need; changes nothing. Call it before each
  // Apply, with the next kPrefetchWindow commands in order, beginning with the one to be applied.
  // Cheap while the books fit in the nearer caches.
  static constexpr size_t kPrefetchWindow = 13;
  ENGINE_ALWAYS_INLINE void Prefetch(const Command* coming) const {
    PrefetchToReadBehind(coming, kCommandAhead * sizeof(Command));
    index_.Prefetch(coming[kIdentityAhead].order_id);
    if (storage_.looks_ahead()) PrefetchFar(coming);
  }

  // Sequence number and timestamp of the last command; zero before the first.
  SequenceNumber last_applied() const { return last_applied_; }
  Timestamp now() const { return now_; }

  // The digest of the logical state, queue order included (engine/DESIGN.md, Digests). Its cost
  // grows with what changed since the last call; the first call visits everything.
  Digest StateDigest() const;

  // Writes everything that decides what later commands do, as the parts of snapshot_parts.h.
  // Errors: the sink's.
  absl::Status Save(SnapshotSink sink) const;

  // Becomes the exchange that was saved (R2), by any build or engine. Any bytes are safe.
  // REQUIRES: no command was applied. Errors: the source's; DATA_LOSS (INVALID_ARGUMENT for an
  // unsound market definition), with the part and what was expected, for a state that no exchange
  // can have. Do not use the exchange after an error.
  absl::Status Load(SnapshotSource source);

  const MarketDirectory& markets() const { return directory_; }

  // The earliest expiry of a resting order; Timestamp::Max() when there is none.
  Timestamp next_expiry() const { return expiries_.first(); }

  // Visits the live orders of one side of one market in priority order; none for an unknown market.
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const;

  // Counts on each call: takes time in proportion to the pages of the index.
  uint64_t live_order_count() const { return index_.Count(); }

  // Nullopt unless the account is open.
  std::optional<AccountState> FindAccount(AccountId account) const;

  // YES contracts in quantity units; negative: NO contracts. Zero for an unknown account or market.
  int64_t Position(AccountId account, MarketId market) const {
    return ledger_.PositionOf(account, market);
  }

  // REQUIRES: the market is defined.
  MarketState StateOf(MarketId market) const;
  ExchangeState state() const { return state_; }

  // CHECKs E1, E2, E3, and that books, index, accounts, groups and expiries agree. Visits
  // everything.
  void CheckInvariants() const;

 private:
  // The order that a command names. It is live, in the command's market, and its account's.
  struct Addressed {
    Market* market = nullptr;
    Slot slot;
  };

  // An order on its way into the book, with the terms that matter only until it rests. It already
  // occupies the slot in which it will rest.
  struct Arrival {
    Slot slot;
    int64_t rank = 0;    // Of its price.
    int64_t limit = 0;   // The worst rank of the other side that it accepts.
    Quantity may_trade;  // The most it may trade; a reduce-only order: less than remains.
    TimeInForce tif = {};
    bool is_known = false;  // An amended order: index, group, expiries and counts have it.
  };

  // An order that trades, and the worst price that it accepts.
  struct Taker {
    SequenceNumber sequence;  // Of the command.
    OrderId id;
    Side side = {};
    int64_t limit = 0;  // As in Arrival.
  };

  // How many commands ahead Prefetch reads the commands themselves (which need not exist), the
  // index entry of the order that a command names, that order, and its neighbours in the queue.
  static constexpr size_t kCommandAhead = 32;
  static constexpr size_t kIdentityAhead = 12;
  static constexpr size_t kOrderAhead = 6;
  static constexpr size_t kNeighboursAhead = 3;
  static_assert(kPrefetchWindow == kIdentityAhead + 1);

  // exchange_fast_path.{h,cc}: the fast path. Commands that it does not take go to the next path.
  enum class Limits : uint8_t { kNone, kSome };  // Whether any account has limits.
  // `command` and `events` come first in steps that mostly pass them on, so that they stay in the
  // same registers from step to step.
  void ApplyFast(const Command& command, EventBuffer& events);
  void ApplyWithLimits(const Command& command, EventBuffer& events);
  template <Limits limits>
  void RestFast(const Command& command, EventBuffer& events);
  void RestOnNewLevel(const Command& command, Market& market, int64_t rank, EventBuffer& events);
  void BeginLevelAndRest(const Command& command, Market& market, int64_t rank, EventBuffer& events);
  bool IsReadyFor(const Command& command, const EventBuffer& events) const;
  template <uint8_t marks = 0>
  void PlaceOnLevel(const Command& command, EventBuffer& events, Slot level);
  void CancelFast(const Command& command, EventBuffer& events);
  void LeaveOthers(EventBuffer& events, OrderSlot& order, Slot& place);
  void MoveFast(const Command& command, EventBuffer& events);
  static Slot LevelToMoveTo(const Command& command, const OrderSlot& order, const Market& market,
                            uint64_t allowed);
  template <typename IsGranted>
  void MoveIf(const Command& command, EventBuffer& events, Slot slot, const Market& market,
              uint64_t allowed, IsGranted is_granted);
  void MoveToOthers(const Command& command, EventBuffer& events, Slot slot, Slot level);
  void StayWithLess(const Command& command, EventBuffer& events, Slot slot, const Market& market);
  void LowerInPlace(const Command& command, EventBuffer& events, OrderSlot& order);
  void RefuseIfNotLive(const Command& command, EventBuffer& events);

  // exchange_fast_path_limits.cc
  void RestIfGranted(const Command& command, EventBuffer& events, Slot level, const Market& market);
  void LeaveCounted(const Command& command, EventBuffer& events, OrderSlot& order, Slot& place);
  void MoveIfGranted(const Command& command, EventBuffer& events, Slot slot, const Market& market);

  // exchange_fast_path_money.cc
  void RestWithMoney(const Command& command, EventBuffer& events, uint64_t price, Market& market);
  void RestOnNewLevelIfPaid(const Command& command, EventBuffer& events, int64_t rank,
                            Market& market);
  void PayAndRest(const Command& command, Money required, Slot level, const Market& market,
                  EventBuffer& events);
  void PayAndRestElsewhere(const Command& command, Money required, Slot level, const Market& market,
                           EventBuffer& events);
  bool ReserveFast(const Command& command, Money required, Ledger::Party party,
                   const Market& market);
  void LeaveWithMoney(const Command& command, EventBuffer& events, OrderSlot& order, Slot& place);
  void LeaveLevelWithMoney(const Command& command, EventBuffer& events, const OrderSlot& order,
                           Slot place);
  void MoveWithMoney(const Command& command, EventBuffer& events, Slot slot, const Market& market);
  bool ReserveAmended(const Command& command, Slot slot, const Market& market);

  // exchange_prefetch.cc
  void PrefetchFar(const Command* coming) const;
  void PrefetchOrder(const Command& command) const;
  void PrefetchNeighbours(const Command& command) const;

  // exchange_ordinary.cc: ordinary commands that may trade, take a new page or block, or count for
  // limits; all others go to ApplyAny.
  void OrdinaryNewOrder(const Command& command, EventBuffer& events);
  void RestAnywhere(const Command& command, Market& market, int64_t rank, EventBuffer& events);
  void Take(const Command& command, Market& market, int64_t limit, EventBuffer& events);
  void Wait(const Command& command, Market& market, int64_t rank, Quantity remaining);
  void OrdinaryCancel(const Command& command, EventBuffer& events);
  void Leave(const Command& command, EventBuffer& events, Slot slot);
  void OrdinaryAmend(const Command& command, EventBuffer& events);
  bool PassesLimits(const Command& command, Side side, const Market& market,
                    RiskControl::Request::Rests rests);

  // exchange_money.cc: the same in markets with money.
  void OrdinaryWithMoney(const Command& command, Market* market, EventBuffer& events);
  void TakeWithMoney(const Command& command, Market& market, int64_t limit, Ledger::Party taker,
                     EventBuffer& events);
  Quantity TradeWithMoney(Market& market, const Command& command, int64_t limit,
                          Ledger::Party taker, Money& credit, EventBuffer& events);
  void SettleMaker(const Market& market, Slot slot, Quantity traded, EventBuffer& events);
  void WaitWithMoney(const Command& command, Market& market, int64_t rank, Quantity remaining,
                     Money credit, Ledger::Party party);

  // The slow path, for every command. One method per kind: it either returns a reason and changes
  // nothing, or applies the command and returns kNone.
  void ApplySlowPath(const Command& command, EventBuffer& events);
  void ApplyAny(const Command& command, EventBuffer& events);
  RejectReason Check(const Command& command) const;
  RejectReason Dispatch(const Command& command, EventBuffer& events);
  void NoteWhatIsOrdinary();  // Updates active_until_ and ordinary_until_.

  // exchange_orders.cc
  RejectReason NewOrder(const Command& command, EventBuffer& events);
  RejectReason Cancel(const Command& command, EventBuffer& events);
  RejectReason Reduce(const Command& command, EventBuffer& events);
  RejectReason ReduceTo(const Command& command, EventBuffer& events);
  RejectReason Replace(const Command& command, EventBuffer& events);
  RejectReason Amend(const Command& command, EventBuffer& events);
  RejectReason MassCancel(const Command& command, EventBuffer& events);
  RejectReason FindTradable(const Command& command, Market*& found) const;
  RejectReason FindAddressed(const Command& command, Addressed& found) const;
  RejectReason FindChangeable(const Command& command, Addressed& found) const;
  RejectReason FindOrder(const Command& command, Addressed& found) const;
  RejectReason CheckGroup(AccountId account, GroupId group) const;
  RejectReason CheckChangeOfPostOnly(const Market& market, Slot order, int64_t limit) const;
  RejectReason CheckMoney(const Market& market, const RestingOrder& order, Quantity may_trade,
                          std::optional<Price> limit, Slot instead_of) const;
  void ReduceBy(const Addressed& addressed, Quantity by, EventBuffer& events);
  Slot PutInSlot(const RestingOrder& order);

  // exchange_matching.h
  template <bool is_ordinary>
  void Enter(Market& market, const Arrival& arrival, EventBuffer& events);
  Quantity TradeOrdinary(Market& market, const Taker& taker, Quantity may_trade,
                         EventBuffer& events);
  template <bool is_ordinary>
  bool Trade(Market& market, const Arrival& arrival, EventBuffer& events);
  template <bool is_ordinary>
  void Rest(Market& market, const Arrival& arrival);
  template <bool is_ordinary>
  void AmendTo(Market& market, const Command& command, Arrival& arrival, EventBuffer& events);
  void AmendInPlace(Market& market, const Command& command, Slot slot, EventBuffer& events);
  void End(const Arrival& arrival);
  void Forget(Slot order);
  void Remove(Market& market, Slot order);
  void ChangesNow(Slot order);

  // exchange_matching.cc
  Price NotionalPrice(const Market& market, Side side, std::optional<Price> limit) const;
  bool CanFillOrKill(const Market& market, const Arrival& arrival) const;
  void SettleMarked(OrderBook::Fill fill);
  void SettleTrade(Market& market, Slot maker, Slot taker, Quantity traded, EventBuffer& events);
  void SettleFill(Market& market, Slot order, Quantity traded, Price price, FeeRole role,
                  EventBuffer& events);
  void CountGroupFill(Slot order, Quantity traded);
  void TripGroups(EventBuffer& events);
  Money CreditOf(Slot order) const;
  void SetCredit(Slot order, Money credit);
  Money Requirement(const Market& market, Slot resting, Quantity quantity) const;
  void Register(Market& market, Slot order);
  void Undo(Slot order);
  void Reserve(const Market& market, Slot order);
  void Release(Slot order);
  void SubtractFromSum(Slot order, Quantity traded);

  // exchange_markets.cc
  RejectReason DefineMarket(const Command& command, EventBuffer& events);
  Market& AddMarket(MarketId id);
  RejectReason MoveMarket(const Command& command, EventBuffer& events);
  RejectReason SetFees(const Command& command, EventBuffer& events);
  void PaySettlement(Market& market, EventBuffer& events);
  void MoveExchange(const Command& command, EventBuffer& events);
  void CancelWhere(const Market& market, CancelReason reason,
                   absl::FunctionRef<bool(const OrderSlot&)> is_it, EventBuffer& events);
  void ExpireOrders(Timestamp now, EventBuffer& events);
  void CancelById(OrderId order, CancelReason reason, EventBuffer& events);

  // exchange_accounts.cc
  RejectReason OpenAccount(const Command& command, EventBuffer& events);
  RejectReason MoveMoney(const Command& command, EventBuffer& events);
  RejectReason SetRiskLimits(const Command& command, EventBuffer& events);
  RejectReason DefineGroup(const Command& command, EventBuffer& events);
  RejectReason ResetGroup(const Command& command, EventBuffer& events);

  // exchange_state.cc
  void VisitAllSlots(absl::FunctionRef<void(Slot)> visit) const;
  void CheckOrders() const;
  void CheckAccounts() const;

  // exchange_snapshot_load.cc
  class Loader;

  SequenceNumber last_applied_;
  Timestamp now_;

  // Before this time the exchange is active and no order expires.
  Timestamp active_until_ = Timestamp::Max();
  Timestamp ordinary_until_ = Timestamp::Max();  // The same, and no account has limits.
  ExchangeState state_ = ExchangeState::kActive;
  FeeSchedule default_fees_;

  OrderIndex index_;
  mutable BookStorage storage_;  // StateDigest marks the orders that it sums.
  MarketTable markets_;
  MarketDirectory directory_;  // Also the order in which markets are visited.
  mutable OrderSum order_sum_;
  DigestSum market_sum_;  // Of the markets' definitions and statuses.

  Ledger ledger_;
  RiskControl risk_;
  OrderGroups groups_;
  ExpiryQueue expiries_;
  mutable AccountDigest account_digest_;

  Bytes attachment_;  // Of the command being applied. A member, as few commands have one.
};

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_H_
