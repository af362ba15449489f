#include "engine/gateway/kalshi/feed.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/gateway/kalshi/market_image.h"
#include "engine/views/market_stats.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {

using kalshi::Channel;
using kalshi::FrameType;
using kalshi::SocketErrorCode;

// ---- Commands.

void KalshiFeed::OnMessage(SessionId session, AccountId account, absl::string_view message) {
  const std::variant<kalshi::SocketCommand, kalshi::SocketRefusal> decoded =
      decoder_.Decode(message);
  if (const auto* const refusal = std::get_if<kalshi::SocketRefusal>(&decoded)) {
    Refuse(session, refusal->id, refusal->code);
    return;
  }
  const auto& command = std::get<kalshi::SocketCommand>(decoded);
  std::visit([&](const auto& body) { On(session, account, command.id, body); }, command.body);
  EndSlow();
}

void KalshiFeed::Refuse(SessionId session, int64_t id, SocketErrorCode code) {
  frame_.clear();
  kalshi::AppendError({.id = id}, code, {}, frame_);
  sink_.SendFrame(session, frame_);
}

std::optional<std::vector<MarketId>> KalshiFeed::MarketsOf(SessionId session, int64_t id,
                                                           Tickers tickers, Tickers ids) {
  std::vector<MarketId> markets;
  for (const absl::string_view ticker : tickers) {
    const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
    if (!listing.has_value()) {
      frame_.clear();
      kalshi::AppendError({.id = id}, SocketErrorCode::kInvalidParameter, {{ticker}}, frame_);
      sink_.SendFrame(session, frame_);
      return std::nullopt;
    }
    markets.push_back(listing->definition->id);
  }
  for (const absl::string_view text : ids) {
    const std::optional<MarketId> market = world_.ids.MarketOf(text);
    if (!market.has_value() || !world_.Find(*market).has_value()) {
      Refuse(session, id, SocketErrorCode::kInvalidParameter);
      return std::nullopt;
    }
    markets.push_back(*market);
  }
  return markets;
}

void KalshiFeed::On(SessionId session, AccountId account, int64_t id,
                    const kalshi::Subscribe& command) {
  const std::optional<std::vector<MarketId>> markets =
      MarketsOf(session, id, command.market_tickers, command.market_ids);
  if (!markets.has_value()) return;
  for (const Channel channel : command.channels) {
    Subscribe(session, account, id, channel, command, *markets);
  }
}

void KalshiFeed::Subscribe(SessionId session, AccountId account, int64_t id, Channel channel,
                           const kalshi::Subscribe& command, std::span<const MarketId> markets) {
  KalshiSubscription* subscription = subscriptions_.Find(session, channel);
  const size_t has = subscription == nullptr ? 0 : subscription->markets.size();
  if (has + markets.size() > options_.markets_max) {
    return Refuse(session, id, SocketErrorCode::kMarketLimit);
  }
  const bool is_new = subscription == nullptr;
  if (is_new) {
    subscription = &subscriptions_.Add(session, account, channel);
    subscription->use_yes_price = command.use_yes_price;
    subscription->skip_ticker_ack = command.skip_ticker_ack;
    frame_.clear();
    kalshi::AppendSubscribed(id, channel, subscription->sid, frame_);
    sink_.SendFrame(session, frame_);
  }
  const bool has_all = markets.empty() || kalshi::CoversAllMarkets(channel);
  const std::vector<MarketId> added =
      has_all ? AddAllMarkets(*subscription) : AddMarkets(*subscription, markets);
  if (!is_new) SendOk(*subscription, id);
  SendSnapshots(*subscription, added, 0);
  if (command.send_initial_snapshot) SendTickers(*subscription, added);
}

std::vector<MarketId> KalshiFeed::AddMarkets(KalshiSubscription& subscription,
                                             std::span<const MarketId> markets) {
  std::vector<MarketId> added;
  for (const MarketId market : markets) {
    if (subscription.Has(market)) continue;
    subscriptions_.AddMarket(subscription, market);
    added.push_back(market);
  }
  return added;
}

