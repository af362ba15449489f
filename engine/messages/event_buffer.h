// The events of one command, in order, on their way from the engine to whoever asked.
//
//   room   [ ........ | event event event | ................ ]
//                     ▲ of this command   ▲ the next         ▲ end
//
// Events are written once, straight into memory that the buffer was given: its own, or that of a
// ring which another thread reads (EventRing).

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

// Where a buffer's events are kept.
class EventMemory {
 public:
  virtual ~EventMemory() = default;

  // More room, for a command that has written `begun` so far and met the end: copies them to the
  // front of it. Longer than `begun`.
  virtual std::span<Event> MakeRoom(std::span<const Event> begun) = 0;
};

// Its own memory is a ring of the last events. Keeps its memory from command to command. Not
// thread-safe: owned by the driver.
class EventBuffer {
 public:
  EventBuffer() = default;
  // Into the memory of `room`, which outlives the buffer.
  explicit EventBuffer(EventMemory& room) : room_(&room) {}
  EventBuffer(const EventBuffer&) = delete;
  EventBuffer& operator=(const EventBuffer&) = delete;

  // The events of `sequence` begin, behind those of the command before.
  ENGINE_ALWAYS_INLINE void Begin(SequenceNumber sequence) {
    sequence_ = sequence;
    first_ = next_;
  }

  // The same for a command that says one thing, by AppendUnset().
  ENGINE_ALWAYS_INLINE void BeginOne() { first_ = next_; }

  // Adds an event that carries sequence, index and kind already, and is zero but for that; valid
  // until the next call.
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

  // The same, but as it is: for one that is written whole.
  ENGINE_ALWAYS_INLINE Event& AppendUnset() {
    if (next_ == end_) [[unlikely]]
      MakeRoom();
    return *next_++;
  }
  // The same. REQUIRES: has_room().
  Event& AppendUnsetInRoom() { return *next_++; }
  bool has_room() const { return next_ != end_; }

  // Of the command that began last.
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
