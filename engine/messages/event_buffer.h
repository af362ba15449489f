// The events of one command, in order, as the engine emits them.
//
//   room   [ ........ | event event event | ................ ]
//                     ▲ first_            ▲ next_            ▲ end_
//
// Events are written once, directly into the buffer's memory: its own, or memory that an
// EventMemory provides, such as that of a ring that another thread reads (EventRing).

#ifndef ENGINE_MESSAGES_EVENT_BUFFER_H_
#define ENGINE_MESSAGES_EVENT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"

namespace engine {

// Provides the memory of an EventBuffer.
class EventMemory {
 public:
  virtual ~EventMemory() = default;

  // Returns more room for a command that has emitted `begun` and has reached the end of its room.
  // Copies `begun` to the front of the new room, which is longer than `begun`.
  virtual std::span<Event> MakeRoom(std::span<const Event> begun) = 0;
};

// The buffer's own memory is a ring of the latest events, kept from command to command. Not
// thread-safe: owned by the driver.
class EventBuffer {
 public:
  EventBuffer() = default;
  // Uses the memory of `room`, which outlives the buffer.
  explicit EventBuffer(EventMemory& room) : room_(&room) {}
  EventBuffer(const EventBuffer&) = delete;
  EventBuffer& operator=(const EventBuffer&) = delete;

  // Begins the events of command `sequence`, after those of the previous command.
  ENGINE_ALWAYS_INLINE void Begin(SequenceNumber sequence) {
    sequence_ = sequence;
    first_ = next_;
  }

  // The same for a command with one event, appended by AppendUnset() or AppendUnsetInRoom().
  ENGINE_ALWAYS_INLINE void BeginOne() { first_ = next_; }

  // Appends an event whose sequence, index and kind are set and whose other fields are zero. The
  // reference is valid until the next call.
  ENGINE_ALWAYS_INLINE Event& Append(EventKind kind) {
    if (next_ == end_) [[unlikely]]
      MakeRoom();
    Event& event = *next_++;
    event = Event();
    event.sequence = sequence_;
    event.index = static_cast<uint32_t>(&event - first_);
    event.kind = kind;
    return event;
  }

  // Appends an event with unspecified contents, for a caller that writes every field.
  ENGINE_ALWAYS_INLINE Event& AppendUnset() {
    if (next_ == end_) [[unlikely]]
      MakeRoom();
    return *next_++;
  }
  // AppendUnset() without a check for room. REQUIRES: has_room().
  Event& AppendUnsetInRoom() { return *next_++; }
  bool has_room() const { return next_ != end_; }

  // The events of the command that began last.
  std::span<const Event> events() const { return {first_, next_}; }
  bool is_empty() const { return next_ == first_; }
  size_t size() const { return static_cast<size_t>(next_ - first_); }

 private:
  ENGINE_COLD void MakeRoom();

  SequenceNumber sequence_;
  Event* first_ = nullptr;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  std::unique_ptr<Event[]> own_;
  size_t own_size_ = 0;
  EventMemory* room_ = nullptr;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_BUFFER_H_
