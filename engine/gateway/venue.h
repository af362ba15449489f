// One exchange and any number of gateways: who asked for a command is known until its release.
//
//   gateway ─► Submit(command, origin) ─► CommandSink ─► applied ─► released
//                          │                               │            │
//                          └─► origins in flight ──────────┴─► gateways ┘
//
// A gateway finds the asker by the origin, and all others whom the events concern by their account
// or market. Every gateway hears of every command at the same two moments.

#ifndef ENGINE_GATEWAY_VENUE_H_
#define ENGINE_GATEWAY_VENUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/views/venue_memory.h"

namespace engine {

// Who submitted a command. The default is the venue itself: no session is answered.
struct Origin {
  uint32_t gateway = 0;     // The number that the venue gave it.
  uint32_t session = 0;     // A place in the gateway's table of sessions.
  uint32_t generation = 0;  // Differs for the sessions that have had this place.
  uint32_t request = 0;     // The gateway's own.

  friend bool operator==(const Origin&, const Origin&) = default;
};
static_assert(sizeof(Origin) == 16);

// A protocol's conversations. Sans-I/O; sees neither core, journal nor other gateways.
class Gateway {
 public:
  virtual ~Gateway() = default;

  // The command has been applied, within its Submit; nothing of it may leave yet. For registers
  // that the next request depends on, and for replies that are made now and held. Must not submit.
  virtual void OnApplied(const Command& command, std::span<const Event> events,
                         const Origin& origin) = 0;

  // Its events, and what was held for it, may leave (J3).
  virtual void OnReleased(const Command& command, std::span<const Event> events,
                          const Origin& origin) = 0;
};

// Not thread-safe: owned by the thread that submits. Register it as the EventListener of the sink.
class Venue final : public EventListener {
 public:
  // Call it before the first Submit(). `sink`, whose last command is `last`, outlives the venue.
  void Connect(CommandSink& sink, SequenceNumber last = {}) {
    sink_ = &sink;
    last_applied_ = last_released_ = last;
  }
  // Returns the number of the gateway in origins, from 1. `gateway` outlives the venue.
  uint32_t Add(Gateway& gateway);

  // What the log says; folded before the gateways hear of a command.
  const VenueMemory& memory() const { return memory_; }
  // Before the venue is connected: the memory that a snapshot has, and commands after it.
  void Restore(VenueMemory memory) { memory_ = std::move(memory); }
  void OnHistory(const Command& command, Bytes attachment, std::span<const Event> events) {
    memory_.OnApplied(command, attachment, events);
  }

  // The attachment of the command that gateways hear of: during OnApplied() and OnReleased().
  Bytes attachment() const { return attachment_; }

  // CommandSink::Submit for `origin`.
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment,
                                        const Origin& origin);

  // Of all commands of the log.
  SequenceNumber last_applied() const { return last_applied_; }
  SequenceNumber last_released() const { return last_released_; }

  void OnApplied(const Command& command, std::span<const Event> events) override;
  void OnEvents(const Command& command, std::span<const Event> events) override;

 private:
  // A command that is applied and not released.
  struct InFlight {
    Origin origin;
    std::vector<std::byte> attachment;
  };

  VenueMemory memory_;
  CommandSink* sink_ = nullptr;
  std::vector<Gateway*> gateways_;
  Origin submitting_;  // Of the command in Submit().
  Bytes attachment_;
  std::deque<InFlight> in_flight_;
  SequenceNumber last_applied_;
  SequenceNumber last_released_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_VENUE_H_
