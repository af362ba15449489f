// Transfers events from the thread that applies commands to the thread that publishes them.
//
//   stage  [ event event | event event | ...... ]     the writer's own memory, in its L1 cache
//            ▲ handed over ▲ complete    ▲ EventBuffer: the command being applied
//                │ Publish() or a full stage: one batch, copied past the caches
//                ▼
//   ring   [ .... | batch    | batch | .......... ]
//            ▲ Pop  ▲ Front()        ▲ published
//
// The engine emits events into memory that no other core reads. Complete events are copied into the
// ring past the caches, in batches of many commands: no cache line has to come from the reader's
// core, so the cost does not depend on how far away that core is (bench/RESULTS.md). Batches hold
// whole commands and are adjacent. A batch that would cross the end of the ring starts at its
// front, and a batch that is too large for the ring gets its own memory. The reader sees both as
// ordinary spans.

#ifndef ENGINE_MESSAGES_EVENT_RING_H_
#define ENGINE_MESSAGES_EVENT_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/large_block.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"

namespace engine {

// One thread writes (MakeRoom, Publish), another reads (Front, Pop). If the ring is full, either
// call of the writer busy-waits. Everything before the batch that it hands over is published by
// then, so a reader that continues makes room.
class EventRing final : public EventMemory {
 public:
  // Room for `capacity` events. REQUIRES: a power of two, at least 4.
  explicit EventRing(size_t capacity);
  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  // ---- The writer.

  // Also publishes all complete commands.
  std::span<Event> MakeRoom(std::span<const Event> begun) override;

  // Publishes the commands up to and including the one whose events are `last`: the buffer's
  // events() after that command. Optional if no reader is waiting: MakeRoom() publishes every few
  // hundred events.
  void Publish(std::span<const Event> last);

  // The number of events published.
  uint64_t published_count() const { return published_count_; }

  // ---- The reader.

  // The oldest events that are published and not yet popped, as far as they are adjacent; whole
  // commands only; empty if there are none. Valid until Pop().
  std::span<const Event> Front();

  // Releases all events that Front() returned last.
  void Pop();

 private:
  // A jump in the reader's path: at `position`, the reader reads `count` events at `elsewhere`,
  // then continues at `resume`.
  struct Detour {
    uint64_t position = 0;
    const Event* elsewhere = nullptr;
    size_t count = 0;
    uint64_t resume = 0;
  };
  static constexpr size_t kDetours = 64;

  // A batch that was too large for the ring.
  struct Annex {
    std::unique_ptr<Event[]> events;
    uint64_t detour_count = 0;  // Free once the reader has popped that many detours.
  };

  Event* At(uint64_t position) { return &slots_[position & (capacity_ - 1)]; }
  void HandOver(const Event* end);
  void HandOverInRing(std::span<const Event> batch);
  void HandOverInAnnex(std::span<const Event> batch);
  void AddDetour(const Detour& detour);
  void WaitUntilPopped(uint64_t position);

  const size_t capacity_;
  std::vector<Event, LargeAllocator<Event>> slots_;
  std::array<Detour, kDetours> detours_;

  // The writer's own.
  alignas(64) std::unique_ptr<Event[]> stage_;
  size_t stage_size_ = 0;
  const Event* handed_over_ = nullptr;  // The end of what has been handed over.
  uint64_t published_count_ = 0;
  std::vector<Annex> annexes_;

  // Written by the writer. Positions count events and never wrap; detours are counted, too.
  alignas(64) std::atomic<uint64_t> published_ = 0;
  std::atomic<uint64_t> detours_published_ = 0;

  // Written by the reader.
  alignas(64) std::atomic<uint64_t> popped_ = 0;
  std::atomic<uint64_t> detours_popped_ = 0;

  // The reader's own.
  alignas(64) uint64_t read_ = 0;
  size_t held_ = 0;  // The size of what Front() returned last, and whether it is a detour.
  bool held_is_detour_ = false;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_RING_H_
