// The exchange a second time, in the most obvious way, with sorted maps, sets and lists. It is
// short and written from the rules alone. Tests compare the fast exchange with it, and a log can be
// checked with it as an independent engine.
//
//   Command ─► expiries ─► validate ─► trades, cancels ─► group trips ─► events
//
//   market ─► side ─► price, best first ─► orders, earliest first     the only copy of an order
//   order id ──────────────────────────────► its place in that list
//   account ─► ids of its orders;  time ─► ids of the orders that expire then
//   account, market ─► contracts, and what resting orders may still cost on each side
//
// A command takes O(log n) in the number of resting orders, except for commands that concern many
// orders, and for money, which visits each market in which the account has a holding.
// CheckInvariants computes everything again from the orders alone.
//
// The rules are those of engine/RULES.md; the state digest is that of engine/DESIGN.md.

#ifndef ENGINE_REFERENCE_REFERENCE_EXCHANGE_H_
#define ENGINE_REFERENCE_REFERENCE_EXCHANGE_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by its caller. Guarantees and requirements are those of Exchange.
class ReferenceExchange {
 public:
  ReferenceExchange() = default;
  ReferenceExchange(const ReferenceExchange&) = delete;
  ReferenceExchange& operator=(const ReferenceExchange&) = delete;

  void Apply(const Command& command, Bytes attachment, EventBuffer& events);

  SequenceNumber last_applied() const { return last_applied_; }
  Timestamp now() const { return now_; }
  Digest StateDigest() const;
  const MarketDirectory& markets() const { return directory_; }
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const;
  uint64_t live_order_count() const { return orders_.size(); }
  Timestamp next_expiry() const {
    return expiries_.empty() ? Timestamp::Max() : expiries_.begin()->first;
  }

  struct AccountState {
    Money balance;
    Money reserved;  // At most the balance.
  };
  // Nullopt unless the account is open.
  std::optional<AccountState> FindAccount(AccountId account) const;

  // YES contracts in quantity units; negative: NO contracts.
  int64_t Position(AccountId account, MarketId market) const;

  // As in Exchange: each engine loads what the other has saved, and refuses what the other refuses.
  // Load REQUIRES: no command was applied. Errors: the sink's, the source's; DATA_LOSS. Do not use
  // the exchange after an error of Load.
  absl::Status Save(SnapshotSink sink) const;
  absl::Status Load(SnapshotSource source);

  // CHECKs E1, E2, E3, that no account has reserved more than its balance, and that every index has
  // the orders of the books. Visits everything.
  void CheckInvariants() const;

 private:
  using Level = std::list<RestingOrder>;  // Of one price, in the order of their priority.
  struct Market {
    const MarketDefinition* definition = nullptr;  // In directory_.
    Digest digest;                                 // Of the definition.
    std::map<Price, Level, std::greater<>> bids;   // The best price first.
    std::map<Price, Level> asks;
    MarketState state = MarketState::kOpen;
    FeeSchedule fees;
    Price settlement_value;

    bool is_binary() const { return definition->kind == MarketKind::kBinary; }
    bool is_mirrored() const { return definition->mirrored; }
    bool has_money() const { return is_binary() && !is_mirrored(); }
    // The first order of `side` to trade; null if there is none.
    const RestingOrder* Front(Side side) const;
    // Visits in priority order, until `visit` returns false.
    void Walk(Side side, absl::FunctionRef<bool(const RestingOrder&)> visit) const;
  };
  struct Account {
    bool is_open = false;
    Money balance;
    RiskLimits limits;
    int64_t rate_second = 0;
    uint64_t rate_count = 0;
    AccountStanding standing = AccountStanding::kActive;
  };
  struct Group {
    Quantity limit;
    int64_t window_nanos = 0;
    bool is_tripped = false;
    std::deque<std::pair<Timestamp, Quantity>> fills;  // Oldest first.
    Quantity filled;                                   // Their sum.
  };
  using GroupKey = std::pair<AccountId, GroupId>;

  // What an account has in a market.
  struct Holding {
    int64_t contracts = 0;  // YES; negative: NO.
    // What its resting orders may still cost; the pairs of their fills are not subtracted.
    std::array<__int128, 2> required = {};

