// What released records lead to, channel by channel.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/feed.h"
#include "engine/gateway/kalshi/market_image.h"
#include "engine/gateway/kalshi/portfolio_image.h"
#include "engine/messages/kinds.h"
#include "engine/types/lifecycle.h"
#include "engine/views/market_stats.h"
#include "engine/views/portfolio.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {
namespace {

using kalshi::Channel;
using kalshi::Count;
using kalshi::FrameType;

}  // namespace

// ---- Public.

void KalshiFeed::PublishDepth(const Command& command, std::span<const DepthChange> changes) {
  for (const DepthChange& change : changes) {
    if (!subscriptions_.HasMarket(Channel::kOrderbookDelta, change.market)) continue;
    const kalshi::PublicId market_id = world_.ids.Of(change.market);
    // Encoded when the first subscription wants it, by form and by whether it is the account's own.
    std::array<std::array<std::string, 2>, 2> messages;
    subscriptions_.VisitMarket(
        Channel::kOrderbookDelta, change.market, [&](KalshiSubscription& subscription) {
          const bool is_own = subscription.account == command.account;
          std::string& message = messages[subscription.use_yes_price][is_own];
          if (message.empty()) {
            const PortfolioOrder* const order =
                world_.views.portfolio().FindOrder(OrderIdOf(command.sequence));
            kalshi::JsonWriter json(message);
            kalshi::Write({.market = {world_.markets.Find(change.market)->symbol, market_id.text()},
                           .side = change.side,
                           .price = change.price,
                           .change = Count::FromHundredths(change.change()),
                           .time = command.timestamp,
                           .is_own = is_own,
                           .client_order_id = is_own && order != nullptr
                                                  ? world_.views.portfolio().ClientTextOf(*order)
                                                  : absl::string_view()},
                          {.use_yes_price = subscription.use_yes_price}, json);
          }
          SendTo(subscription, FrameType::kOrderbookDelta, message);
        });
  }
}

void KalshiFeed::PublishTrades(std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != EventKind::kTrade ||
        !subscriptions_.HasMarket(Channel::kTrade, event.market)) {
      continue;
    }
    const std::optional<KalshiListing> listing = world_.Find(event.market);
    if (!listing.has_value()) continue;
    const kalshi::PublicId id = world_.ids.OfTrade(event.sequence, event.index);
    message_.clear();
    kalshi::JsonWriter json(message_);
    kalshi::WriteTradeMessage({.trade_id = id.text(),
                               .ticker = listing->definition->symbol,
                               .count = Count::Of(event.quantity),
                               .price = event.price,
                               .taker_side = Opposite(event.side),
                               .time = world_.views.time()},
                              json);
    subscriptions_.VisitMarket(Channel::kTrade, event.market,
                               [&](KalshiSubscription& subscription) {
                                 SendTo(subscription, FrameType::kTrade, message_);
                               });
  }
}

