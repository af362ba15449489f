// WebSocket frames: replies to commands, and messages of channels.
//
// The `msg` of a channel is encoded once for all subscriptions; each one's frame is a head, the
// shared msg, and a brace:
//
//   {"type":"orderbook_delta","sid":1,"seq":2,"msg":  {...}  }

#ifndef ENGINE_WIRE_KALSHI_FRAMES_H_
#define ENGINE_WIRE_KALSHI_FRAMES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/errors.h"

namespace engine::kalshi {

// The types of channel messages.
enum class FrameType : uint8_t {
  kOrderbookSnapshot,
  kOrderbookDelta,
  kTicker,
  kTrade,
  kFill,
  kMarketPosition,
  kUserOrder,
  kMarketLifecycle,
  kOrderGroupUpdates,
};
absl::string_view ToText(FrameType type);

// Where a frame goes.
struct FrameAddress {
  int64_t sid = 0;
  int64_t seq = 0;  // 0: the channel is not sequenced, and none is written.
  int64_t id = 0;   // Of the command that asked for it; 0: none is written.
};

// All functions append to `out`.

// `msg` is what a function of channel_messages.h wrote.
void AppendFrame(FrameType type, const FrameAddress& address, absl::string_view msg,
                 std::string& out);

// Replies. `id` 0: none is written.
void AppendSubscribed(int64_t id, Channel channel, int64_t sid, std::string& out);
// The list of all markets of the subscription, sorted; nullopt: it is left out.
void AppendOk(const FrameAddress& address,
              std::optional<std::span<const absl::string_view>> market_tickers, std::string& out);
void AppendUnsubscribed(const FrameAddress& address, std::string& out);

struct ListedSubscription {
  Channel channel = Channel::kTicker;
  int64_t sid = 0;
};
void AppendSubscriptions(int64_t id, std::span<const ListedSubscription> subscriptions,
                         std::string& out);

// `address.sid` 0: not about a subscription. `market_tickers` may be empty.
void AppendError(const FrameAddress& address, SocketErrorCode code,
                 std::span<const absl::string_view> market_tickers, std::string& out);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_FRAMES_H_