    __int128& of(Side side) { return required[side == Side::kBid ? 0 : 1]; }
    __int128 of(Side side) const { return required[side == Side::kBid ? 0 : 1]; }
    friend bool operator==(const Holding&, const Holding&) = default;
  };
  using HoldingKey = std::pair<AccountId, MarketId>;

  // What an account may hold in a market, on either side of zero.
  struct PositionLimit {
    Quantity limit;      // Not zero.
    int64_t traded = 0;  // Bought less sold; not where there is money, which keeps contracts.
  };

  // An order on its way into the book.
  struct Arrival;

  // ---- reference_exchange.cc: applies one command.
  RejectReason Dispatch(const Command& command, Bytes attachment);
  RejectReason CheckExchangeState(CommandKind kind) const;
  RejectReason TakeNote(const Command& command, Bytes attachment);
  void ExpireOrders();
  void ForgetOldFills(Group& group) const;
  static bool IsWithin(const Group& group, Timestamp fill, Timestamp now);
  void TripGroups();
  void Trip(const GroupKey& key, Group& group);
  void CancelMembers(const GroupKey& key, CancelReason reason);
  Event& AppendAbout(EventKind kind, const RestingOrder& order);
  void AppendCancelled(const RestingOrder& order, CancelReason reason);
  void CancelResting(OrderId id, CancelReason reason);
  void CancelEach(std::vector<OrderId> ids, CancelReason reason);
  void CancelInMarket(const Market& market, CancelReason reason,
                      absl::FunctionRef<bool(const RestingOrder&)> which);

  // ---- reference_exchange_orders.cc: order commands.
  RejectReason NewOrder(const Command& command);
  RejectReason Cancel(const Command& command);
  RejectReason Reduce(const Command& command);
  RejectReason ReduceTo(const Command& command);
  RejectReason Replace(const Command& command);
  RejectReason Amend(const Command& command);
  RejectReason SetExpiry(const Command& command);
  RejectReason Execute(const Command& command);
  RejectReason CheckExecution(const Command& command, const RestingOrder* order) const;
  RejectReason MassCancel(const Command& command);
  RejectReason CheckMarket(const Command& command) const;
  RejectReason CheckAddressed(const Command& command) const;
  RejectReason CheckAllowedHere(const Command& command) const;
  RejectReason CheckPostOnlyChange(const Arrival& arrival) const;
  RejectReason CheckResources(const Arrival& arrival, const RestingOrder* instead_of) const;
  RejectReason CheckPosition(const Arrival& arrival, const RestingOrder* instead_of) const;
  void TakeAway(OrderId id, Quantity less);

  // ---- reference_exchange_fields.cc: the validation of an order's fields.
  RejectReason CheckTerms(const Command& command) const;
  RejectReason CheckQuantity(const Command& command) const;
  RejectReason CheckPrice(const Command& command) const;
  RejectReason CheckGroup(AccountId account, GroupId group) const;

  // ---- reference_exchange_book.cc: priority and matching.
  void Rest(const RestingOrder& order);
  RestingOrder Leave(OrderId id);
  void ChangeInPlace(OrderId id, absl::FunctionRef<void(RestingOrder&)> change);
  bool WouldTrade(const Arrival& arrival) const;
  void Enter(Arrival& arrival);
  bool MustKill(const Arrival& arrival) const;
  void Walk(Arrival& arrival);
  void Fill(Arrival& arrival, OrderId maker, Quantity quantity);

  // ---- reference_exchange_money.cc: fees, balances, positions, reservations.
  struct Paid {
    Money change;
    Money fee;
  };
  Paid PayForFill(RestingOrder& order, Price price, Quantity quantity, uint32_t coefficient);
  void AppendFillEvents(const RestingOrder& order, Quantity quantity, const Paid& paid);
  void AppendBalance(AccountId account, MarketId market, OrderId order, Money change, Money fee);
  __int128 Requirement(const RestingOrder& order, uint32_t coefficient) const;
  __int128 RequirementAtRest(const RestingOrder& order) const;
  void Require(const RestingOrder& order, int sign);
  Holding HoldingOf(AccountId account, MarketId market) const;
  void SetHolding(AccountId account, MarketId market, const Holding& holding);
  __int128 ReservedIn(MarketId market, const Holding& holding) const;
  __int128 Reserved(AccountId account) const;
  bool CanAfford(const Arrival& arrival, const RestingOrder* instead_of) const;
  Quantity Reducible(AccountId account, MarketId market, Side side) const;

