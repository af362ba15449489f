// The portfolios of all accounts: their orders, fills, positions, settlements, groups and cash,
// folded from commands, attachments and events alone.
//
//   command + attachment ─► terms, client's text ─┐
//   events ─► accepted, trade, cancelled, ...  ───┴─► orders     by id; by account; live by market
//          ─► trade, balance, position         ─────► fills      one chain an account
//          ─► balance, position                ─────► positions, settlements, cash
//          ─► group_...                        ─────► groups
//
// Account zero is not one client and has no portfolio. Live orders, positions, settlements and
// groups are always kept. Of ended orders the last `ended_orders_of_account` of each account are
// kept, and the last `ended_orders` of all together, in the order in which they ended; of fills the
// last `fills` of all accounts together. An order takes some 300 bytes, a fill some 90.

#ifndef ENGINE_VIEWS_PORTFOLIO_H_
#define ENGINE_VIEWS_PORTFOLIO_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/views/ascending_ids.h"
#include "engine/views/chained_history.h"
#include "engine/views/order_store.h"
#include "engine/views/page.h"
#include "engine/views/portfolio_accounts.h"
#include "engine/views/portfolio_rows.h"
#include "engine/views/position_money.h"

namespace engine {

struct PortfolioOptions {
  size_t ended_orders_of_account = 100'000;
  size_t ended_orders = 2'000'000;
  size_t fills = 2'000'000;
};

// Empty lists and optional values let everything pass.
struct OrderFilter {
  std::span<const MarketId> markets;
  std::optional<OrderStatus> status;
  TimeRange created;
};

struct FillFilter {
  std::span<const MarketId> markets;
  OrderId order;  // Zero: any.
  TimeRange range;
};

struct PositionFilter {
  std::span<const MarketId> markets;
  bool with_position = false;  // Only positions that are not zero.
  bool with_trades = false;    // Only those in which something was traded.
  std::optional<bool> is_settled;
};

struct SettlementFilter {
  std::span<const MarketId> markets;
  TimeRange range;
};

// Not thread-safe: owned by the reader of the log. It receives all records of the log from its
// beginning, or from what was loaded. Events about orders and accounts that it does not know are
// ignored. Pointers are valid until the next OnEvents().
class PortfolioView {
 public:
  explicit PortfolioView(const PortfolioOptions& options = {});
  PortfolioView(const PortfolioView&) = delete;
  PortfolioView& operator=(const PortfolioView&) = delete;

  // A command with its attachment and its events: all, or part after part.
  void OnEvents(const Command& command, Bytes attachment, std::span<const Event> events);

  // ---- Orders. Null if it is not kept.
  const PortfolioOrder* FindOrder(OrderId order) const { return orders_.Find(order); }
  // The client's id as text, empty if it gave none. REQUIRES: `order` is one of this view's.
  absl::string_view ClientTextOf(const PortfolioOrder& order) const {
    return orders_.ClientTextOf(order);
  }
  // The latest first, by id. Live orders of one market take time in proportion to their number.
  Page<PortfolioOrder> Orders(AccountId account, const OrderFilter& filter,
                              const PageRequest& request) const;
  uint64_t live_order_count() const { return orders_.live_count(); }

  // ---- Fills, the latest first.
  Page<PortfolioFill> Fills(AccountId account, const FillFilter& filter,
                            const PageRequest& request) const;
  // Fills of all accounts are numbered from 1, the maker's before the taker's. A fill appears with
  // its fee and position, so with the last of the events about it.
  uint64_t last_fill() const { return fills_.last(); }
  const PortfolioFill* FindFill(uint64_t number) const { return fills_.Find(number); }

  // ---- Positions, in the order of their first order or trade, the latest first.
  Page<PortfolioPosition> Positions(AccountId account, const PositionFilter& filter,
                                    const PageRequest& request) const;
  // Null if the account never had an order or a position there.
  const PortfolioPosition* FindPosition(AccountId account, MarketId market) const;

  // ---- Settlements, the latest first.
  Page<PortfolioSettlement> Settlements(AccountId account, const SettlementFilter& filter,
                                        const PageRequest& request) const;

  // ---- Groups. Null if it is not defined.
  const PortfolioGroup* FindGroup(AccountId account, GroupId group) const;
  const std::map<GroupId, PortfolioGroup>& GroupsOf(AccountId account) const;
  // Its live orders, the latest first.
  Page<PortfolioOrder> OrdersOfGroup(AccountId account, GroupId group,
                                     const PageRequest& request) const;

  // ---- Cash. Null if the account is not open.
  const PortfolioCash* FindCash(AccountId account) const;

 private:
  // What an event about a trade leaves for the balance and the position that follow it.
  struct PendingFill {
    PortfolioFill fill;  // Of the maker, then of the taker.
    OrderId taker;
    bool is_expected = false;
  };

  void Fold(const Command& command, Bytes attachment, const Event& event);
  void DefineMarket(const Command& command, Bytes attachment);
  void Enter(const Command& command, Bytes attachment, const Event& event);
  void Replace(const Command& command, Bytes attachment, const Event& event);
  void AddOrder(const PortfolioOrder& order, absl::string_view text);
  void Amend(const Command& command, Bytes attachment, const Event& event);
  void Reduce(const Command& command, const Event& event);
  void SetExpiry(const Command& command, const Event& event);
  void Cancel(const Command& command, const Event& event);
  static PendingFill TakerOf(const PendingFill& maker);
  void Touch(const Command& command, OrderUpdate update, OrderStore::Entry& entry);
  void End(OrderStore::Entry& entry, OrderStatus status);
  void Forget(OrderStore::Entry& entry);

  void Trade(const Command& command, const Event& event);
  void Fill(const Command& command, const Event& trade, OrderId order, bool is_taker);
  void AddFill(const PortfolioFill& fill);
  void Balance(const Command& command, const Event& event);
  void Position(const Command& command, const Event& event);
  void Settle(const Command& command, const Event& event, PortfolioPosition& position);
  void Group(const Command& command, const Event& event);

  const ContractUnits& UnitsOf(MarketId market) const;
  Page<PortfolioOrder> OrdersAmong(const AscendingIds& ids, const OrderFilter& filter,
                                   const PageRequest& request) const;

  const PortfolioOptions options_;
  OrderStore orders_;
  PortfolioAccounts accounts_;
  ChainedHistory<PortfolioFill> fills_;
  IdTable unit_places_;  // Of markets in `units_`.
  std::vector<ContractUnits> units_;
  std::map<MarketId, Price> settlement_values_;
  PendingFill pending_;
  Money revenue_;  // Of the settlement whose position comes next, and its fee.
  Money settlement_fee_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_PORTFOLIO_H_
