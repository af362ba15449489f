// The interfaces through which gateways and translators submit commands and receive their events.

#ifndef ENGINE_MESSAGES_COMMAND_SINK_H_
#define ENGINE_MESSAGES_COMMAND_SINK_H_

#include <span>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"

namespace engine {

// Puts commands into the total order. Implemented by the sequencer, and in tests by a vector.
class CommandSink {
 public:
  virtual ~CommandSink() = default;

  // Sequences `command`, whose sequence and timestamp are ignored and replaced. Returns the
  // sequence number, which is also the id of the order that the command may create. Errors: those
  // of the journal, sticky: neither this command nor any later one is sequenced. RESOURCE_EXHAUSTED
  // may be temporary: the disk is full, and smaller or later commands may find space.
  virtual absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) = 0;
};

// Receives the events of each command, in sequence order. `events` holds all events of `command`,
// at least one; it is valid only during the call.
class EventListener {
 public:
  virtual ~EventListener() = default;

  // Called within Submit(): the command has been applied, but its events may not be released yet.
  // For state that the next request depends on (which client ids are in use), and for replies that
  // are formatted now and held back. Must not submit commands.
  virtual void OnApplied(const Command& /*command*/, std::span<const Event> /*events*/) {}

  // The events are released (J3).
  virtual void OnEvents(const Command& command, std::span<const Event> events) = 0;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_COMMAND_SINK_H_
