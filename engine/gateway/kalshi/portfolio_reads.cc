#include "engine/gateway/kalshi/portfolio_reads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "engine/base/check.h"
#include "engine/gateway/kalshi/market_image.h"
#include "engine/gateway/kalshi/paging.h"
#include "engine/gateway/kalshi/portfolio_image.h"
#include "engine/types/money.h"
#include "engine/views/depth_view.h"
#include "engine/views/market_stats.h"
#include "engine/views/page.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "engine/wire/kalshi/queries.h"

namespace engine {
namespace {

using kalshi::Count;
using kalshi::CursorList;
using kalshi::QueryString;
using kalshi::Result;
namespace errors = kalshi::errors;

// The value of a position when a YES contract is worth `price`.
Money ValueOf(int64_t position, Price price) {
  return position >= 0 ? Money::FromMicros(position * price.units())
                       : Money::FromMicros(-position * kalshi::Complement(price).units());
}

std::vector<std::string> OneOrNone(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
}

// REQUIRES: `markets` outlive the filter.
PositionFilter FilterOf(const kalshi::GetPositions& request, const std::vector<MarketId>& markets) {
  PositionFilter filter = {.markets = markets,
                           .with_position = request.has_position,
                           .with_trades = request.has_total_traded,
                           .is_settled = {}};
  if (request.settlement != kalshi::GetPositions::Settlement::kAll) {
    filter.is_settled = request.settlement == kalshi::GetPositions::Settlement::kSettled;
  }
  return filter;
}

std::optional<OrderStatus> StatusOf(const std::optional<kalshi::OrderStatus>& status) {
  if (!status.has_value()) return std::nullopt;
  switch (*status) {
    case kalshi::OrderStatus::kResting:
      return OrderStatus::kLive;
    case kalshi::OrderStatus::kExecuted:
      return OrderStatus::kFilled;
    case kalshi::OrderStatus::kCanceled:
      break;
  }
  return OrderStatus::kCancelled;
}

}  // namespace

std::vector<MarketId> KalshiPortfolioReads::MarketsOf(
    const std::vector<std::string>& tickers, const std::vector<std::string>& events) const {
  std::vector<MarketId> markets;
  if (tickers.empty() && events.empty()) return markets;
  const auto is_wanted = [&](const KalshiListing& listing) {
    return (tickers.empty() || std::ranges::count(tickers, listing.definition->symbol) != 0) &&
           (events.empty() || std::ranges::count(events, listing.texts->event) != 0);
  };
  for (const KalshiMarket& market : world_.catalogue.markets()) {
    const std::optional<KalshiListing> listing = world_.Find(market.id);
    if (listing.has_value() && is_wanted(*listing)) markets.push_back(market.id);
  }
  if (markets.empty()) markets.emplace_back();
  return markets;
}

// ---- Money and positions.

KalshiReply KalshiPortfolioReads::Balance(AccountId account, const QueryString& query) const {
  const Result<kalshi::PartOnly> part = kalshi::ParsePartOnly(query, "GetBalance");
  if (!part.ok()) return ReplyOf(part.error());
  const PortfolioView& portfolio = world_.views.portfolio();
  const PortfolioCash* const cash = portfolio.FindCash(account);
  if (cash == nullptr) return ReplyOf(kalshi::Error{errors::kUserNotFound, {}});
  Money value;
  for (const KalshiMarket& market : world_.catalogue.markets()) {
    const PortfolioPosition* const position = portfolio.FindPosition(account, market.id);
    const MarketStats* const stats = world_.views.stats().Find(market.id);
    if (position == nullptr || stats == nullptr) continue;
    value += ValueOf(position->position, stats->last_price);
  }
  return ReplyOf(
      200, kalshi::Balance{
               .balance = cash->balance, .portfolio_value = value, .updated = cash->updated_at});
}

KalshiReply KalshiPortfolioReads::RestingOrderValue(AccountId account) const {
  Money total;
  const Page<PortfolioOrder> page = world_.views.portfolio().Orders(
      account, {.markets = {}, .status = OrderStatus::kLive, .created = {}}, {.limit = SIZE_MAX});
  for (const PortfolioOrder* const order : page.rows) {
    const Price price = order->side == Side::kBid ? order->price : kalshi::Complement(order->price);
    total += Money::FromMicros(price.units() * static_cast<int64_t>(order->remaining.units()));
  }
  return ReplyOf(200, kalshi::RestingOrderValue{.total = total});
}

KalshiReply KalshiPortfolioReads::Positions(AccountId account, const QueryString& query) const {
  const Result<kalshi::GetPositions> filter = kalshi::ParseGetPositions(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<MarketId> markets = MarketsOf(OneOrNone(filter->ticker), filter->event_tickers);
  const PositionFilter wanted = FilterOf(*filter, markets);
  const uint32_t listing = ListingOf(world_.ids, account, query);
  const Page<PortfolioPosition> page =
      world_.views.portfolio().Positions(account, wanted, PageOf(filter->page, listing));
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "market_positions");
  std::map<absl::string_view, kalshi::EventPosition> events;
  for (const PortfolioPosition* const position : page.rows) {
    const std::optional<KalshiListing> listing = world_.Find(position->market);
    if (!listing.has_value()) continue;
    list.Add(
        kalshi::MarketPosition{.ticker = listing->definition->symbol,
                               .total_traded = position->traded,
                               .position = Count::FromHundredths(position->position),
                               .market_exposure = position->cost_basis,
                               .realized_pnl = position->realised_pnl,
                               .fees_paid = position->fees,
                               .resting_orders_count = static_cast<int64_t>(position->open_orders),
                               .last_updated = position->updated_at});
    kalshi::EventPosition& event = events[listing->texts->event];
    event.event_ticker = listing->texts->event;
    event.total_cost += position->traded;
    event.total_cost_shares = event.total_cost_shares + Count::Of(position->volume);
    event.event_exposure += position->cost_basis;
    event.realized_pnl += position->realised_pnl;
    event.fees_paid += position->fees;
  }
  list.Next("event_positions");
  for (const auto& [ticker, event] : events) list.Add(event);
  list.FinishWithCursor(CursorOf(CursorList::kPositions, listing, page.next));
  return reply;
}

// ---- What has happened.

KalshiReply KalshiPortfolioReads::Fills(AccountId account, const QueryString& query) const {
  const Result<kalshi::GetFills> filter = kalshi::ParseGetFills(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<MarketId> markets = MarketsOf(filter->tickers, {});
  FillFilter wanted = {.markets = markets, .order = {}, .range = TimesOf(filter->time)};
  if (!filter->order_id.empty()) {
    const Result<const PortfolioOrder*> order = Find(account, filter->order_id);
    if (!order.ok()) return ReplyOf(order.error());
    wanted.order = (*order)->id;
  }
  const uint32_t listing = ListingOf(world_.ids, account, query);
  const Page<PortfolioFill> page =
      world_.views.portfolio().Fills(account, wanted, PageOf(filter->page, listing));
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "fills");
  for (const PortfolioFill* const fill : page.rows) {
    if (world_.Find(fill->market).has_value()) list.Add(FillImage(*fill, world_).fill);
  }
  list.FinishWithCursor(CursorOf(CursorList::kFills, listing, page.next));
  return reply;
}

KalshiReply KalshiPortfolioReads::Settlements(AccountId account, const QueryString& query) const {
  const Result<kalshi::GetSettlements> filter = kalshi::ParseGetSettlements(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<MarketId> markets =
      MarketsOf(OneOrNone(filter->ticker), OneOrNone(filter->event_ticker));
  const SettlementFilter wanted = {.markets = markets, .range = TimesOf(filter->time)};
  const uint32_t listing = ListingOf(world_.ids, account, query);
  const Page<PortfolioSettlement> page =
      world_.views.portfolio().Settlements(account, wanted, PageOf(filter->page, listing));
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "settlements");
  for (const PortfolioSettlement* const row : page.rows) {
    const std::optional<KalshiListing> listing = world_.Find(row->market);
    if (!listing.has_value()) continue;
    list.Add(kalshi::Settlement{.ticker = listing->definition->symbol,
                                .event_ticker = listing->texts->event,
                                .result = ResultOf(row->value),
                                .yes_count = Count::Of(row->yes_quantity()),
                                .yes_total_cost = row->yes_cost(),
                                .no_count = Count::Of(row->no_quantity()),
                                .no_total_cost = row->no_cost(),
                                .revenue = row->revenue,
                                .fee = row->fees,
                                .value = row->value,
                                .settled = row->time});
  }
  list.FinishWithCursor(CursorOf(CursorList::kSettlements, listing, page.next));
  return reply;
}

// ---- Orders.

Result<const PortfolioOrder*> KalshiPortfolioReads::Find(AccountId account,
                                                         absl::string_view order_id) const {
  if (!kalshi::IsUuid(order_id)) return kalshi::Error{errors::kInvalidUuid, {}};
  const std::optional<OrderId> id = world_.ids.OrderOf(order_id);
  const PortfolioOrder* const order =
      id.has_value() ? world_.views.portfolio().FindOrder(*id) : nullptr;
  if (order == nullptr || order->account != account || !world_.Find(order->market).has_value()) {
    return kalshi::Error{errors::kNotFound, {}};
  }
  return order;
}

KalshiReply KalshiPortfolioReads::Orders(AccountId account, const QueryString& query) const {
  const Result<kalshi::GetOrders> filter = kalshi::ParseGetOrders(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<MarketId> markets = MarketsOf(OneOrNone(filter->ticker), filter->event_tickers);
  const OrderFilter wanted = {
      .markets = markets, .status = StatusOf(filter->status), .created = TimesOf(filter->time)};
  const uint32_t listing = ListingOf(world_.ids, account, query);
  const Page<PortfolioOrder> page =
      world_.views.portfolio().Orders(account, wanted, PageOf(filter->page, listing));
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "orders");
  for (const PortfolioOrder* const order : page.rows) {
    if (world_.Find(order->market).has_value()) list.Add(OrderImage(*order, world_).order);
  }
  list.FinishWithCursor(CursorOf(CursorList::kOrders, listing, page.next));
  return reply;
}

KalshiReply KalshiPortfolioReads::Order(AccountId account, absl::string_view order_id) const {
  const Result<const PortfolioOrder*> order = Find(account, order_id);
  if (!order.ok()) return ReplyOf(order.error());
  KalshiReply reply;
  kalshi::AppendObject("order", OrderImage(**order, world_).order, reply.body);
  return reply;
}

// ---- Places in the queue.

Quantity KalshiPortfolioReads::AheadOf(OrderId order) const {
  const DepthView::Place* const place = world_.views.depth().FindOrder(order);
  CHECK(place != nullptr) << "order " << order;
  const DepthLevel& level = *place->level;
  Quantity ahead;
  world_.views.depth().VisitLevels(level.market, level.side,
                                   [&](Price price, const DepthLevel& better) {
                                     if (price == level.price) return false;
                                     ahead += better.quantity;
                                     return true;
                                   });
  for (const DepthView::Place& before : level.queue) {
    if (before.order == order) break;
    ahead += before.quantity_remaining;
  }
  return ahead;
}

KalshiReply KalshiPortfolioReads::QueuePosition(AccountId account,
                                                absl::string_view order_id) const {
  const Result<const PortfolioOrder*> order = Find(account, order_id);
  if (!order.ok()) return ReplyOf(order.error());
  if ((*order)->status != OrderStatus::kLive) {
    return ReplyOf(kalshi::Error{errors::kNotFound, {}});
  }
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  json.BeginObject().Count("queue_position_fp", Count::Of(AheadOf((*order)->id))).EndObject();
  return reply;
}

KalshiReply KalshiPortfolioReads::QueuePositions(AccountId account,
                                                 const QueryString& query) const {
  const Result<kalshi::GetQueuePositions> filter = kalshi::ParseGetQueuePositions(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  constexpr size_t kOrdersOfAnswer = 1'000;
  const std::vector<MarketId> markets =
      MarketsOf(filter->market_tickers, OneOrNone(filter->event_ticker));
  const Page<PortfolioOrder> page = world_.views.portfolio().Orders(
      account, {.markets = markets, .status = OrderStatus::kLive, .created = {}},
      {.limit = kOrdersOfAnswer});
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "queue_positions");
  for (const PortfolioOrder* const order : page.rows) {
    const std::optional<KalshiListing> listing = world_.Find(order->market);
    if (!listing.has_value()) continue;
    const kalshi::PublicId id = world_.ids.Of(order->id);
    list.Add(kalshi::QueuePosition{.order_id = id.text(),
                                   .market_ticker = listing->definition->symbol,
                                   .position = Count::Of(AheadOf(order->id))});
  }
  list.Finish();
  return reply;
}

}  // namespace engine
