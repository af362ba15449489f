// The exchange as a pure function: (state, sequenced command) → (state, events).
//
//   Command ─► is it allowed? ──no──► rejected, and nothing has changed (E4)
//                    │ yes
//                    ▼
//              book, orders, markets, ─► accepted, trade, balance, cancelled, ...
//              accounts, groups
//
// No I/O, no clock, no threads. Two exchanges given the same commands are equal, event for event
// and digest for digest (R1). The rules are specified by engine/RULES.md and testdata/transcripts,
// the digest and the invariants by engine/DESIGN.md.
//
// The façade; its methods are in exchange_{orders,matching,markets,accounts,state}.cc, and what
// they decide is in the files of this folder, one concept each.

#ifndef ENGINE_CORE_EXCHANGE_H_
#define ENGINE_CORE_EXCHANGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/book/testing/reference_book.h"
#include "engine/core/contract_money.h"
#include "engine/core/expiry_queue.h"
#include "engine/core/ledger.h"
#include "engine/core/order_groups.h"
#include "engine/core/risk_control.h"
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

  // Applies `command` and leaves the events it causes, at least one, in `events`. `attachment` is
  // read of the commands that have one. Orders whose time has come end first. A wish the rules
  // refuse yields exactly one kRejected and changes nothing but last_applied() and now() (E4); any
  // bytes are safe.
  // REQUIRES: command.sequence == last_applied() + 1; command.timestamp is not before now().
  void Apply(const Command& command, Bytes attachment, EventBuffer& events);

  // Sequence number and timestamp of the last command; those of no command before the first.
  SequenceNumber last_applied() const { return last_applied_; }
  Timestamp now() const { return now_; }

  // Of the logical state, queue order included (engine/DESIGN.md, Digests). Walks everything.
  Digest StateDigest() const;

  const MarketDirectory& markets() const { return directory_; }

  // The live orders of one side of one market in priority order; none when there is no such market.
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const;

  uint64_t live_order_count() const { return live_orders_.size(); }

  // Nullopt unless it is open.
  std::optional<AccountState> FindAccount(AccountId account) const;

  // Signed YES contracts: below zero where it holds NO. Zero for what does not exist.
  int64_t Position(AccountId account, MarketId market) const {
    return ledger_.PositionOf(account, market);
  }

  // REQUIRES: the market is defined.
  MarketState StateOf(MarketId market) const;
  ExchangeState state() const { return state_; }

  // E1, E2, E3, and that books, index, accounts, groups and expiries agree. CHECKs; walks
  // everything.
  void CheckInvariants() const;

 private:
  struct Market {
    const MarketDefinition* definition = nullptr;  // In directory_.
    Digest digest;                                 // The definition's part of the state digest.
    MarketState state = MarketState::kOpen;
    Price settlement_value;  // Once determined.
    FeeSchedule fees;        // Of binary markets, as is `money`.
    ContractMoney money;
    ReferenceBook book;

    bool is_binary() const { return definition->kind == MarketKind::kBinary; }
  };

  // The order that a command names, found to be live and the sender's.
  struct Addressed {
    Market* market = nullptr;
    ReferenceBook::Handle handle;

    const RestingOrder& order() const { return *handle; }
  };

  // An order on its way into the book, and the terms that end where it rests.
  struct Arrival {
    RestingOrder order;               // As it stands; its remainder falls as it trades.
    std::optional<Price> limit = {};  // Nullopt: at any price.
    Quantity may_trade;  // At most; less than remains if it may only reduce a position.
    TimeInForce tif = {};
  };

  // One method per kind: each either refuses before it changes anything, or acts and returns kNone.
  RejectReason Check(const Command& command) const;
  RejectReason Dispatch(const Command& command, Bytes attachment, EventBuffer& events);

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
  RejectReason CheckMoney(const Market& market, const Arrival& arrival,
                          const RestingOrder* instead_of) const;
  void ReduceBy(const Addressed& addressed, Quantity by, EventBuffer& events);

  // exchange_matching.cc
  void Enter(Market& market, Arrival& arrival, EventBuffer& events);
  bool Trade(Market& market, Arrival& arrival, EventBuffer& events);
  void SettleTrade(Market& market, RestingOrder& maker, RestingOrder& taker, Quantity traded,
                   EventBuffer& events);
  void SettleFill(Market& market, RestingOrder& order, Quantity traded, Price price, FeeRole role,
                  EventBuffer& events);
  void CountGroupFill(const RestingOrder& order, Quantity traded);
  void TripGroups(EventBuffer& events);
  Money Requirement(const Market& market, const RestingOrder& resting) const;
  void Rest(Market& market, const RestingOrder& order);
  void Forget(const RestingOrder& order);
  void Reserve(const Market& market, const RestingOrder& order);
  void Release(const Market& market, const RestingOrder& order);
  void Remove(Market& market, ReferenceBook::Handle order);

  // exchange_markets.cc
  RejectReason DefineMarket(const Command& command, Bytes attachment, EventBuffer& events);
  RejectReason MoveMarket(const Command& command, EventBuffer& events);
  RejectReason SetFees(const Command& command, Bytes attachment, EventBuffer& events);
  void PaySettlement(Market& market, EventBuffer& events);
  void MoveExchange(const Command& command, EventBuffer& events);
  void CancelWhere(const Market& market, CancelReason reason,
                   absl::FunctionRef<bool(const RestingOrder&)> is_it, EventBuffer& events);
  void ExpireOrders(Timestamp now, EventBuffer& events);
  void CancelById(OrderId order, CancelReason reason, EventBuffer& events);

  // exchange_accounts.cc
  RejectReason OpenAccount(const Command& command, EventBuffer& events);
  RejectReason MoveMoney(const Command& command, EventBuffer& events);
  RejectReason SetRiskLimits(const Command& command, Bytes attachment, EventBuffer& events);
  RejectReason DefineGroup(const Command& command, EventBuffer& events);
  RejectReason ResetGroup(const Command& command, EventBuffer& events);

  // exchange_state.cc
  Market* FindMarket(MarketId id) const;
  void VisitAllOrders(absl::FunctionRef<void(const RestingOrder&)> visit) const;
  void DigestAccounts(DigestSum& sum) const;
  void CheckOrders() const;
  void CheckAccounts() const;

  SequenceNumber last_applied_;
  Timestamp now_;
  Timestamp applying_;  // Of the command that is being applied.
  ExchangeState state_ = ExchangeState::kActive;
  FeeSchedule default_fees_;
  MarketDirectory directory_;

  // For look-ups only; directory_ has the order of the markets, the books that of the orders.
  absl::flat_hash_map<MarketId, std::unique_ptr<Market>> markets_;
  absl::flat_hash_map<OrderId, ReferenceBook::Handle> live_orders_;

  Ledger ledger_;
  RiskControl risk_;
  OrderGroups groups_;
  ExpiryQueue expiries_;
};

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_H_
