#include "tools/cli/travel/travel_view.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/state/resting_order.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "engine/views/queue_place.h"
#include "replay/compare/moments.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/message_forms.h"

namespace tools {

using engine::DepthView;
using engine::MarketDefinition;
using engine::OrderHistory;
using engine::OrderId;
using engine::Quantity;
using engine::RestingOrder;
using engine::SequenceNumber;
using engine::Side;

bool WatchedLife::has_ended() const {
  const OrderHistory::Status status = whole_.status();
  if (status != OrderHistory::Status::kNone) return status != OrderHistory::Status::kLive;
  return known_up_to_.value() >= whole_.order().value();  // The command created no order.
}

void WatchedLife::OnCommand(const engine::Command& command, std::span<const engine::Event> events) {
  if (has_ended() || command.sequence != known_up_to_.Next()) return;
  known_up_to_ = command.sequence;
  whole_.OnEvents(command, events);
}

OrderHistory WatchedLife::UpTo(SequenceNumber place) const {
  OrderHistory life(whole_.order());
  engine::Command command;
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence > place) break;
    // OrderHistory only checks whether the command created the order or names it.
    const bool is_its_own = engine::OrderIdOf(entry.event.sequence) == whole_.order();
    command.kind = is_its_own ? engine::CommandKind::kNewOrder : engine::CommandKind::kAmend;
    command.sequence = entry.event.sequence;
    command.timestamp = entry.time;
    life.OnEvents(command, {&entry.event, 1});
  }
  return life;
}

namespace {

using Level = DepthView::Level;

// Returns the levels of one side, the best first.
std::vector<const Level*> LevelsOf(const DepthView& depth, engine::MarketId market, Side side) {
  std::vector<const Level*> levels;
  depth.VisitLevels(market, side, [&](engine::Price, const Level& level) {
    levels.push_back(&level);
    return true;
  });
  return levels;
}

void DescribeQueue(const replay::Machine& machine, const Level& level,
                   const MarketDefinition& market, OrderId watched, size_t limit,
                   TravelView& view) {
  view.queue_order_count = level.order_count();
  view.queue_title =
      absl::StrCat(engine::NameOf(level.side), " ", PriceText(level.price, &market), "  ",
                   QuantityText(level.quantity, &market), " in ", level.order_count(),
                   level.order_count() == 1 ? " order" : " orders");
  Quantity sum;
  const auto add = [&](const RestingOrder& order) {
    if (order.price != level.price || view.queue.size() == limit) return;
    sum += order.quantity_remaining;
    view.queue.push_back({.order = order.id,
                          .account = order.account,
                          .quantity = QuantityText(order.quantity_remaining, &market),
                          .up_to_here = QuantityText(sum, &market),
                          .is_watched = order.id == watched});
  };
  replay::ExchangeOf(machine).VisitOrders(market.id, level.side, add);
}

void DescribeMarket(const replay::Machine& machine, const MarketDefinition& market,
                    const LevelChoice& choice, OrderId watched, size_t limit, TravelView& view) {
  DepthView depth;
  replay::SeedDepth(machine, market.id, depth);
  const std::vector<const Level*> bids = LevelsOf(depth, market.id, Side::kBid);
  const std::vector<const Level*> asks = LevelsOf(depth, market.id, Side::kAsk);
  const DepthView::Place* const place = depth.FindOrder(watched);
  const Level* const watched_level = place == nullptr ? nullptr : place->level;
  const std::vector<const Level*>& levels = choice.side() == Side::kBid ? bids : asks;
  const Level* selected =
      levels.empty() ? nullptr : levels[std::min(choice.index(), levels.size() - 1)];
  if (choice.follows_order && watched_level != nullptr) selected = watched_level;

  const auto shown = [&](const std::vector<const Level*>& side) {
    std::vector<TravelLevel> result;
    for (const Level* level : std::span(side).first(std::min(limit, side.size()))) {
      result.push_back({.price = PriceText(level->price, &market),
                        .quantity = QuantityText(level->quantity, &market),
                        .quantity_units = level->quantity.units(),
                        .order_count = level->order_count(),
                        .is_selected = level == selected,
                        .is_watched = level == watched_level});
    }
    return result;
  };
  view.market = market.symbol;
  view.bids = shown(bids);
  view.asks = shown(asks);
  view.bid_level_count = bids.size();
  view.ask_level_count = asks.size();
  if (selected != nullptr) DescribeQueue(machine, *selected, market, watched, limit, view);
}

TravelOrder DescribeOrder(const replay::Machine& machine, const OrderHistory& life) {
  const engine::MarketDirectory& markets = MarketsOf(machine);
  const engine::MessageText text(markets);
  TravelOrder order{.order = life.order(), .standing = {}, .life = {}};
  for (const OrderHistory::Entry& entry : life.entries()) {
    order.life.push_back(text.Format(entry.event));
  }
  const engine::MarketId market =
      life.entries().empty() ? engine::MarketId() : life.entries().front().event.market;
  DepthView depth;
  replay::SeedDepth(machine, market, depth);
  order.standing = LifeText(life, engine::QueuePlace(depth, life.order()).standing(),
                            markets.Find(market), "here");
  return order;
}

// "@7 09:30:06.000000 60 at 320.1400 bid 3, ask 7"; the time is the time of day from RFC 3339.
std::string TradeText(const replay::PastTrade& past, const MarketDefinition& market,
                      const std::optional<absl::TimeZone>& zone) {
  const engine::Event& trade = past.trade;
  const std::string time = zone.has_value() ? TimeIn(past.time, *zone) : past.time.ToString();
  return absl::StrCat("@", trade.sequence.value(), " ", absl::string_view(time).substr(11, 15),
                      "  ", QuantityText(trade.quantity, &market), " at ",
                      PriceText(trade.price, &market), "  ", engine::NameOf(trade.side), " ",
                      trade.order_id.value(), ", ", engine::NameOf(engine::Opposite(trade.side)),
                      " ", trade.counter_order_id.value());
}

}  // namespace

