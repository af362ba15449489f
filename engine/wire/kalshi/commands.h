// The commands of a WebSocket client: JSON to values.
//
//   {"id":1,"cmd":"subscribe","params":{"channels":["ticker"]}}  ─►  SocketCommand or SocketRefusal

#ifndef ENGINE_WIRE_KALSHI_COMMANDS_H_
#define ENGINE_WIRE_KALSHI_COMMANDS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/errors.h"

namespace engine::kalshi {

// The channels that are served.
enum class Channel : uint8_t {
  kOrderbookDelta = 0,
  kTicker = 1,
  kTrade = 2,
  kFill = 3,
  kMarketPositions = 4,
  kUserOrders = 5,
  kMarketLifecycle = 6,              // market_lifecycle_v2
  kMultivariateMarketLifecycle = 7,  // Nothing is ever sent on it.
  kOrderGroupUpdates = 8,
};
inline constexpr int kChannelCount = 9;

absl::string_view ChannelName(Channel channel);
std::optional<Channel> ParseChannel(absl::string_view name);
// Whether the frames of the channel's subscriptions bear a seq.
bool IsSequenced(Channel channel);
// Whether a subscription covers all markets, and names none.
bool CoversAllMarkets(Channel channel);

// Texts are views of the decoder's memory, see CommandDecoder.

struct Subscribe {
  std::vector<Channel> channels = {};  // At least one, each once, in the client's order.
  // Empty: all markets. Sorted, each once. Never empty with kOrderbookDelta.
  std::vector<absl::string_view> market_tickers = {};
  std::vector<absl::string_view> market_ids = {};  // Of channel kTicker alone. Sorted, each once.
  bool send_initial_snapshot = false;
  bool skip_ticker_ack = false;
  bool use_yes_price = false;

  friend bool operator==(const Subscribe&, const Subscribe&) = default;
};

struct Unsubscribe {
  std::vector<int64_t> sids = {};  // At least one, each once, in the client's order.

  friend bool operator==(const Unsubscribe&, const Unsubscribe&) = default;
};

struct UpdateSubscription {
  enum class Action : uint8_t { kAddMarkets, kDeleteMarkets, kGetSnapshot };

  int64_t sid = 0;
  Action action = Action::kAddMarkets;
  // Sorted, each once. Empty only for kGetSnapshot: all markets of the subscription.
  std::vector<absl::string_view> market_tickers = {};
  std::vector<absl::string_view> market_ids = {};
  bool send_initial_snapshot = false;

  friend bool operator==(const UpdateSubscription&, const UpdateSubscription&) = default;
};

struct ListSubscriptions {
  friend bool operator==(const ListSubscriptions&, const ListSubscriptions&) = default;
};

struct SocketCommand {
  int64_t id = 0;  // 0: none, and none is echoed.
  std::variant<Subscribe, Unsubscribe, UpdateSubscription, ListSubscriptions> body = {};

  friend bool operator==(const SocketCommand&, const SocketCommand&) = default;
};

// The answer is an error frame with this id, code, and SocketErrorText(code).
struct SocketRefusal {
  int64_t id = 0;
  SocketErrorCode code = SocketErrorCode::kUnableToProcess;

  friend bool operator==(const SocketRefusal&, const SocketRefusal&) = default;
};

// Decodes one message after another. Texts of a result are valid until the next call or the
// decoder's end. Not thread-safe; one may serve all sessions of a thread.
class CommandDecoder {
 public:
  static constexpr size_t kMessageBytesMax = size_t{1} << 20;
  static constexpr size_t kListMax = 10'000;  // Tickers, ids or sids of one command.

  CommandDecoder();
  ~CommandDecoder();
  CommandDecoder(const CommandDecoder&) = delete;
  CommandDecoder& operator=(const CommandDecoder&) = delete;

  std::variant<SocketCommand, SocketRefusal> Decode(absl::string_view message);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_COMMANDS_H_
