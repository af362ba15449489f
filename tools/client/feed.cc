#include "tools/client/feed.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/wire/kalshi/client_requests.h"
#include "engine/wire/kalshi/json_writer.h"

namespace client {
namespace {

using engine::MarketId;
using engine::Timestamp;
using engine::kalshi::Channel;
using engine::kalshi::FeedFrame;
using engine::kalshi::FeedType;
using engine::kalshi::Lifecycle;
using strategy::Input;
using strategy::InputKind;

// A sid beyond is none that a venue would give: there are five subscriptions.
constexpr int64_t kSidMax = 1'000;

Timestamp After(Timestamp time, int64_t nanos) {
  return Timestamp::FromNanos(time.nanos() + nanos);
}

}  // namespace

Feed::Feed(const TickerTable& tickers, FeedHost& host)
    : tickers_(tickers),
      host_(host),
      decoder_(/*use_yes_price=*/true),
      has_book_(tickers.size(), false),
      books_missing_(tickers.size()) {}

void Feed::Begin(Timestamp now) {
  is_open_ = true;
  was_asked_ = false;
  heard_ = now;
  subscriptions_.clear();
  acks_missing_ = 0;
  last_id_ = 0;
  books_sid_ = 0;
  patience_ = After(now, kPatienceNanos);
  Subscribe({Channel::kOrderbookDelta}, /*names_markets=*/true);
  Subscribe({Channel::kTrade}, /*names_markets=*/true);
  Subscribe({Channel::kFill, Channel::kUserOrders, Channel::kMarketLifecycle},
            /*names_markets=*/false);
}

void Feed::End() {
  is_open_ = false;
  acks_missing_ = 0;
  patience_ = Timestamp::Max();
  for (size_t i = 0; i < tickers_.size(); ++i) SetStale(TickerTable::IdOf(i));
}

void Feed::Subscribe(std::vector<Channel> channels, bool names_markets) {
  acks_missing_ += channels.size();
  engine::kalshi::Subscribe subscribe{.channels = std::move(channels)};
  if (names_markets) {
    subscribe.market_tickers.assign(tickers_.all().begin(), tickers_.all().end());
    std::ranges::sort(subscribe.market_tickers);
    subscribe.use_yes_price = subscribe.channels.front() == Channel::kOrderbookDelta;
  }
  Send({.id = ++last_id_, .body = std::move(subscribe)});
}

void Feed::Send(const engine::kalshi::SocketCommand& command) {
  json_.clear();
  engine::kalshi::JsonWriter json(json_);
  engine::kalshi::Write(command, json);
  host_.SendFrame(json_);
}

absl::Status Feed::OnFrame(absl::string_view bytes, Timestamp now) {
  if (!is_open_) return absl::OkStatus();  // Of the connection before.
  heard_ = now;
  was_asked_ = false;
  RETURN_IF_ERROR(decoder_.Decode(bytes, frame_));
  switch (frame_.type) {
    case FeedType::kSubscribed:
      return OnSubscribed(frame_);
    case FeedType::kError:
      // Of a subscription that has ended, or of a command: without either nothing is complete.
      return absl::UnavailableError(
          absl::StrCat("the venue sent error ", frame_.code, ": ", frame_.name));
    case FeedType::kFill:
      host_.OnOwnFill(frame_);
      return absl::OkStatus();
    case FeedType::kUserOrder:
      host_.OnOwnOrder(frame_);
      return absl::OkStatus();
    default:
      break;
  }
  if (frame_.seq != 0 && !IsNew(frame_, now)) return absl::OkStatus();
  const MarketId market = tickers_.Find(frame_.ticker);
  if (market == MarketId()) return absl::OkStatus();
  switch (frame_.type) {
    case FeedType::kSnapshot:
      OnSnapshot(frame_, market);
      break;
    case FeedType::kDelta:
      OnDelta(frame_, market);
      break;
    case FeedType::kTrade:
      OnTrade(frame_, market);
      break;
    case FeedType::kLifecycle:
      OnLifecycle(frame_, market);
      break;
    default:
      break;
  }
  return absl::OkStatus();
}

absl::Status Feed::OnSubscribed(const FeedFrame& frame) {
  const std::optional<Channel> channel = engine::kalshi::ParseChannel(frame.name);
  if (!channel.has_value() || frame.sid < 1 || frame.sid > kSidMax || acks_missing_ == 0) {
    return absl::InvalidArgumentError(absl::StrCat("subscribed to channel '", frame.name,
                                                   "' as sid ", frame.sid,
                                                   ", which nothing asked for"));
  }
  const auto sid = static_cast<size_t>(frame.sid);
  if (subscriptions_.size() <= sid) subscriptions_.resize(sid + 1);
  subscriptions_[sid] = {.channel = *channel};
  if (*channel == Channel::kOrderbookDelta) books_sid_ = frame.sid;
  --acks_missing_;
  if (is_complete()) patience_ = Timestamp::Max();
  return absl::OkStatus();
}

bool Feed::IsNew(const FeedFrame& frame, Timestamp now) {
  if (frame.sid < 0 || static_cast<size_t>(frame.sid) >= subscriptions_.size()) return true;
  Subscription& subscription = subscriptions_[static_cast<size_t>(frame.sid)];
  if (frame.seq <= subscription.last_seq) {
    ++repeated_;
    return false;
  }
  const bool is_next = frame.seq == subscription.last_seq + 1;
  subscription.last_seq = frame.seq;
  if (!is_next) OnGap(subscription, now);
  return true;
}

void Feed::OnGap(const Subscription& subscription, Timestamp now) {
  ++gaps_;
  host_.Note(absl::StrCat("frames of channel ", engine::kalshi::ChannelName(subscription.channel),
                          " are missing"));
  if (subscription.channel == Channel::kMarketLifecycle) return host_.OnResultsMissed();
  if (subscription.channel != Channel::kOrderbookDelta) return;
  for (size_t i = 0; i < tickers_.size(); ++i) SetStale(TickerTable::IdOf(i));
  std::vector<absl::string_view> all(tickers_.all().begin(), tickers_.all().end());
  AskForBooks(all, now);
}

void Feed::AskForBook(MarketId market, Timestamp now) {
  if (!is_open_ || books_sid_ == 0 || !has_book(market)) return;
  SetStale(market);
  AskForBooks({tickers_.TickerOf(market)}, now);
}

void Feed::AskForBooks(const std::vector<absl::string_view>& tickers, Timestamp now) {
  engine::kalshi::UpdateSubscription update{
      .sid = books_sid_,
      .action = engine::kalshi::UpdateSubscription::Action::kGetSnapshot,
      .market_tickers = tickers};
  std::ranges::sort(update.market_tickers);
  Send({.id = ++last_id_, .body = std::move(update)});
  patience_ = After(now, kPatienceNanos);
}

void Feed::SetStale(MarketId market) {
  const size_t index = TickerTable::IndexOf(market);
  if (!has_book_[index]) return;
  has_book_[index] = false;
  ++books_missing_;
  host_.Hear({.market = market, .kind = InputKind::kBookStale});
}

void Feed::OnSnapshot(const FeedFrame& frame, MarketId market) {
  const size_t index = TickerTable::IndexOf(market);
  if (!has_book_[index]) {
    has_book_[index] = true;
    --books_missing_;
    if (is_complete()) patience_ = Timestamp::Max();
  }
  Input input{.venue_time = frame.time.nanos(), .market = market, .kind = InputKind::kBookClear};
  input.flags = frame.levels.empty() ? Input::kLast : 0;
  host_.Hear(input);
  input.kind = InputKind::kBookLevel;
  for (size_t i = 0; i < frame.levels.size(); ++i) {
    const engine::kalshi::FeedLevel& level = frame.levels[i];
    input.price = level.price;
    input.quantity = level.count.ToQuantity();
    input.side = level.side;
    input.flags = i + 1 == frame.levels.size() ? Input::kLast : 0;
    host_.Hear(input);
  }
}

void Feed::OnDelta(const FeedFrame& frame, MarketId market) {
  if (!has_book(market)) return;
  const engine::kalshi::FeedLevel& level = frame.levels.front();
  host_.Hear({.venue_time = frame.time.nanos(),
              .price = level.price,
              .amount = level.count.hundredths(),
              .market = market,
              .kind = InputKind::kBookChange,
              .side = level.side,
              .flags = Input::kLast});
}

void Feed::OnTrade(const FeedFrame& frame, MarketId market) {
  const engine::kalshi::FeedLevel& trade = frame.levels.front();
  host_.Hear({.venue_time = frame.time.nanos(),
              .price = trade.price,
              .quantity = trade.count.ToQuantity(),
              .market = market,
              .kind = InputKind::kTrade,
              .side = trade.side});
}

void Feed::OnLifecycle(const FeedFrame& frame, MarketId market) {
  if (frame.lifecycle != Lifecycle::kDetermined || !frame.settlement_value.has_value()) return;
  host_.Hear({.venue_time = frame.time.nanos(),
              .price = *frame.settlement_value,
              .market = market,
              .kind = InputKind::kSettled});
}

Timestamp Feed::next_time() const {
  if (!is_open_) return Timestamp::Max();
  return std::min(patience_,
                  After(heard_, was_asked_ ? kSilenceNanos + kPatienceNanos : kSilenceNanos));
}

absl::Status Feed::OnTime(Timestamp now) {
  if (now < next_time()) return absl::OkStatus();
  if (now >= patience_) {
    return absl::DeadlineExceededError(absl::StrCat(
        "of ", tickers_.size(), " markets ", books_missing_, " have no book, and ", acks_missing_,
        " subscriptions no acknowledgement, after ", kPatienceNanos / 1'000'000'000, " s"));
  }
  if (was_asked_) {
    return absl::DeadlineExceededError(absl::StrCat(
        "nothing was heard for ", (kSilenceNanos + kPatienceNanos) / 1'000'000'000, " s"));
  }
  was_asked_ = true;
  Send({.id = ++last_id_, .body = engine::kalshi::ListSubscriptions{}});
  return absl::OkStatus();
}

}  // namespace client