  // ---- reference_exchange_accounts.cc: accounts, limits, groups.
  RejectReason OpenAccount(const Command& command);
  RejectReason Deposit(const Command& command);
  RejectReason Withdraw(const Command& command);
  RejectReason SetRiskLimits(const Command& command, Bytes attachment);
  RejectReason SuspendAccount(const Command& command);
  RejectReason ResumeAccount(const Command& command);
  RejectReason SetPositionLimit(const Command& command);
  int64_t LimitedPosition(AccountId account, MarketId market) const;
  void CountTraded(const RestingOrder& order, Quantity quantity);
  RejectReason SetFees(const Command& command, Bytes attachment);
  RejectReason DefineGroup(const Command& command);
  RejectReason ResetGroup(const Command& command);
  RejectReason TriggerGroup(const Command& command);
  RejectReason DeleteGroup(const Command& command);
  RejectReason CheckRisk(const Arrival& arrival, const RestingOrder* instead_of) const;
  __int128 NotionalOf(const Arrival& arrival) const;
  static int64_t SecondOfLog(Timestamp time);
  void CountOrder(AccountId account);
  void CountGroupFill(const RestingOrder& order, Quantity quantity);
  bool IsOpen(AccountId account) const;
  bool IsSuspended(AccountId account) const;

  // ---- reference_exchange_lifecycle.cc: the states of markets and of the exchange.
  RejectReason DefineMarket(const Command& command, Bytes attachment);
  RejectReason OpenMarket(const Command& command);
  RejectReason PauseMarket(const Command& command);
  RejectReason CloseMarket(const Command& command);
  RejectReason DetermineMarket(const Command& command);
  RejectReason SettleMarket(const Command& command);
  RejectReason SetExchangeState(ExchangeState state);
  void SetMarketState(MarketId id, MarketState state);
  void PayOut(AccountId account, MarketId market);
  const Market* FindMarket(MarketId id) const;

  // ---- reference_exchange_snapshot.cc
  struct Loading {
    std::optional<size_t> last_kind;      // Of the previous part.
    std::array<uint64_t, 7> counts = {};  // As SnapshotEnd has them.
    std::optional<std::tuple<MarketId, Side, int64_t, SequenceNumber>> last_place;
  };
  absl::Status Restore(const SnapshotPart& part, Loading& loading);
  absl::Status Restore(const SnapshotSummary& summary, Loading& loading);
  absl::Status Restore(const SnapshotMarket& saved, Loading& loading);
  absl::Status Restore(const AccountStatus& saved, Loading& loading);
  absl::Status Restore(const SnapshotPosition& saved, Loading& loading);
  absl::Status Restore(const PositionLimitStatus& saved, Loading& loading);
  absl::Status Restore(const GroupStatus& saved, Loading& loading);
  absl::Status Restore(const SnapshotGroupFill& saved, Loading& loading);
  absl::Status Restore(const RestingOrder& order, Loading& loading);
  absl::Status Restore(const SnapshotEnd& end, Loading& loading);
  absl::Status CheckSaved(const RestingOrder& order) const;
  absl::Status CheckLoaded(const Loading& loading) const;

  // ---- reference_exchange_state.cc
  void CheckBooks() const;
  void CheckMoney() const;

  SequenceNumber last_applied_;
  Timestamp now_;
  MarketDirectory directory_;
  std::map<MarketId, Market> markets_;
  std::map<OrderId, Level::iterator> orders_;
  std::map<AccountId, std::set<OrderId>> orders_of_;  // Of accounts with orders; not of zero.
  std::set<std::pair<Timestamp, OrderId>> expiries_;  // Of good-till-time orders.
  std::map<AccountId, Account> accounts_;
  std::map<HoldingKey, Holding> holdings_;  // Those that are not Holding().
  std::map<HoldingKey, PositionLimit> position_limits_;
  std::map<GroupKey, Group> groups_;
  ExchangeState state_ = ExchangeState::kActive;
  FeeSchedule default_fees_;
  Money held_;  // Deposits less withdrawals.
  Money fees_collected_;

  // Of the command being applied.
  EventBuffer* events_ = nullptr;
  std::set<GroupKey> groups_with_fills_;
};

}  // namespace engine

#endif  // ENGINE_REFERENCE_REFERENCE_EXCHANGE_H_
