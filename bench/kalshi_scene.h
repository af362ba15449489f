// A venue with Kalshi's API, and the requests of its clients, which are signed in advance.
//
//   options ─► venue file    ─► `ticktape serve`, or a loop within the benchmark
//          └─► signed heads  ─► orders, upgrades
//
// The signature does not cover a request's body, and may be used again within its window: a head is
// made once for each account.

#ifndef BENCH_KALSHI_SCENE_H_
#define BENCH_KALSHI_SCENE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/crypto/private_key.h"

namespace bench {

struct KalshiSceneOptions {
  tools::KeyKind key = tools::KeyKind::kEd25519;
  size_t accounts = 128;  // Even. Each has a key id; the key is the same.
  size_t markets = 50;
  size_t subscribed = 50;  // Of them, by each session; at most as many as there are.
  size_t connections_max = 1'000;
};

// Not thread-safe.
class KalshiScene {
 public:
  // The signature's yardstick: one message, and the key that verifies it.
  struct Signed {
    std::string public_pem;
    std::string message;
    std::string signature;  // In base64.
  };

  // Errors: those of keys.
  static absl::StatusOr<KalshiScene> Make(const KalshiSceneOptions& options);

  // The id that account `number`, from 0 on, signs with, by the key of all; the name of a market.
  static std::string KeyId(size_t number);
  static std::string Ticker(size_t market);
  const tools::PrivateKey& key() const { return key_; }

  // The text of venue.json.
  const std::string& venue_file() const { return venue_file_; }
  const Signed& signed_message() const { return signed_; }

  // The request of the order with this number. An even one rests, and the next one trades with it:
  // each changes one level of one book.
  std::string Order(size_t number) const;

  // A request that becomes a WebSocket session of one of the accounts.
  const std::string& Upgrade(size_t number) const { return upgrades_[number % upgrades_.size()]; }
  // A frame that subscribes to the depth of a session's markets. Each market has as many sessions.
  std::string Subscribe(size_t session) const;

 private:
  KalshiScene(const KalshiSceneOptions& options, tools::PrivateKey key)
      : options_(options), key_(std::move(key)) {}

  KalshiSceneOptions options_;
  tools::PrivateKey key_;
  std::string venue_file_;
  Signed signed_;
  std::vector<std::string> order_heads_;  // By account; the body's length and the body follow.
  std::vector<std::string> upgrades_;     // Likewise.
};

}  // namespace bench

#endif  // BENCH_KALSHI_SCENE_H_
