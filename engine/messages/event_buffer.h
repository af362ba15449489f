// The events of one command, in order, on their way from the engine to whoever asked.

#ifndef ENGINE_MESSAGES_EVENT_BUFFER_H_
#define ENGINE_MESSAGES_EVENT_BUFFER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"

namespace engine {

// Keeps its memory from command to command. Not thread-safe: owned by the driver.
class EventBuffer {
 public:
  // Empties the buffer for the events of `sequence`.
  void Begin(SequenceNumber sequence) {
    sequence_ = sequence;
    events_.clear();
  }

  // Adds an event that carries sequence, index and kind already; valid until the next call.
  Event& Append(EventKind kind) {
    Event& event = events_.emplace_back();
    event.sequence = sequence_;
    event.index = static_cast<uint32_t>(events_.size() - 1);
    event.kind = kind;
    return event;
  }

  std::span<const Event> events() const { return events_; }

 private:
  SequenceNumber sequence_;
  std::vector<Event> events_;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_BUFFER_H_
