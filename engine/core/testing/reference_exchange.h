// The exchange a second time, in the most obvious way: it keeps what happened and works out the
// rest each time it is asked. Slow, short, and written from the rules alone: what the fast exchange
// is compared with, and an engine of its own for whoever wants to check a log.
//
//   Command ─► expiries ─► is it allowed? ─► trades, cancels ─► group trips ─► events
//
//   orders, positions, fills of groups   kept
//   book, reserved money, open interest  worked out
//
// The rules are those of engine/RULES.md; the state digest is that of engine/DESIGN.md.

#ifndef ENGINE_CORE_TESTING_REFERENCE_EXCHANGE_H_
#define ENGINE_CORE_TESTING_REFERENCE_EXCHANGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe. Promises and requirements are those of Exchange.
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

  struct AccountState {
    Money balance;
    Money reserved;  // At most the balance.
  };
  // None where it has not been opened.
  std::optional<AccountState> FindAccount(AccountId account) const;

  // YES contracts in quantity units; below zero, NO contracts.
  int64_t Position(AccountId account, MarketId market) const;

  // E1, E2 and that nobody has promised more than there is. CHECKs.
  void CheckInvariants() const;

 private:
  struct Market {
    const MarketDefinition* definition = nullptr;  // In directory_.
    MarketState state = MarketState::kOpen;
    FeeSchedule fees;
    Price settlement_value;

    bool is_binary() const { return definition->kind == MarketKind::kBinary; }
  };
  struct Account {
    bool is_open = false;
    Money balance;
    RiskLimits limits;
    int64_t rate_second = 0;
    uint64_t rate_count = 0;
  };
  struct Group {
    Quantity limit;
    int64_t window_nanos = 0;
    bool is_tripped = false;
    std::vector<std::pair<Timestamp, Quantity>> fills;
  };
  using GroupKey = std::pair<AccountId, GroupId>;

  // An order on its way into the book.
  struct Arrival;

  // ---- reference_exchange.cc: one command after the other.
  RejectReason Dispatch(const Command& command, Bytes attachment);
  RejectReason CheckExchangeState(CommandKind kind) const;
  void ExpireOrders();
  void ForgetOldFills();
  void TripGroups();
  Event& AppendAbout(EventKind kind, const RestingOrder& order);
  void AppendCancelled(const RestingOrder& order, CancelReason reason);
  void CancelResting(OrderId id, CancelReason reason);
  uint64_t CancelAll(CancelReason reason, absl::FunctionRef<bool(const RestingOrder&)> which);

  // ---- reference_exchange_orders.cc: what an account asks of its orders.
  RejectReason NewOrder(const Command& command);
  RejectReason Cancel(const Command& command);
  RejectReason Reduce(const Command& command);
  RejectReason ReduceTo(const Command& command);
  RejectReason Replace(const Command& command);
  RejectReason Amend(const Command& command);
  RejectReason MassCancel(const Command& command);
  RejectReason CheckAddressed(const Command& command) const;
  RejectReason CheckAllowedHere(const Command& command) const;
  RejectReason CheckResources(const Arrival& arrival, OrderId instead_of) const;
  void TakeAway(OrderId id, Quantity less);

  // ---- reference_exchange_fields.cc: what an order may say.
  RejectReason CheckTerms(const Command& command) const;
  RejectReason CheckQuantity(const Command& command) const;
  RejectReason CheckPrice(const Command& command) const;
  RejectReason CheckGroup(AccountId account, GroupId group) const;

  // ---- reference_exchange_book.cc: priority, and what happens where orders meet.
  std::vector<const RestingOrder*> Queue(MarketId market, Side side) const;
  bool WouldTrade(const Arrival& arrival) const;
  void Enter(Arrival& arrival);
  bool MustKill(Arrival& arrival) const;
  void Walk(Arrival& arrival);
  void Fill(Arrival& arrival, OrderId maker, Quantity quantity);

  // ---- reference_exchange_money.cc: fees, balances, positions, reservations.
  void PayForFill(RestingOrder& order, Price price, Quantity quantity, uint32_t coefficient);
  void AppendFillEvents(const RestingOrder& order, Quantity quantity, Money change, Money fee);
  void AppendBalance(AccountId account, MarketId market, OrderId order, Money change, Money fee);
  __int128 Requirement(const RestingOrder& order, uint32_t coefficient) const;
  __int128 Reserved(AccountId account, OrderId without = {}, const Arrival* with = nullptr) const;
  Quantity Reducible(AccountId account, MarketId market, Side side) const;

  // ---- reference_exchange_accounts.cc: accounts, limits, groups.
  RejectReason OpenAccount(const Command& command);
  RejectReason Deposit(const Command& command);
  RejectReason Withdraw(const Command& command);
  RejectReason SetRiskLimits(const Command& command, Bytes attachment);
  RejectReason SetFees(const Command& command, Bytes attachment);
  RejectReason DefineGroup(const Command& command);
  RejectReason ResetGroup(const Command& command);
  RejectReason CheckRisk(const Arrival& arrival, OrderId instead_of) const;
  void CountOrder(AccountId account);
  void CountGroupFill(const RestingOrder& order, Quantity quantity);
  bool IsOpen(AccountId account) const;

  // ---- reference_exchange_lifecycle.cc: markets and the exchange from state to state.
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

  SequenceNumber last_applied_;
  Timestamp now_;
  MarketDirectory directory_;
  std::map<MarketId, Market> markets_;
  std::map<OrderId, RestingOrder> orders_;
  std::map<AccountId, Account> accounts_;
  std::map<std::pair<AccountId, MarketId>, int64_t> positions_;
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

#endif  // ENGINE_CORE_TESTING_REFERENCE_EXCHANGE_H_
