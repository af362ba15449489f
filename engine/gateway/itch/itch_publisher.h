// The market data of a venue: what its events make of ITCH 5.0, in packets of MoldUDP64.
//
//   OnHistory  ─► ItchFeed ─► kept messages ◄── Answer(request)
//   OnReleased ─► ItchFeed ─┬─► kept messages
//                           └─► packets ─► FeedLines
//
// Packets fill while messages wait, and leave when none do: the owner calls Act() then. The
// messages and their numbers are a function of the journal, whose first record begins with message
// 1. So a venue that starts again goes on with its session, and has all messages of it again.

#ifndef ENGINE_GATEWAY_ITCH_ITCH_PUBLISHER_H_
#define ENGINE_GATEWAY_ITCH_ITCH_PUBLISHER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/mold/kept_messages.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/pcap/udp.h"

namespace engine {

// Carries packets to the receivers: each to every line.
class FeedLines {
 public:
  virtual ~FeedLines() = default;
  // `packet`, which is what UDP carries, is valid during the call.
  virtual void Send(Bytes packet) = 0;
};

struct ItchPublisherOptions {
  size_t packet_bytes = kEthernetPayloadBytes;  // At least kItchPacketBytesMin.
  size_t kept_bytes = size_t{256} << 20;        // Of messages, for retransmission.
};

// Sans-I/O. Not thread-safe: owned by the thread that submits. All references outlive it.
class ItchPublisher final : public Gateway {
 public:
  static constexpr int64_t kHeartbeatNanos = 1'000'000'000;

  ItchPublisher(Venue& venue, FeedLines& lines, const ItchPublisherOptions& options);

  // Repeats what happened before the session, in order.
  void OnHistory(const Command& command, Bytes attachment, std::span<const Event> events);

  // Begins or goes on with the session, whose name IsMoldSession() is, and says which message is
  // the next. Call it once, after the history and before the first command.
  void Start(const std::string& session, SteadyTime now);

  // Sends what waits; a heartbeat if nothing was sent for a second. Call it when no more events are
  // released, and when next_time() has come.
  void Act(SteadyTime now);
  SteadyTime next_time() const { return sent_at_ + kHeartbeatNanos; }

  // Ends the publication, after what waits. `is_over`: the session does not go on with the next
  // start, and receivers hear so; otherwise a heartbeat says how far it has come.
  void End(bool is_over);

  // MoldRetransmission::Answer.
  Bytes Answer(Bytes request) { return retransmission_->Answer(request); }

  // ItchFeed::Snapshot, of all that was published. REQUIRES: Start() was called.
  void Snapshot(ItchFeed::Send send) const { feed_.Snapshot(send); }

  const std::string& session() const { return session_; }
  // Of the message that is published next: that of snapshots.
  uint64_t next_sequence() const { return kept_.next_sequence(); }
  const ItchFeed::Counters& feed_counters() const { return feed_.counters(); }
  const MoldRetransmission::Counters& retransmission_counters() const {
    return retransmission_->counters();
  }

  void OnApplied(const Command&, std::span<const Event>, const Origin&) override {}
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  auto ToLines() {
    return [this](Bytes packet) { lines_.Send(packet); };
  }
  // Gives the messages of the command to `send`, which are complete then.
  void Fold(const Command& command, Bytes attachment, std::span<const Event> events,
            ItchFeed::Send send);

  Venue& venue_;
  FeedLines& lines_;
  const size_t packet_bytes_;
  ItchFeed feed_{Timestamp()};
  MoldKeptMessages kept_;
  std::string session_;
  std::optional<MoldSender> sender_;  // From Start() on, as the next.
  std::optional<MoldRetransmission> retransmission_;
  SteadyTime sent_at_;      // When Act() last sent.
  uint64_t announced_ = 0;  // The next message's number when it did.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_ITCH_ITCH_PUBLISHER_H_
