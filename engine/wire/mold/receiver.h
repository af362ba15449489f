// Puts the packets of a MoldUDP64 session in order: each message once, by its number.
//
//   line A  1-3  4-5        8-9 ─►
//   line B  1-3       6-7   8-9 ─►  1-3  4-5  6-7  8-9
//
// Independent of time: the owner decides when it no longer waits for what is missing.

#ifndef ENGINE_WIRE_MOLD_RECEIVER_H_
#define ENGINE_WIRE_MOLD_RECEIVER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/packet.h"

namespace engine {

// Messages `first` to `last`.
struct MoldRange {
  uint64_t first = 0;
  uint64_t last = 0;

  std::string ToString() const;  // "4..5", or "8".

  friend bool operator==(const MoldRange&, const MoldRange&) = default;
};

// Sans-I/O. Not thread-safe: owned by the reader of the packets. The session begins with the first
// packet that is taken.
class MoldReceiver {
 public:
  struct Counters {
    uint64_t packets = 0;     // With messages.
    uint64_t messages = 0;    // In order, each once.
    uint64_t duplicates = 0;  // Messages that had been received before.
    uint64_t too_early = 0;   // Messages from before the first packet, which arrived after it.
    uint64_t heartbeats = 0;
  };

  // REQUIRES: Next() has returned nothing since the last call. Errors: INVALID_ARGUMENT if the
  // packet is of another session; it is ignored.
  absl::Status Take(const MoldPacket& packet);

  // Returns the next messages in order, each after its length; empty if there are none yet. Valid
  // until the next call, or while the bytes of the packet are.
  Bytes Next();

  // The messages that come next, but have not arrived, while later ones have or were announced.
  std::optional<MoldRange> missing() const;

  // Goes on without missing(). REQUIRES: something is missing.
  void GiveUp();

  // The memory of the messages that wait for missing ones.
  size_t held_bytes() const { return held_bytes_; }

  const std::string& session() const { return session_; }  // Without its padding.
  uint64_t first_sequence() const { return first_; }       // 0 before the first packet.
  uint64_t next_sequence() const { return next_; }
  bool has_ended() const { return has_ended_; }  // The end of the session was announced.
  const Counters& counters() const { return counters_; }

 private:
  struct Held {
    uint64_t count = 0;
    std::vector<std::byte> messages;
  };

  // Of `count` messages from `sequence` on, those that come next and are new; advances. REQUIRES:
  // none is missing before them.
  Bytes Release(uint64_t sequence, uint64_t count, Bytes messages);
  void Hold(const MoldPacket& packet);

  std::string session_;
  uint64_t first_ = 0;
  uint64_t next_ = 0;       // What Next() returns next begins here, after current_.
  uint64_t announced_ = 0;  // The next to be sent, as heartbeats say.
  bool has_ended_ = false;
  Bytes current_;                    // Of the last packet.
  std::map<uint64_t, Held> held_;    // By the first sequence number.
  size_t held_bytes_ = 0;            // Of all of held_.
  std::vector<std::byte> released_;  // What Next() has returned of held_.
  Counters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_RECEIVER_H_
