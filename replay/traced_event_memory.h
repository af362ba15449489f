// Memory for a driver's events, which are digested in batches: starting a digest update costs as
// much as digesting one event.
//
//   room   [ ........ | added, not digested yet | of this command | ........ ]
//
// Events are digested before they are overwritten.

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

  // Adds the events of the next command, which a buffer has written here.
  void Add(std::span<const engine::Event> events) {
    if (events.data() != end_) [[unlikely]] {
      Digest();
      begin_ = events.data();
    }
    end_ = events.data() + events.size();
    added_count_ += events.size();
  }

  uint64_t added_count() const { return added_count_; }

  // The number of events that were added but not digested yet.
  size_t waiting_count() const { return static_cast<size_t>(end_ - begin_); }

  // Adds all pending events to the trace.
  void Digest();

  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override;

 private:
  TraceDigest& trace_;
  std::unique_ptr<engine::Event[]> room_;
  size_t size_ = 0;
  const engine::Event* begin_ = nullptr;  // The events that were added but not digested.
  const engine::Event* end_ = nullptr;
  uint64_t added_count_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRACED_EVENT_MEMORY_H_
