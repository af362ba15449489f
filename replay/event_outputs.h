// Views the engine's events as outputs and back, without a copy: the same 64 bytes under two names.
//
//   Driver ─► OutputMemory ─► EventOutputs ─► engine::EventBuffer ─► engine
//                   ▲                                 │
//                   └──── events, viewed as outputs ──┘

#ifndef REPLAY_EVENT_OUTPUTS_H_
#define REPLAY_EVENT_OUTPUTS_H_

#include <cstddef>
#include <optional>
#include <span>

#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "replay/output.h"

namespace replay {

static_assert(sizeof(engine::Event) == sizeof(Output));
static_assert(alignof(engine::Event) == alignof(Output));
static_assert(offsetof(engine::Event, sequence) == offsetof(Output, sequence));
static_assert(offsetof(engine::Event, index) == offsetof(Output, index));
static_assert(offsetof(engine::Event, kind) == offsetof(Output, kind));

inline const Output* AsOutput(const engine::Event* event) {
  return reinterpret_cast<const Output*>(event);
}

inline std::span<const Output> AsOutputs(std::span<const engine::Event> events) {
  return {AsOutput(events.data()), events.size()};
}

inline std::span<const engine::Event> AsEvents(std::span<const Output> outputs) {
  return {reinterpret_cast<const engine::Event*>(outputs.data()), outputs.size()};
}

// The same for memory that events are written to.
inline std::span<engine::Event> RoomForEvents(std::span<Output> room) {
  return {reinterpret_cast<engine::Event*>(room.data()), room.size()};
}

// An engine's EventBuffer that writes into a driver's memory. Not thread-safe: owned by a machine.
class EventOutputs final : private engine::EventMemory {
 public:
  // `memory` outlives the use of the buffer.
  void WriteTo(OutputMemory& memory) {
    memory_ = &memory;
    buffer_.emplace(static_cast<engine::EventMemory&>(*this));
  }

  // REQUIRES: WriteTo() was called.
  engine::EventBuffer& buffer() { return *buffer_; }
  std::span<const Output> outputs() const { return AsOutputs(buffer_->events()); }

 private:
  bool Take(std::span<const engine::Event> begun) override {
    return memory_->Take(AsOutputs(begun));
  }
  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override {
    return RoomForEvents(memory_->MakeRoom(AsOutputs(begun)));
  }

  OutputMemory* memory_ = nullptr;
  std::optional<engine::EventBuffer> buffer_;
};

}  // namespace replay

#endif  // REPLAY_EVENT_OUTPUTS_H_
