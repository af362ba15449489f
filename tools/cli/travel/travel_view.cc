#include "tools/cli/travel/travel_view.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/state/resting_order.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/depth_view.h"
#include "replay/exchange_state.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/command_fields.h"

namespace tools {
using engine::OrderHistory;
using engine::SequenceNumber;

WatchedLife::WatchedLife(engine::OrderId order, SequenceNumber oldest)
    : whole_(order),
      known_up_to_(std::max(oldest, SequenceNumber(order.value() == 0 ? 0 : order.value() - 1))) {}

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

SequenceNumber WatchedLife::MissingFrom(SequenceNumber place) const {
  return has_ended() ? place : std::min(place, known_up_to_);
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

std::optional<SequenceNumber> WatchedLife::EventBefore(SequenceNumber place) const {
  std::optional<SequenceNumber> found;
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence >= place) break;
    found = entry.event.sequence;
  }
  return found;
}

std::optional<SequenceNumber> WatchedLife::EventAfter(SequenceNumber place) const {
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence > place) return entry.event.sequence;
  }
  return std::nullopt;
}

namespace {

using engine::MarketDefinition;
using engine::OrderHistory;
using engine::OrderId;
using engine::Price;
using engine::Quantity;
using engine::RestingOrder;
using engine::Side;

struct Level {
  Price price;
  Quantity quantity;
  std::vector<RestingOrder> orders;
};

// Returns the levels of one side, best first.
std::vector<Level> LevelsOf(const replay::Machine& machine, engine::MarketId market, Side side) {
  std::vector<Level> levels;
  const replay::ExchangeState* const exchange = replay::FindExchange(machine);
  if (exchange == nullptr) return levels;
  exchange->VisitOrders(market, side, [&](const RestingOrder& order) {
    if (levels.empty() || levels.back().price != order.price) {
      levels.push_back({.price = order.price, .quantity = {}, .orders = {}});
    }
    levels.back().quantity += order.quantity_remaining;
    levels.back().orders.push_back(order);
  });
  return levels;
}

struct Ladder {
  std::vector<Level> bids;
  std::vector<Level> asks;

  const std::vector<Level>& levels(Side side) const { return side == Side::kBid ? bids : asks; }
};

struct Standing {
  Side side = {};
  size_t level_index = 0;
  uint64_t orders_ahead = 0;
  Quantity quantity_ahead;
};

std::optional<Standing> FindOrder(const Ladder& ladder, OrderId id) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    const std::vector<Level>& levels = ladder.levels(side);
    for (size_t i = 0; i < levels.size(); ++i) {
      Standing standing{.side = side, .level_index = i, .orders_ahead = 0, .quantity_ahead = {}};
      for (const RestingOrder& order : levels[i].orders) {
        if (order.id == id) return standing;
        ++standing.orders_ahead;
        standing.quantity_ahead += order.quantity_remaining;
      }
    }
  }
  return std::nullopt;
}

std::vector<TravelLevel> Shown(const std::vector<Level>& levels, size_t limit,
                               const MarketDefinition& market, std::optional<size_t> selected,
                               std::optional<size_t> watched) {
  std::vector<TravelLevel> shown;
  for (size_t i = 0; i < std::min(limit, levels.size()); ++i) {
    shown.push_back({.price = PriceText(levels[i].price, &market),
                     .quantity = QuantityText(levels[i].quantity, &market),
                     .quantity_units = levels[i].quantity.units(),
                     .order_count = levels[i].orders.size(),
                     .is_selected = selected == i,
                     .is_watched = watched == i});
  }
  return shown;
}

void DescribeQueue(const Level& level, Side side, const MarketDefinition& market, OrderId watched,
                   size_t limit, TravelView& view) {
  view.queue_order_count = level.orders.size();
  view.queue_title =
      absl::StrCat(engine::NameOf(side), " ", PriceText(level.price, &market), "  ",
                   QuantityText(level.quantity, &market), " in ", level.orders.size(),
                   level.orders.size() == 1 ? " order" : " orders");
  Quantity sum;
  for (const RestingOrder& order : level.orders) {
    if (view.queue.size() == limit) break;
    sum += order.quantity_remaining;
    view.queue.push_back({.order = order.id,
                          .account = order.account,
                          .quantity = QuantityText(order.quantity_remaining, &market),
                          .up_to_here = QuantityText(sum, &market),
                          .is_watched = order.id == watched});
  }
}

