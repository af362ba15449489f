// A ring of the newest events, read by no other thread: event memory for an engine that runs alone.

#ifndef BENCH_KEPT_EVENTS_H_
#define BENCH_KEPT_EVENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"

namespace bench {

// Grows only for a command with more events than it holds. Not thread-safe.
class KeptEvents final : public engine::EventMemory {
 public:
  KeptEvents() = default;
  KeptEvents(const KeptEvents&) = delete;
  KeptEvents& operator=(const KeptEvents&) = delete;

  // Returns the number of events written; `last` are the events of the last command.
  uint64_t CountWith(std::span<const engine::Event> last) const {
    return earlier_count_ + static_cast<uint64_t>(last.data() + last.size() - events_.get());
  }

  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override {
    earlier_count_ += static_cast<uint64_t>(begun.data() - events_.get());
    if (2 * begun.size() < size_) {
      std::copy(begun.begin(), begun.end(), events_.get());
    } else {
      const size_t larger = std::max(kFirstSize, 4 * begun.size());
      auto events = std::make_unique<engine::Event[]>(larger);
      std::copy(begun.begin(), begun.end(), events.get());
      events_ = std::move(events);
      size_ = larger;
    }
    return {events_.get(), size_};
  }

 private:
  static constexpr size_t kFirstSize = 256;

  std::unique_ptr<engine::Event[]> events_;
  size_t size_ = 0;
  uint64_t earlier_count_ = 0;  // Events that were, or are about to be, overwritten.
};

}  // namespace bench

#endif  // BENCH_KEPT_EVENTS_H_
