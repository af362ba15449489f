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

#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"

namespace engine {

// Where a buffer's events are kept.
class EventRoom {
 public:
  virtual ~EventRoom() = default;

  // More room, for a command that has written `begun` so far and met the end: copies them to the
  // front of it. Longer than `begun`.
  virtual std::span<Event> MakeRoom(std::span<const Event> begun) = 0;
};

// Keeps its memory from command to command. Not thread-safe: owned by the driver.
class EventBuffer {
 public:
  EventBuffer() = default;
  // Into the memory of `room`, which outlives the buffer.
  explicit EventBuffer(EventRoom& room) : room_(&room) {}
  EventBuffer(const EventBuffer&) = delete;
  EventBuffer& operator=(const EventBuffer&) = delete;

  // The events of `sequence` begin: behind those of the command before, or, in its own memory, in
  // their place.
  void Begin(SequenceNumber sequence) {
    sequence_ = sequence;
    if (room_ == nullptr) next_ = own_.get();
    first_ = next_;
  }

  // Adds an event that carries sequence, index and kind already, and is zero but for that; valid
  // until the next call.
  Event& Append(EventKind kind) {
    if (next_ == end_) [[unlikely]]
      MakeRoom();
    Event& event = *next_++;
    event = Event();
    event.sequence = sequence_;
    event.index = static_cast<uint32_t>(&event - first_);
    event.kind = kind;
    return event;
  }

  // Of the command that began last.
  std::span<const Event> events() const { return {first_, next_}; }
  size_t size() const { return static_cast<size_t>(next_ - first_); }

 private:
  void MakeRoom();

  SequenceNumber sequence_;
  Event* first_ = nullptr;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  std::unique_ptr<Event[]> own_;
  EventRoom* room_ = nullptr;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_BUFFER_H_