std::optional<kalshi::Ticker> KalshiFeed::TickerOf(MarketId market,
                                                   const kalshi::PublicId& id) const {
  const std::optional<KalshiListing> listing = world_.Find(market);
  const MarketStats* const stats = world_.views.stats().Find(market);
  if (!listing.has_value() || stats == nullptr) return std::nullopt;
  const MarketImage image(*listing, world_, world_.views.time());
  return kalshi::Ticker{.market = {listing->definition->symbol, id.text()},
                        .last_price = stats->last_price,
                        .bid = image.market.bid,
                        .bid_size = image.market.bid_size,
                        .ask = image.market.ask,
                        .ask_size = image.market.ask_size,
                        .volume = Count::Of(stats->volume),
                        .open_interest = Count::Of(stats->open_interest),
                        .dollar_volume = stats->dollar_volume,
                        .dollar_open_interest = Money::FromMicros(
                            static_cast<int64_t>(stats->open_interest.units()) * 10'000),
                        .last_trade_size = Count::Of(stats->last_size),
                        .time = {}};
}

void KalshiFeed::PublishTickers(std::span<const Event> events,
                                std::span<const DepthChange> changes) {
  if (subscriptions_.OfChannel(Channel::kTicker).empty()) return;
  std::vector<MarketId> markets;
  for (const DepthChange& change : changes) markets.push_back(change.market);
  for (const Event& event : events) {
    const bool changes_it = event.kind == EventKind::kTrade || event.kind == EventKind::kPosition;
    if (changes_it) markets.push_back(event.market);
  }
  std::ranges::sort(markets);
  markets.erase(std::unique(markets.begin(), markets.end()), markets.end());
  for (const MarketId market : markets) {
    if (!subscriptions_.HasMarket(Channel::kTicker, market)) continue;
    const kalshi::PublicId id = world_.ids.Of(market);
    std::optional<kalshi::Ticker> ticker = TickerOf(market, id);
    if (!ticker.has_value()) continue;
    message_.clear();
    kalshi::JsonWriter without_time(message_);
    Write(*ticker, without_time);
    if (std::string& last = last_tickers_[market]; std::exchange(last, message_) == message_) {
      continue;
    }
    ticker->time = world_.views.time();
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(*ticker, json);
    subscriptions_.VisitMarket(Channel::kTicker, market, [&](KalshiSubscription& subscription) {
      SendTo(subscription, FrameType::kTicker, message_);
    });
  }
}

void KalshiFeed::PublishLifecycle(const Command& command, std::span<const Event> events) {
  const std::span<KalshiSubscription* const> all =
      subscriptions_.OfChannel(Channel::kMarketLifecycle);
  if (all.empty()) return;
  for (const Event& event : events) {
    const std::optional<KalshiListing> listing = world_.Find(event.market);
    if (!listing.has_value()) continue;
    const absl::string_view ticker = listing->definition->symbol;
    message_.clear();
    kalshi::JsonWriter json(message_);
    if (event.kind == EventKind::kMarketDefined) {
      kalshi::WriteMarketCreated(MarketImage(*listing, world_, command.timestamp).market, json);
    } else if (event.kind == EventKind::kDetermined) {
      kalshi::WriteMarketDetermined(ticker, ResultOf(event.price), event.price, command.timestamp,
                                    json);
    } else if (event.kind == EventKind::kMarketState) {
      WriteState(ticker, event.market_state(), command, json);
    }
    if (message_.empty()) continue;
    for (KalshiSubscription* const each : all) {
      SendTo(*each, FrameType::kMarketLifecycle, message_);
    }
  }
}

// No message when a market opens for the first time: Kalshi has none.
void KalshiFeed::WriteState(absl::string_view ticker, MarketState state, const Command& command,
                            kalshi::JsonWriter& json) const {
  const MarketStats* const stats = world_.views.stats().Find(command.market);
  switch (state) {
    case MarketState::kOpen:
      if (stats != nullptr && stats->opened_at < command.timestamp) {
        kalshi::WriteMarketActivated(ticker, /*is_deactivated=*/false, json);
      }
      break;
    case MarketState::kPaused:
      kalshi::WriteMarketActivated(ticker, /*is_deactivated=*/true, json);
      break;
    case MarketState::kClosed:
      kalshi::WriteCloseDateUpdated(ticker, command.timestamp, json);
      break;
    case MarketState::kSettled:
      kalshi::WriteMarketSettled(ticker, command.timestamp, json);
      break;
    default:
      break;
  }
}

// ---- Of accounts.

void KalshiFeed::PublishFills() {
  const PortfolioView& portfolio = world_.views.portfolio();
  for (uint64_t number = std::exchange(fills_published_, portfolio.last_fill()) + 1;
       number <= portfolio.last_fill(); ++number) {
    const PortfolioFill* const fill = portfolio.FindFill(number);
    if (fill == nullptr || !AnyoneHears(fill->account, Channel::kFill) ||
        !world_.Find(fill->market).has_value()) {
      continue;
    }
    const FillImage image(*fill, world_);
    const PortfolioOrder* const order = portfolio.FindOrder(fill->order);
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(kalshi::FillMessage{.fill = image.fill,
                              .client_order_id = order == nullptr ? absl::string_view()
                                                                  : portfolio.ClientTextOf(*order),
                              .post_position = Count::FromHundredths(fill->position_after)},
          json);
    SendToAccount(fill->account, Channel::kFill, fill->market, FrameType::kFill, message_);
  }
}

void KalshiFeed::PublishOrders(std::span<const Event> events) {
  if (subscriptions_.OfChannel(Channel::kUserOrders).empty()) return;
  std::vector<OrderId> orders;
  for (const Event& event : events) {
    if (!InfoOf(event.kind).changes_an_order) continue;
    orders.push_back(event.order_id);
    if (event.kind == EventKind::kTrade || event.kind == EventKind::kReplaced) {
      orders.push_back(event.counter_order_id);
    }
  }
  std::ranges::sort(orders);
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  for (const OrderId id : orders) {
    const PortfolioOrder* const order = world_.views.portfolio().FindOrder(id);
    if (order == nullptr || !AnyoneHears(order->account, Channel::kUserOrders) ||
        !world_.Find(order->market).has_value()) {
      continue;
    }
    const OrderImage image(*order, world_);
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(kalshi::UserOrderMessage{.order = image.order, .reason = UpdateOf(*order)}, json);
    SendToAccount(order->account, Channel::kUserOrders, order->market, FrameType::kUserOrder,
                  message_);
  }
}

void KalshiFeed::PublishPositions(std::span<const Event> events) {
  if (subscriptions_.OfChannel(Channel::kMarketPositions).empty()) return;
  for (const Event& event : events) {
    if (event.kind != EventKind::kPosition ||
        !AnyoneHears(event.account, Channel::kMarketPositions)) {
      continue;
    }
    const std::optional<KalshiListing> listing = world_.Find(event.market);
    const PortfolioPosition* const position =
        world_.views.portfolio().FindPosition(event.account, event.market);
    if (!listing.has_value() || position == nullptr) continue;
    const kalshi::PublicId user = world_.ids.Of(event.account);
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(kalshi::MarketPositionMessage{.user_id = user.text(),
                                        .market_ticker = listing->definition->symbol,
                                        .position = Count::FromHundredths(position->position),
                                        .position_cost = position->cost_basis,
                                        .realized_pnl = position->realised_pnl,
                                        .fees_paid = position->fees,
                                        .position_fee_cost = position->open_fees,
                                        .volume = Count::Of(position->volume)},
          json);
    SendToAccount(event.account, Channel::kMarketPositions, event.market,
                  FrameType::kMarketPosition, message_);
  }
}

void KalshiFeed::PublishGroups(const Command& command, std::span<const Event> events) {
  for (const Event& event : events) {
    if (!AnyoneHears(event.account, Channel::kOrderGroupUpdates)) continue;
    const PortfolioGroup* const group =
        world_.views.portfolio().FindGroup(event.account, event.group());
    kalshi::OrderGroupUpdateMessage update;
    update.time = command.timestamp;
    if (event.kind == EventKind::kGroupDefined && group != nullptr) {
      update.update = group->defined_at < command.timestamp ? kalshi::GroupUpdate::kLimitUpdated
                                                            : kalshi::GroupUpdate::kCreated;
      update.contracts_limit = Count::Of(event.quantity);
    } else if (event.kind == EventKind::kGroupTripped) {
      update.update = kalshi::GroupUpdate::kTriggered;
    } else if (event.kind == EventKind::kGroupReset) {
      update.update = kalshi::GroupUpdate::kReset;
    } else if (event.kind == EventKind::kGroupDeleted) {
      update.update = kalshi::GroupUpdate::kDeleted;
    } else {
      continue;
    }
    const kalshi::PublicId id = world_.ids.Of(event.account, event.group());
    update.order_group_id = id.text();
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(update, json);
    SendToAccount(event.account, Channel::kOrderGroupUpdates, MarketId(),
                  FrameType::kOrderGroupUpdates, message_);
  }
}

}  // namespace engine
