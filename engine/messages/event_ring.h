// Takes events from the thread that applies commands to one that publishes them.
//
//   stage  [ event event | event event | ...... ]     the writer's own, in its first cache
//            ▲ handed over ▲ complete    ▲ EventBuffer: the command being applied
//                │ Publish, or no more room: a batch, copied past the caches
//                ▼
//   ring   [ .... | batch    | batch | .......... ]
//            ▲ Pop  ▲ Front()        ▲ published
//
// The engine writes its events into memory that no other core has ever seen; what is complete is
// copied into the ring at once, past the caches, for many commands at a time: so no line has to
// come from the other core, and what it costs does not depend on how far away that is
// (bench/RESULTS.md). Batches hold whole commands and stand side by side. One that would run over
// the end of the memory begins at its front, and one that is too large for the ring gets memory of
// its own; to the reader both are spans like any other.

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

// One thread writes (MakeRoom, Publish), another reads (Front, Pop). Where the ring is full either
// call of the writer waits, busily: everything before the batch that it hands over is then
// published, so a reader that goes on makes room.
class EventRing final : public EventMemory {
 public:
  // Room for `capacity` events. REQUIRES: a power of two, at least 4.
  explicit EventRing(size_t capacity);
  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  // ---- The writer.

  // Publishes the commands that are complete, too.
  std::span<Event> MakeRoom(std::span<const Event> begun) override;

  // The commands up to and including the one whose events are `last` are complete, and may be read.
  // `last` is what the buffer's events() says after it. Where nobody waits for them it need not be
  // called: they are published whenever there are some hundred, at the latest.
  void Publish(std::span<const Event> last);

  // How many events have been published.
  uint64_t published_count() const { return published_count_; }

  // ---- The reader.

  // The oldest events that are published and not yet popped, as far as they stand side by side, and
  // never a part of a command; empty when there are none. Valid until popped.
  std::span<const Event> Front();

  // Hands back all that Front() returned last.
  void Pop();

 private:
  // Where the reader must not simply go on: at `position`, `count` events stand elsewhere; then it
  // continues at `resume`.
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
    uint64_t detour_count = 0;  // It is free once the reader has popped that many.
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
  const Event* handed_over_ = nullptr;  // Up to there.
  uint64_t published_count_ = 0;
  std::vector<Annex> annexes_;

  // Written by the writer. Positions count events and never wrap; detours are counted too.
  alignas(64) std::atomic<uint64_t> published_ = 0;
  std::atomic<uint64_t> detours_published_ = 0;

  // Written by the reader.
  alignas(64) std::atomic<uint64_t> popped_ = 0;
  std::atomic<uint64_t> detours_popped_ = 0;

  // The reader's own.
  alignas(64) uint64_t read_ = 0;
  size_t held_ = 0;  // What Front() returned last, and whether it stands elsewhere.
  bool held_is_detour_ = false;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_RING_H_
