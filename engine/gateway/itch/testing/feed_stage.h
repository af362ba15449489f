// A venue that publishes its market data, for tests: a toy exchange, and what its lines carry.

#ifndef ENGINE_GATEWAY_ITCH_TESTING_FEED_STAGE_H_
#define ENGINE_GATEWAY_ITCH_TESTING_FEED_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/itch/itch_publisher.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"
#include "engine/types/side.h"

namespace engine {

// Owned by the test, which may use all of it. Its exchange has the market ACME.
class FeedStage final : private FeedLines {
 public:
  explicit FeedStage(const ItchPublisherOptions& options = {});

  // The command waits for its release.
  void Order(Side side, int64_t price, uint64_t quantity);
  void Release() { exchange.Release(); }
  void Act() { publisher->Act(now); }
  void Wait(int64_t nanos) { now = now + nanos; }
  // Submits, releases and publishes orders, of which some trade and some are cancelled.
  void TradeFor(int commands, uint64_t seed);
  // The venue was killed before it released what waits, and is back, with the journal of before.
  void Restart();

  // The packets since the last call, as "1 ABC": the number of the first message, and their types;
  // "4" is a heartbeat, and "4 end" the end of the session.
  std::vector<std::string> TakePackets();
  // All messages that were sent, each after its length, in the order of packets.
  const std::string& sent() const { return sent_; }
  // All messages that requests bring, from the first one on.
  std::string Retransmitted();
  std::string SnapshotNow() const;

  ItchPublisherOptions options;
  SteadyTime now = SteadyTime::FromNanos(1'000'000'000'000);
  ToyExchange exchange{100'000};
  std::unique_ptr<Venue> venue;
  std::unique_ptr<ItchPublisher> publisher;

 private:
  void Send(Bytes packet) override;
  void Start();

  bool is_silent_ = false;  // Packets are lost.
  std::vector<std::string> packets_;
  std::string sent_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_ITCH_TESTING_FEED_STAGE_H_
