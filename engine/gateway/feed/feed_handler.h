// The receiving end of a MoldUDP64 feed of two lines: gives its messages in order, each once, and
// gets what is missing.
//
//   line A ─► ┌────────────┐ ─► Clear, Take(messages), ...   what books are kept from
//   line B ─► │ FeedHandler│ ─► RequestMessages(4..5)        answers ─► TakeAnswer
//   time ───► └────────────┘ ─► RequestSnapshot              snapshot ─► TakeSnapshot
//
//   missing messages     waited for, since the other line may have them; asked for, and again; then
//                        the handler joins again
//   begun in the middle  a snapshot is asked for, and packets are kept until it comes
//   another session      the handler joins it by a snapshot, as its books need not begin empty
//   a sequence that      wraps, or begins again under the same name: a line falls back by more than
//   begins again         `reordered_max`; as another session
//
// Packets of the session before are ignored, so sessions that follow one another need three names
// at least. A sequence that begins again under its name before `reordered_max` messages is not
// noticed.
//
// It knows no messages: their decoder reads them in place from what Take receives.

#ifndef ENGINE_GATEWAY_FEED_FEED_HANDLER_H_
#define ENGINE_GATEWAY_FEED_FEED_HANDLER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/receiver.h"

namespace engine {

enum class FeedLine : uint8_t { kA, kB };

// Receives what the handler gives and asks for. What it is passed is valid during the call, in
// which it does not call the handler.
class FeedOutput {
 public:
  virtual ~FeedOutput() = default;

  // All that was given before is void: what follows begins with empty books.
  virtual void Clear() = 0;
  // The next messages, each after its length: of a snapshot, or in the order of the feed.
  virtual void Take(Bytes framed) = 0;
  virtual void RequestMessages(absl::string_view session, const MoldRange& range) = 0;
  virtual void RequestSnapshot() = 0;
};

// Sans-I/O. Not thread-safe: owned by the reader of the lines. `output` outlives it. Times never
// decrease.
class FeedHandler {
 public:
  struct Options {
    // For missing messages, from when later ones are known to the first request, and from one to
    // the next.
    int64_t patience_ns = 1'000'000;
    uint32_t requests_max = 5;              // Without any answer; then it joins again.
    uint64_t request_messages_max = 1'000;  // At most 65,535.
    // False: there are no snapshots. It begins with the first packet, and goes on
    // without what it does not get; the books say so.
    bool has_snapshots = true;
    int64_t snapshot_patience_ns = 1'000'000'000;  // From one request to the next, without limit.
    size_t held_bytes_max = 64 << 20;  // Of packets that wait, for missing messages or a snapshot.
    uint64_t reordered_max = 10'000;   // Messages.
  };

  enum class State : uint8_t {
    kWaiting,  // For the first packet.
    kJoining,  // For a snapshot.
    kLive,
    kEnded,  // The session has ended, and all of it was given. Another may begin.
  };

  struct Counters {
    std::array<uint64_t, 2> packets = {};  // By line, that are MoldUDP64.
    uint64_t answers = 0;
    uint64_t malformed = 0;          // Packets that are not MoldUDP64.
    uint64_t of_other_sessions = 0;  // Ignored: of the session before, or answers.
    uint64_t messages = 0;           // Given, without those of snapshots.
    uint64_t gaps = 0;               // Ranges that were missing for a time.
    uint64_t requests = 0;           // For messages.
    uint64_t lost = 0;               // Messages that it went on without.
    uint64_t snapshot_requests = 0;
    uint64_t snapshots = 0;          // Joined by.
    uint64_t snapshots_ignored = 0;  // Not asked for, or of another session.
    uint64_t sessions = 0;           // Begun, the first included.
  };

  FeedHandler(const Options& options, FeedOutput& output);

  // What UDP brought on a line: any bytes.
  void TakePacket(FeedLine line, Bytes payload, SteadyTime now);
  // What answers a request for messages: any bytes.
  void TakeAnswer(Bytes payload, SteadyTime now);
  // A snapshot of the session: `framed` are its messages, after which message `next_sequence` of
  // the feed comes.
  void TakeSnapshot(absl::string_view session, uint64_t next_sequence, Bytes framed,
                    SteadyTime now);
  // The time has passed: call it at least as often as `patience_ns`.
  void Tick(SteadyTime now);

  State state() const { return state_; }
  const std::string& session() const { return session_; }  // Empty before the first packet.
  const Counters& counters() const { return counters_; }

 private:
  // Messages that are missing, and what was done about it.
  struct Gap {
    MoldRange range = {};
    SteadyTime since = {};  // When it was found, or last asked for.
    uint32_t requests = 0;  // Since messages of it last came.
  };

  void BeginSession(const MoldPacket& packet, absl::string_view session, SteadyTime now);
  // Whether the packet shows that the line's sequence has begun again; notes how far it is.
  bool HasBegunAgain(FeedLine line, const MoldPacket& packet);
  void Join(SteadyTime now);
  void RequestSnapshot(SteadyTime now);
  // From here on message `next` comes next.
  void GoLive(uint64_t next);
  void TakeLive(const MoldPacket& packet);
  // `given_before`: messages of the receiver before its last change.
  void GiveMessages(uint64_t given_before);
  void Hold(const MoldPacket& packet, Bytes payload);
  void CheckGap(SteadyTime now);
  void GiveUp(SteadyTime now);

  const Options options_;
  FeedOutput& output_;

  State state_ = State::kWaiting;
  std::string session_;  // Without its padding.
  std::string session_before_;
  std::array<uint64_t, 2> line_reached_ = {};  // The highest next sequence number of each line.
  MoldReceiver receiver_;                      // When live.
  std::optional<Gap> gap_;                     // Likewise.
  std::deque<std::vector<std::byte>> held_;    // Payloads, while joining.
  size_t held_bytes_ = 0;
  SteadyTime snapshot_requested_;
  Counters counters_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_FEED_FEED_HANDLER_H_
