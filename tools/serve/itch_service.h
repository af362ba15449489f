// Market data of a venue: its publisher and snapshots on sockets, as the venue file says.
//
//   Venue ─► ItchPublisher ─► DatagramLines: A, B
//                ▲    └─► ItchSnapshots, which the network serves
//   requests ────┘
//
// Its session has the name that `export --what itch` gives it, the beginning of the journal's UUID:
// only what the journal has acknowledged is published, so a restart goes on with it. With a journal
// that may lose what it has acknowledged (--ack none), each start has a session of another name,
// which ends with the venue.

#ifndef TOOLS_SERVE_ITCH_SERVICE_H_
#define TOOLS_SERVE_ITCH_SERVICE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/itch/itch_publisher.h"
#include "engine/gateway/itch/itch_snapshots.h"
#include "engine/gateway/venue.h"
#include "engine/wire/mold/retransmission.h"
#include "journal/ack_policy.h"
#include "journal/uuid.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/network.h"
#include "tools/serve/datagram_lines.h"
#include "tools/serve/venue_config.h"

namespace tools {

// The name of the feed's session. `now`: the time of this start.
std::string ItchSessionName(const journal::Uuid& journal, journal::AckPolicy ack,
                            engine::Timestamp now);

// Bounds what happens in each second.
class SecondLimit {
 public:
  explicit SecondLimit(uint64_t count_max) : count_max_(count_max) {}

  // Whether it may happen once more.
  bool Take(engine::SteadyTime now);

 private:
  const uint64_t count_max_;
  engine::SteadyTime second_;  // The beginning of the current one.
  uint64_t count_ = 0;         // In it.
};

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class ItchService final {
 public:
  struct Counts {
    uint64_t messages = 0;          // Published, also by earlier starts.
    uint64_t packets = 0;           // Sent, of all lines.
    uint64_t dropped = 0;           // Packets that the system did not take.
    uint64_t requests_refused = 0;  // Beyond requests_per_second_max.
    engine::MoldRetransmission::Counters retransmission = {};
  };

  ItchService(const ItchConfig& config, engine::Venue& venue);

  engine::ItchPublisher& publisher() { return publisher_; }
  engine::ItchSnapshots& snapshots() { return snapshots_; }

  // Opens the sockets and begins the session. Call it once, after the history and before the first
  // command. Requests wake `network`. Errors: those of the sockets.
  absl::Status Start(const std::string& session, Network& network);

  // Answers requests, and sends what was published. Call it in each turn, after the release of
  // events, and when next_time() has come.
  void Act(engine::SteadyTime now);
  engine::SteadyTime next_time() const;

  // ItchPublisher::End: with --ack none, the session is over.
  void End(journal::AckPolicy ack);

  // With the port that the system chose; empty if requests are not answered.
  std::string retransmission_address() const {
    return requests_ == nullptr ? std::string() : requests_->address().ToString();
  }
  Counts counts() const;

 private:
  // Requests of a turn, in batches: the others have the next one.
  static constexpr int kRequestBatchesOfTurn = 4;

  void Answer(engine::SteadyTime now);

  const ItchConfig& config_;
  DatagramLines lines_;
  engine::ItchPublisher publisher_;
  engine::ItchSnapshots snapshots_;
  std::unique_ptr<DatagramReceiver> requests_;  // Null if they are not answered.
  SecondLimit limit_;
  bool has_more_requests_ = false;
  uint64_t requests_refused_ = 0;
};

}  // namespace tools

#endif  // TOOLS_SERVE_ITCH_SERVICE_H_
