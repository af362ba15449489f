// What is asked of a portfolio: pages, the latest first.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "engine/views/portfolio.h"

namespace engine {
namespace {

// A page of rows that lie in the order of their numbers, from 1.
template <typename Row, typename RowAt, typename Matches>
Page<Row> PageOf(size_t count, const PageRequest& request, RowAt row_at, Matches matches) {
  Page<Row> page;
  size_t visited = 0;
  const uint64_t begin = request.from == 0 ? count : std::min<uint64_t>(request.from, count);
  for (uint64_t number = begin; number > 0; --number) {
    if (page.rows.size() == request.limit || visited++ == kVisitedRowsMax) {
      page.next = number;
      return page;
    }
    const Row& row = row_at(number - 1);
    if (matches(row)) page.rows.push_back(&row);
  }
  return page;
}

}  // namespace

Page<PortfolioOrder> PortfolioView::OrdersAmong(const AscendingIds& ids, const OrderFilter& filter,
                                                const PageRequest& request) const {
  Page<PortfolioOrder> page;
  size_t visited = 0;
  ids.VisitDown(request.from, [&](OrderId id) {
    const PortfolioOrder* const order = orders_.Find(id);
    if (order != nullptr && order->created_at < filter.created.since) return false;
    if (page.rows.size() == request.limit || visited++ == kVisitedRowsMax) {
      page.next = id.value();
      return false;
    }
    const bool matches = order != nullptr && PassesMarkets(filter.markets, order->market) &&
                         (!filter.status.has_value() || order->status == *filter.status) &&
                         filter.created.Contains(order->created_at);
    if (matches) page.rows.push_back(order);
    return true;
  });
  return page;
}

Page<PortfolioOrder> PortfolioView::Orders(AccountId account, const OrderFilter& filter,
                                           const PageRequest& request) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  if (found == nullptr) return {};
  if (filter.status != OrderStatus::kLive) return OrdersAmong(found->orders, filter, request);
  if (filter.markets.size() != 1) return OrdersAmong(found->live_orders, filter, request);
  const MarketPortfolio* const position = accounts_.Find(account, filter.markets.front());
  if (position == nullptr) return {};
  return OrdersAmong(position->live_orders, filter, request);
}

Page<PortfolioFill> PortfolioView::Fills(AccountId account, const FillFilter& filter,
                                         const PageRequest& request) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  if (found == nullptr) return {};
  return fills_.PageFrom(
      request.from == 0 ? found->newest_fill : request.from, request.limit,
      [&](uint64_t number) { return fills_.OlderOf(number); },
      [&](const PortfolioFill& fill) {
        return fill.account == account && PassesMarkets(filter.markets, fill.market) &&
               (filter.order == OrderId() || fill.order == filter.order) &&
               filter.range.Contains(fill.time);
      },
      [&](const PortfolioFill& fill) { return fill.time < filter.range.since; });
}

Page<PortfolioPosition> PortfolioView::Positions(AccountId account, const PositionFilter& filter,
                                                 const PageRequest& request) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  if (found == nullptr) return {};
  return PageOf<PortfolioPosition>(
      found->positions.size(), request,
      [&](size_t place) -> const PortfolioPosition& {
        return accounts_.position_at(found->positions[place]).row;
      },
      [&](const PortfolioPosition& row) {
        return PassesMarkets(filter.markets, row.market) &&
               (!filter.with_position || row.position != 0) &&
               (!filter.with_trades || !row.volume.is_zero()) &&
               (!filter.is_settled.has_value() || row.is_settled == *filter.is_settled);
      });
}

const PortfolioPosition* PortfolioView::FindPosition(AccountId account, MarketId market) const {
  const MarketPortfolio* const found = accounts_.Find(account, market);
  return found == nullptr ? nullptr : &found->row;
}

Page<PortfolioSettlement> PortfolioView::Settlements(AccountId account,
                                                     const SettlementFilter& filter,
                                                     const PageRequest& request) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  if (found == nullptr) return {};
  return PageOf<PortfolioSettlement>(
      found->settlements.size(), request,
      [&](size_t place) -> const PortfolioSettlement& { return found->settlements[place]; },
      [&](const PortfolioSettlement& row) {
        return PassesMarkets(filter.markets, row.market) && filter.range.Contains(row.time);
      });
}

const PortfolioGroup* PortfolioView::FindGroup(AccountId account, GroupId group) const {
  const std::map<GroupId, PortfolioGroup>& groups = GroupsOf(account);
  const auto found = groups.find(group);
  return found == groups.end() ? nullptr : &found->second;
}

const std::map<GroupId, PortfolioGroup>& PortfolioView::GroupsOf(AccountId account) const {
  static const auto* const kNone =
      std::make_unique<const std::map<GroupId, PortfolioGroup>>().release();
  const AccountPortfolio* const found = accounts_.Find(account);
  return found == nullptr ? *kNone : found->groups;
}

Page<PortfolioOrder> PortfolioView::OrdersOfGroup(AccountId account, GroupId group,
                                                  const PageRequest& request) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  if (found == nullptr) return {};
  const auto orders = found->group_orders.find(group);
  if (orders == found->group_orders.end()) return {};
  return OrdersAmong(orders->second, {.markets = {}, .status = OrderStatus::kLive, .created = {}},
                     request);
}

const PortfolioCash* PortfolioView::FindCash(AccountId account) const {
  const AccountPortfolio* const found = accounts_.Find(account);
  return found == nullptr || !found->is_open ? nullptr : &found->cash;
}

}  // namespace engine