const engine::MarketDirectory& MarketsOf(const replay::Machine& machine) {
  static const engine::MarketDirectory& none = *new engine::MarketDirectory();
  const replay::ExchangeState* const exchange = replay::FindExchange(machine);
  return exchange == nullptr ? none : exchange->markets();
}

engine::MarketId MarketWithMostOrders(const replay::Machine& machine) {
  const replay::ExchangeState* const exchange = replay::FindExchange(machine);
  engine::MarketId market;
  if (exchange == nullptr) return market;
  uint64_t most = 0;
  for (const auto& [id, definition] : exchange->markets().all()) {
    uint64_t count = 0;
    exchange->VisitOrdersOf(id, [&](const RestingOrder&) { ++count; });
    if (market != engine::MarketId() && count <= most) continue;
    market = id;
    most = count;
  }
  return market;
}

TravelView DescribePlace(const replay::TravelMachine& travel, engine::MarketId market_id,
                         const LevelChoice& choice, const WatchedLife* watched, size_t limit,
                         const std::optional<absl::TimeZone>& zone) {
  TravelView view;
  view.position = travel.position();
  view.oldest = travel.oldest();
  view.last = travel.last();
  const engine::MarketDirectory& markets = MarketsOf(travel.machine());
  const engine::MessageText text(markets);
  if (travel.command().sequence == travel.position() && travel.position().value() != 0) {
    view.time = travel.command().timestamp.ToString();
    view.command = text.Format(travel.command(), travel.attachment());
    for (const engine::Event& event : travel.events()) view.events.push_back(text.Format(event));
  }
  if (const MarketDefinition* market = markets.Find(market_id); market != nullptr) {
    DescribeMarket(travel.machine(), *market, choice,
                   watched == nullptr ? OrderId() : watched->order(), limit, view);
    for (auto past = travel.trades().rbegin(); past != travel.trades().rend(); ++past) {
      if (view.trades.size() == limit) break;
      if (past->trade.market == market->id) view.trades.push_back(TradeText(*past, *market, zone));
    }
  }
  if (watched != nullptr) {
    view.order = DescribeOrder(travel.machine(), watched->UpTo(travel.position()));
  }
  if (zone.has_value()) {
    view.time = WithTimesIn(view.time, *zone);
    view.command = WithTimesIn(view.command, *zone);
    for (std::string& event : view.events) event = WithTimesIn(event, *zone);
    if (view.order.has_value()) {
      for (std::string& event : view.order->life) event = WithTimesIn(event, *zone);
    }
  }
  return view;
}

}  // namespace tools