std::vector<MarketId> KalshiFeed::AddAllMarkets(KalshiSubscription& subscription) {
  std::vector<MarketId> added;
  const MarketStatsView& stats = world_.views.stats();
  for (size_t place = 0; place < stats.size(); ++place) {
    const MarketId market = stats.at(place).market;
    if (!subscription.Has(market)) added.push_back(market);
  }
  subscriptions_.AddAllMarkets(subscription);
  return added;
}

void KalshiFeed::SendOk(KalshiSubscription& subscription, int64_t id) {
  std::vector<absl::string_view> tickers;
  for (const MarketId market : subscription.markets) {
    tickers.push_back(world_.markets.Find(market)->symbol);
  }
  std::ranges::sort(tickers);
  frame_.clear();
  if (subscription.skip_ticker_ack) {
    kalshi::AppendOk(subscription.NextAddress(id), std::nullopt, frame_);
  } else {
    kalshi::AppendOk(subscription.NextAddress(id), Tickers(tickers), frame_);
  }
  sink_.SendFrame(subscription.session, frame_);
}

void KalshiFeed::SendSnapshots(KalshiSubscription& subscription, std::span<const MarketId> markets,
                               int64_t id) {
  if (subscription.channel != Channel::kOrderbookDelta) return;
  for (const MarketId market : markets) {
    const BookImage image = BookImageOf(market, world_.views.depth());
    const kalshi::PublicId market_id = world_.ids.Of(market);
    message_.clear();
    kalshi::JsonWriter json(message_);
    kalshi::Write(
        {.market = {world_.markets.Find(market)->symbol, market_id.text()}, .book = image.book()},
        {.use_yes_price = subscription.use_yes_price}, json);
    SendTo(subscription, FrameType::kOrderbookSnapshot, message_, id);
  }
}

void KalshiFeed::SendTickers(KalshiSubscription& subscription, std::span<const MarketId> markets) {
  if (subscription.channel != Channel::kTicker) return;
  for (const MarketId market : markets) {
    const kalshi::PublicId id = world_.ids.Of(market);
    std::optional<kalshi::Ticker> ticker = TickerOf(market, id);
    if (!ticker.has_value()) continue;
    ticker->time = world_.views.time();
    message_.clear();
    kalshi::JsonWriter json(message_);
    Write(*ticker, json);
    SendTo(subscription, FrameType::kTicker, message_);
  }
}

void KalshiFeed::On(SessionId session, AccountId, int64_t id, const kalshi::Unsubscribe& command) {
  for (const int64_t sid : command.sids) {
    KalshiSubscription* const subscription = subscriptions_.FindSid(session, sid);
    if (subscription == nullptr) {
      Refuse(session, id, SocketErrorCode::kUnknownSid);
      continue;
    }
    frame_.clear();
    kalshi::AppendUnsubscribed(subscription->NextAddress(id), frame_);
    sink_.SendFrame(session, frame_);
    subscriptions_.Remove(*subscription);
  }
}

void KalshiFeed::On(SessionId session, AccountId, int64_t id,
                    const kalshi::UpdateSubscription& command) {
  using Action = kalshi::UpdateSubscription::Action;
  KalshiSubscription* const subscription = subscriptions_.FindSid(session, command.sid);
  if (subscription == nullptr) return Refuse(session, id, SocketErrorCode::kUnknownSid);
  const std::optional<std::vector<MarketId>> markets =
      MarketsOf(session, id, command.market_tickers, command.market_ids);
  if (!markets.has_value()) return;
  if (kalshi::CoversAllMarkets(subscription->channel)) {
    return Refuse(session, id, SocketErrorCode::kUnsupportedAction);
  }
  switch (command.action) {
    case Action::kAddMarkets: {
      if (subscription->markets.size() + markets->size() > options_.markets_max) {
        return Refuse(session, id, SocketErrorCode::kMarketLimit);
      }
      const std::vector<MarketId> added = AddMarkets(*subscription, *markets);
      SendOk(*subscription, id);
      SendSnapshots(*subscription, added, 0);
      if (command.send_initial_snapshot) SendTickers(*subscription, added);
      break;
    }
    case Action::kDeleteMarkets:
      // What is left would have to be listed, market by market.
      if (subscription->has_all_markets) {
        return Refuse(session, id, SocketErrorCode::kUnsupportedAction);
      }
      for (const MarketId market : *markets) subscriptions_.RemoveMarket(*subscription, market);
      SendOk(*subscription, id);
      break;
    case Action::kGetSnapshot: {
      const std::vector<MarketId> all(subscription->markets.begin(), subscription->markets.end());
      if (subscription->channel != Channel::kOrderbookDelta) {
        return Refuse(session, id, SocketErrorCode::kUnsupportedAction);
      }
      SendSnapshots(*subscription, markets->empty() ? all : *markets, id);
      break;
    }
  }
}

