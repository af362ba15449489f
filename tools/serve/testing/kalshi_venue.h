// A venue with Kalshi's API in a test: one market, two accounts with a key each.
//
//   market KXRAIN-26-NYC ∈ event KXRAIN-26 ∈ series KXRAIN
//   account 1: kOneKey, Ed25519     account 2: kTwoKey, RSA

#ifndef TOOLS_SERVE_TESTING_KALSHI_VENUE_H_
#define TOOLS_SERVE_TESTING_KALSHI_VENUE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kept_talk.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {

inline constexpr absl::string_view kOneKey = "11111111-1111-4111-8111-111111111111";
inline constexpr absl::string_view kTwoKey = "22222222-2222-4222-8222-222222222222";
inline constexpr absl::string_view kKalshiSocket = "/trade-api/ws/v2";

// A request's reply.
struct KalshiAnswer {
  int status = 0;
  std::string body;
};

// Failures are reported to GoogleTest. Not thread-safe.
class KalshiVenue : public testing::Test {
 protected:
  static constexpr int64_t kNowMs = 1'795'000'000'000;

  KalshiVenue();

  // Begins a life of the venue, after the ones before.
  void Start();
  // The conversation of each life is replayed, and must be equal.
  void TearDown() override;

  std::unique_ptr<MemoryPeer> Connect();

  // The three headers of a key, with a signature of this time. REQUIRES: one of the two keys.
  std::string Headers(absl::string_view key, absl::string_view method, absl::string_view path,
                      int64_t at_ms) const;
  // As above for other keys, times and texts: what is there is signed by `signer`.
  static std::string Headers(const PrivateKey& signer, absl::string_view key_id,
                             absl::string_view time, absl::string_view text);

  // A request with its length; without a key it is not signed.
  std::string Request(absl::string_view key, absl::string_view method, absl::string_view target,
                      absl::string_view body = "") const;
  // Of the key's holder, who wants WebSocket.
  std::string Upgrade(absl::string_view key) const;
  static std::string UpgradeWith(absl::string_view headers);

  // Sends the request and returns its answer.
  KalshiAnswer Send(MemoryPeer& peer, absl::string_view request);
  // The same on a connection of its own; `target` is below /trade-api/v2.
  KalshiAnswer Ask(absl::string_view key, absl::string_view method, absl::string_view target,
                   absl::string_view body = "");

  static std::string Order(absl::string_view side, absl::string_view count, absl::string_view price,
                           absl::string_view client_order_id, absl::string_view more = "");
  static std::string IdIn(const KalshiAnswer& answer);

  const PrivateKey& one_;
  const PrivateKey& two_;
  VenueConfig config_;
  journal::MemoryDirectory directory_;
  engine::ManualClock clock_;
  engine::ManualSteadyClock steady_;
  std::vector<std::unique_ptr<KeptTalk>> talks_;  // Of each life.
  std::unique_ptr<SmallVenue> venue_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_KALSHI_VENUE_H_
