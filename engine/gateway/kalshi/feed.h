// The WebSocket side: commands that subscribe, and the frames that released records lead to.
//
//   message ─► kalshi::CommandDecoder ─► subscriptions ─► replies, snapshots
//   released record ─► views ─► OnReleased() ─► a message, encoded once ─► a frame a subscription

#ifndef ENGINE_GATEWAY_KALSHI_FEED_H_
#define ENGINE_GATEWAY_KALSHI_FEED_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/gateway/kalshi/subscriptions.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/gateway/session_gateway.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/views/depth_view.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/frames.h"
#include "engine/wire/kalshi/json_writer.h"

namespace engine {

// Takes the frames of sessions.
class KalshiFrameSink {
 public:
  virtual ~KalshiFrameSink() = default;
  virtual void SendFrame(SessionId session, absl::string_view frame) = 0;
  // Whether the session's client reads so slowly that it shall have no more messages.
  virtual bool IsSlow(SessionId session) const = 0;
};

struct KalshiFeedOptions {
  size_t markets_max = 10'000;  // Of a subscription.
};

// Not thread-safe: owned by the gateway. All references outlive it.
class KalshiFeed {
 public:
  KalshiFeed(const KalshiWorld& world, KalshiFrameSink& sink, KalshiFaults& faults,
             const KalshiFeedOptions& options = {})
      : world_(world), sink_(sink), faults_(faults), options_(options) {}

  // A message of a session of that account.
  void OnMessage(SessionId session, AccountId account, absl::string_view message);
  // An error that is no answer to a command.
  void Refuse(SessionId session, int64_t id, kalshi::SocketErrorCode code);
  void Close(SessionId session) { subscriptions_.RemoveAll(session); }

  // The views have a record of the history.
  void OnHistory() { fills_published_ = world_.views.portfolio().last_fill(); }

  // The record, which the views of the world contain already.
  void OnReleased(const Command& command, std::span<const Event> events,
                  std::span<const DepthChange> changes);

 private:
  using Tickers = std::span<const absl::string_view>;

  // ---- Commands.
  void On(SessionId session, AccountId account, int64_t id, const kalshi::Subscribe& command);
  void On(SessionId session, AccountId account, int64_t id, const kalshi::Unsubscribe& command);
  void On(SessionId session, AccountId account, int64_t id,
          const kalshi::UpdateSubscription& command);
  void On(SessionId session, AccountId account, int64_t id,
          const kalshi::ListSubscriptions& command);
  // The markets of tickers and ids. Sends an error and returns nothing if one is not served.
  std::optional<std::vector<MarketId>> MarketsOf(SessionId session, int64_t id, Tickers tickers,
                                                 Tickers ids);
  void Subscribe(SessionId session, AccountId account, int64_t id, kalshi::Channel channel,
                 const kalshi::Subscribe& command, std::span<const MarketId> markets);
  // Returns those that were new.
  std::vector<MarketId> AddMarkets(KalshiSubscription& subscription,
                                   std::span<const MarketId> markets);
  std::vector<MarketId> AddAllMarkets(KalshiSubscription& subscription);
  void SendOk(KalshiSubscription& subscription, int64_t id);
  void SendSnapshots(KalshiSubscription& subscription, std::span<const MarketId> markets,
                     int64_t id);
  void SendTickers(KalshiSubscription& subscription, std::span<const MarketId> markets);

  // ---- Messages of records.
  void PublishDepth(const Command& command, std::span<const DepthChange> changes);
  void PublishTrades(std::span<const Event> events);
  void PublishTickers(std::span<const Event> events, std::span<const DepthChange> changes);
  void PublishFills();
  void PublishOrders(std::span<const Event> events);
  void PublishPositions(std::span<const Event> events);
  void PublishLifecycle(const Command& command, std::span<const Event> events);
  void PublishGroups(const Command& command, std::span<const Event> events);
  void WriteState(absl::string_view ticker, MarketState state, const Command& command,
                  kalshi::JsonWriter& json) const;

  // Without its time; nullopt if the market is not served. `id` is the market's, and outlives it.
  std::optional<kalshi::Ticker> TickerOf(MarketId market, const kalshi::PublicId& id) const;
  void SendTo(KalshiSubscription& subscription, kalshi::FrameType type, absl::string_view message,
              int64_t id = 0);
  // Sends frame_, or does what a fault asks for instead.
  void SendNumbered(const KalshiSubscription& subscription);
  // To those of the account's subscriptions to that channel that have the market.
  void SendToAccount(AccountId account, kalshi::Channel channel, MarketId market,
                     kalshi::FrameType type, absl::string_view message);
  bool AnyoneHears(AccountId account, kalshi::Channel channel) const;
  void EndSlow();

  const KalshiWorld& world_;
  KalshiFrameSink& sink_;
  KalshiFaults& faults_;
  const KalshiFeedOptions options_;
  kalshi::CommandDecoder decoder_;
  KalshiSubscriptions subscriptions_;
  std::vector<KalshiSubscription*> slow_;                    // To end after the message.
  absl::flat_hash_map<MarketId, std::string> last_tickers_;  // Without their times.
  uint64_t fills_published_ = 0;
  std::string message_;  // Reused.
  std::string frame_;    // Reused.
  // A frame that a fault has put after the next one of its session.
  std::optional<std::pair<SessionId, std::string>> later_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_FEED_H_