void KalshiFeed::On(SessionId session, AccountId, int64_t id, const kalshi::ListSubscriptions&) {
  std::vector<kalshi::ListedSubscription> listed;
  for (const KalshiSubscription* const each : subscriptions_.Of(session)) {
    listed.push_back({.channel = each->channel, .sid = each->sid});
  }
  frame_.clear();
  kalshi::AppendSubscriptions(id, listed, frame_);
  sink_.SendFrame(session, frame_);
}

// ---- Frames.

void KalshiFeed::SendTo(KalshiSubscription& subscription, FrameType type, absl::string_view message,
                        int64_t id) {
  if (sink_.IsSlow(subscription.session)) {
    slow_.push_back(&subscription);
    return;
  }
  frame_.clear();
  kalshi::AppendFrame(type, subscription.NextAddress(id), message, frame_);
  SendNumbered(subscription);
}

void KalshiFeed::SendNumbered(const KalshiSubscription& subscription) {
  using Action = KalshiFaults::FrameAction;
  const SessionId session = subscription.session;
  const Action action =
      kalshi::IsSequenced(subscription.channel) ? faults_.TakeFrameAction() : Action::kSend;
  if (action == Action::kSendAfterNext && !later_.has_value()) {
    later_.emplace(session, frame_);
    return;
  }
  if (action != Action::kDrop) sink_.SendFrame(session, frame_);
  if (action == Action::kSendTwice) sink_.SendFrame(session, frame_);
  if (!later_.has_value() || later_->first != session) return;
  sink_.SendFrame(session, later_->second);
  later_.reset();
}

bool KalshiFeed::AnyoneHears(AccountId account, Channel channel) const {
  return std::ranges::any_of(
      subscriptions_.OfAccount(account),
      [&](const KalshiSubscription* each) { return each->channel == channel; });
}

void KalshiFeed::SendToAccount(AccountId account, Channel channel, MarketId market, FrameType type,
                               absl::string_view message) {
  for (KalshiSubscription* const each : subscriptions_.OfAccount(account)) {
    if (each->channel == channel && each->Has(market)) SendTo(*each, type, message);
  }
}

// A subscription whose client does not keep up ends, and the others of the session with it as soon
// as they have a message.
void KalshiFeed::EndSlow() {
  std::ranges::sort(slow_);
  slow_.erase(std::unique(slow_.begin(), slow_.end()), slow_.end());
  for (KalshiSubscription* const each : std::exchange(slow_, {})) {
    frame_.clear();
    kalshi::AppendError(each->NextAddress(), SocketErrorCode::kBufferOverflow, {}, frame_);
    sink_.SendFrame(each->session, frame_);
    subscriptions_.Remove(*each);
  }
}

void KalshiFeed::OnReleased(const Command& command, std::span<const Event> events,
                            std::span<const DepthChange> changes) {
  PublishDepth(command, changes);
  PublishTrades(events);
  PublishTickers(events, changes);
  PublishFills();
  PublishOrders(events);
  PublishPositions(events);
  PublishLifecycle(command, events);
  PublishGroups(command, events);
  EndSlow();
}

}  // namespace engine
