// Where gateways and translators put commands, and how they learn what came of them.

#ifndef ENGINE_MESSAGES_COMMAND_SINK_H_
#define ENGINE_MESSAGES_COMMAND_SINK_H_

#include <span>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"

namespace engine {

// Puts commands into the one total order. Behind it stands the sequencer; in a test, a vector.
class CommandSink {
 public:
  virtual ~CommandSink() = default;

  // Sequences `command`; what it carries as sequence and timestamp is overwritten. Returns its
  // sequence number, which is also the id of the order that it may create. Errors: those of the
  // journal, sticky; then nothing was sequenced and nothing will be. RESOURCE_EXHAUSTED may pass:
  // the disk is full, and smaller or later commands may find space.
  virtual absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) = 0;
};

// Hears the events of each command, in sequence order. `events` are all those of `command`, and at
// least one; valid during the call only.
class EventListener {
 public:
  virtual ~EventListener() = default;

  // The command has been applied, and its events may not be known yet: within Submit(). For what
  // decides about the next request (which client ids are in use), and for replies that are made now
  // and held back. Submits nothing.
  virtual void OnApplied(const Command& /*command*/, std::span<const Event> /*events*/) {}

  // The events may be known (J3).
  virtual void OnEvents(const Command& command, std::span<const Event> events) = 0;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_COMMAND_SINK_H_
