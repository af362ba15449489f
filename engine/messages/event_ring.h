// Takes events from the thread that applies commands to one that publishes them, without a copy.
//
//        Front()                    Publish()              the command being applied
//           ▼                           ▼                     ▼
//   ring [ .... | event event event event | event event event | .......... ]
//               ▲ handed back             ▲ published         ▲ EventBuffer
//
// The engine writes its events straight into the ring (EventBuffer, EventRoom). The events of one
// command stand side by side: those that would run over the end of the memory begin again at its
// front, and those that are too many for the ring get memory of their own; to the reader both are
// spans like any other.

#ifndef ENGINE_MESSAGES_EVENT_RING_H_
#define ENGINE_MESSAGES_EVENT_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"

namespace engine {

// One thread writes (MakeRoom, Publish), another reads (Front, Pop). Where the ring is full the
// writer waits, busily: everything before the command being applied is then published, so a reader
// that goes on makes room.
class EventRing final : public EventRoom {
 public:
  // Room for `capacity` events. REQUIRES: a power of two, at least 4.
  explicit EventRing(size_t capacity);
  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  // ---- The writer.

  std::span<Event> MakeRoom(std::span<const Event> begun) override;

  // The commands up to and including the one whose events are `last` are complete, and may be read.
  // `last` is what the buffer's events() says after it. Better for many commands at once: what the
  // reader's processor fetches ahead, behind the last event that is published, it takes away from
  // the writer's, which is about to write there (bench/RESULTS.md).
  void Publish(std::span<const Event> last) { PublishUpTo(last.data() + last.size()); }

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

  // Memory for commands with more events than the ring takes.
  struct Annex {
    std::unique_ptr<Event[]> events;
    uint64_t detour_count = 0;  // It is free once the reader has popped that many.
  };

  Event* At(uint64_t position) { return &slots_[position & (capacity_ - 1)]; }
  bool IsInAnnex() const { return annex_sent_ != nullptr; }
  void PublishUpTo(const Event* end);
  void AddDetour(const Detour& detour);
  std::span<Event> MakeRoomInAnnex(std::span<const Event> begun);
  void WaitUntilPopped(uint64_t position);

  const size_t capacity_;
  const std::unique_ptr<Event[]> slots_;
  std::array<Detour, kDetours> detours_;

  // The writer's own: where the room that it was granted begins, in the ring.
  alignas(64) uint64_t granted_ = 0;
  Event* granted_at_ = nullptr;
  const Event* annex_sent_ = nullptr;  // What is before it has been published; null: in the ring.
  std::vector<Annex> annexes_;         // The last is in use while IsInAnnex().

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
