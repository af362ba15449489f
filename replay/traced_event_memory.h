// Where a driver's events are written, and digested many at a time: to begin a digest costs as much
// as an event.
//
//   room   [ ........ | added, not digested yet | of this command | ........ ]
//
// Nothing is written over before it is digested.

#ifndef REPLAY_TRACED_EVENT_MEMORY_H_
#define REPLAY_TRACED_EVENT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "replay/trace_digest.h"

namespace replay {

// Not thread-safe: owned by the driver. `trace` outlives it.
class TracedEventMemory final : public engine::EventMemory {
 public:
  explicit TracedEventMemory(TraceDigest& trace) : trace_(trace) {}

  // The events of the next command, which a buffer has written here.
  void Add(std::span<const engine::Event> events) {
    if (events.data() != end_) [[unlikely]] {
      Digest();
      begin_ = events.data();
    }
    end_ = events.data() + events.size();
    added_count_ += events.size();
  }

  uint64_t added_count() const { return added_count_; }

  // What was added and the trace has not yet.
  size_t waiting_count() const { return static_cast<size_t>(end_ - begin_); }

  // The trace has all that was added.
  void Digest();

  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override;

 private:
  TraceDigest& trace_;
  std::unique_ptr<engine::Event[]> room_;
  size_t size_ = 0;
  const engine::Event* begin_ = nullptr;  // Of what was added and is not digested.
  const engine::Event* end_ = nullptr;
  uint64_t added_count_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRACED_EVENT_MEMORY_H_
