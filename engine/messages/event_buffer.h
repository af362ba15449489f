// The events of one command, in order, as the engine emits them.
//
//   room   [ ........ | event event event | ................ ]
//          ▲ room_begin_  ▲ origin_       ▲ next_            ▲ end_
//
// Events are written once, directly into the buffer's memory: its own, or memory that an
// EventMemory provides, such as that of a ring that another thread reads (EventRing). An
// EventMemory may take events while their command emits more; memory is then bounded, no matter how
// many events the command has.

#ifndef ENGINE_MESSAGES_EVENT_BUFFER_H_
#define ENGINE_MESSAGES_EVENT_BUFFER_H_

#include <algorithm>
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

  // Called before MakeRoom(), with the same `begun`. True: the memory has taken them, so that they
  // need no room, and MakeRoom() is called with none. The command's later events count on.
  virtual bool Take(std::span<const Event> /*begun*/) { return false; }

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
    origin_ = AddressOf(next_);
  }

  // The same for a command with one event, appended by AppendUnset() or AppendUnsetInRoom().
  ENGINE_ALWAYS_INLINE void BeginOne() { origin_ = AddressOf(next_); }

  // Appends an event whose sequence, index and kind are set and whose other fields are zero. The
  // reference is valid until the next call.
  ENGINE_ALWAYS_INLINE Event& Append(EventKind kind) {
    if (next_ == end_) [[unlikely]]
      MakeRoom();
    Event& event = *next_++;
    event = Event();
    event.sequence = sequence_;
    event.index = IndexOf(&event);
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

  // The events of the command that began last, without those that the memory has taken.
  std::span<const Event> events() const {
    const size_t kept = std::min(size(), static_cast<size_t>(next_ - room_begin_));
    return {next_ - kept, kept};
  }
  // The end of events().
  const Event* events_end() const { return next_; }

  // The number of all events of that command.
  size_t size() const { return (AddressOf(next_) - origin_) / sizeof(Event); }
  bool is_empty() const { return AddressOf(next_) == origin_; }

 private:
  static uintptr_t AddressOf(const Event* event) { return reinterpret_cast<uintptr_t>(event); }
  uint32_t IndexOf(const Event* event) const {
    return static_cast<uint32_t>((AddressOf(event) - origin_) / sizeof(Event));
  }
  ENGINE_COLD void MakeRoom();
  std::span<Event> MakeOwnRoom(std::span<const Event> begun);

  SequenceNumber sequence_;
  // The address of the command's first event, or the one that it would have if the memory had not
  // taken it: a number, as there may be no event there.
  uintptr_t origin_ = 0;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  const Event* room_begin_ = nullptr;
  std::unique_ptr<Event[]> own_;
  size_t own_size_ = 0;
  EventMemory* room_ = nullptr;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_BUFFER_H_