void DescribeMarket(const replay::TravelMachine& travel, const MarketDefinition& market,
                    const PlaceQuestion& question, TravelView& view) {
  const Ladder ladder{.bids = LevelsOf(travel.machine(), market.id, Side::kBid),
                      .asks = LevelsOf(travel.machine(), market.id, Side::kAsk)};
  const OrderId watched = question.watched == nullptr ? OrderId() : question.watched->order();
  const std::optional<Standing> standing = FindOrder(ladder, watched);
  Side side = question.level.side();
  size_t selected = question.level.index();
  if (question.level.follows_order() && standing.has_value()) {
    side = standing->side;
    selected = standing->level_index;
  }
  const std::vector<Level>& levels = ladder.levels(side);
  if (!levels.empty()) selected = std::min(selected, levels.size() - 1);

  const auto shown = [&](Side of) {
    return Shown(ladder.levels(of), question.limits.levels, market,
                 of == side ? std::optional(selected) : std::nullopt,
                 standing.has_value() && standing->side == of ? std::optional(standing->level_index)
                                                              : std::nullopt);
  };
  view.market = market.symbol;
  view.bids = shown(Side::kBid);
  view.asks = shown(Side::kAsk);
  view.bid_level_count = ladder.bids.size();
  view.ask_level_count = ladder.asks.size();
  if (!levels.empty()) {
    DescribeQueue(levels[selected], side, market, watched, question.limits.places, view);
  }
}

std::string StandingText(const replay::TravelMachine& travel, const OrderHistory& life) {
  if (life.entries().empty()) return LifeText(life, std::nullopt, nullptr, "here");
  const engine::MarketId market = life.entries().front().event.market;
  const Ladder ladder{.bids = LevelsOf(travel.machine(), market, Side::kBid),
                      .asks = LevelsOf(travel.machine(), market, Side::kAsk)};
  std::optional<engine::DepthView::Standing> place;
  if (const auto standing = FindOrder(ladder, life.order()); standing.has_value()) {
    place = {.market = market,
             .side = standing->side,
             .price = ladder.levels(standing->side)[standing->level_index].price,
             .quantity_remaining = life.quantity_remaining(),
             .orders_ahead = standing->orders_ahead,
             .quantity_ahead = standing->quantity_ahead};
  }
  return LifeText(life, place, MarketsOf(travel.machine()).Find(market), "here");
}

TravelOrder DescribeOrder(const replay::TravelMachine& travel, const WatchedLife& watched) {
  const OrderHistory life = watched.UpTo(travel.position());
  const engine::MessageText text(MarketsOf(travel.machine()));
  TravelOrder order{.order = life.order(), .standing = StandingText(travel, life), .life = {}};
  for (const OrderHistory::Entry& entry : life.entries()) {
    order.life.push_back(text.Format(entry.event));
  }
  return order;
}

// "@7 09:30:06.000000 60 at 320.1400 bid 3, ask 7"; the time is the time of day from RFC 3339.
std::string TradeText(const replay::PastTrade& past, const MarketDefinition& market) {
  const engine::Event& trade = past.trade;
  const std::string time = past.time.ToString();
  const bool maker_is_bid = trade.side == Side::kBid;
  return absl::StrCat("@", trade.sequence.value(), " ", absl::string_view(time).substr(11, 15),
                      "  ", QuantityText(trade.quantity, &market), " at ",
                      PriceText(trade.price, &market), "  ", engine::NameOf(trade.side), " ",
                      trade.order_id.value(), ", ", maker_is_bid ? "ask " : "bid ",
                      trade.counter_order_id.value());
}

}  // namespace

const engine::MarketDirectory& MarketsOf(const replay::Machine& machine) {
  static const engine::MarketDirectory& none = *new engine::MarketDirectory();
  const replay::ExchangeState* const exchange = replay::FindExchange(machine);
  return exchange == nullptr ? none : exchange->markets();
}

TravelView DescribePlace(const replay::TravelMachine& travel, const PlaceQuestion& question) {
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
  const MarketDefinition* market = markets.Find(question.market);
  if (market != nullptr) {
    DescribeMarket(travel, *market, question, view);
    for (auto past = travel.trades().rbegin(); past != travel.trades().rend(); ++past) {
      if (view.trades.size() == question.limits.trades) break;
      if (past->trade.market == market->id) view.trades.push_back(TradeText(*past, *market));
    }
  }
  if (question.watched != nullptr) view.order = DescribeOrder(travel, *question.watched);
  return view;
}

}  // namespace tools
