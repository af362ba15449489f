// Who hears what: the subscriptions of all WebSocket sessions, found by market and by account.
//
//   session ─► one subscription a channel ─┬─► by market   orderbook_delta, ticker, trade
//                                          ├─► by account  fill, market_positions, user_orders, ...
//                                          └─► all         those that name no market

#ifndef ENGINE_GATEWAY_KALSHI_SUBSCRIPTIONS_H_
#define ENGINE_GATEWAY_KALSHI_SUBSCRIPTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "engine/gateway/session_gateway.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/frames.h"

namespace engine {

// Of one channel of one session.
struct KalshiSubscription {
  SessionId session;
  AccountId account;
  kalshi::Channel channel = {};
  int64_t sid = 0;
  int64_t seq = 0;  // Of its last frame, if the channel is sequenced.
  bool has_all_markets = false;
  absl::btree_set<MarketId> markets;  // Unless it has all.
  bool use_yes_price = false;
  bool skip_ticker_ack = false;

  bool Has(MarketId market) const { return has_all_markets || markets.contains(market); }

  // Where its next frame goes. `id`: of the command that it answers, or 0.
  kalshi::FrameAddress NextAddress(int64_t id = 0) {
    if (kalshi::IsSequenced(channel)) ++seq;
    return {.sid = sid, .seq = seq, .id = id};
  }
};

// Not thread-safe: owned by the gateway. Pointers to subscriptions are valid until they are
// removed.
class KalshiSubscriptions {
 public:
  // REQUIRES: the session has no subscription of that channel.
  KalshiSubscription& Add(SessionId session, AccountId account, kalshi::Channel channel);
  void Remove(KalshiSubscription& subscription);
  void RemoveAll(SessionId session);

  // Null if there is none.
  KalshiSubscription* Find(SessionId session, kalshi::Channel channel) const;
  KalshiSubscription* FindSid(SessionId session, int64_t sid) const;
  // By sid.
  std::vector<KalshiSubscription*> Of(SessionId session) const;

  void AddMarket(KalshiSubscription& subscription, MarketId market);
  void RemoveMarket(KalshiSubscription& subscription, MarketId market);
  void AddAllMarkets(KalshiSubscription& subscription);

  // Those of the channel that have the market; `visit` must not add or remove any.
  void VisitMarket(kalshi::Channel channel, MarketId market,
                   absl::FunctionRef<void(KalshiSubscription&)> visit) const;
  bool HasMarket(kalshi::Channel channel, MarketId market) const;
  // All of the channel.
  std::span<KalshiSubscription* const> OfChannel(kalshi::Channel channel) const {
    return by_channel_[static_cast<size_t>(channel)];
  }
  // Of all channels of the account's sessions.
  std::span<KalshiSubscription* const> OfAccount(AccountId account) const;

 private:
  using List = std::vector<KalshiSubscription*>;
  struct Session {
    uint32_t generation = 0;
    int64_t sid_last = 0;
    std::array<std::unique_ptr<KalshiSubscription>, kalshi::kChannelCount> by_channel;
  };
  static uint64_t KeyOf(kalshi::Channel channel, MarketId market) {
    return (uint64_t{static_cast<uint8_t>(channel)} << 32) | market.value();
  }
  const Session* FindSession(SessionId id) const;

  absl::flat_hash_map<uint32_t, Session> sessions_;  // By place.
  absl::flat_hash_map<uint64_t, List> by_market_;    // By KeyOf(); none is empty.
  std::array<List, kalshi::kChannelCount> with_all_markets_;
  std::array<List, kalshi::kChannelCount> by_channel_;
  absl::flat_hash_map<AccountId, List> by_account_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_SUBSCRIPTIONS_H_
