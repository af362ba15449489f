#include "engine/messages/event_ring.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/copy_past_caches.h"

namespace engine {
namespace {

// 32 KiB, the size of an L1 cache. Half as many and twice as many are no faster.
constexpr size_t kStageEvents = 512;
// A writer that publishes fewer at a time has a reader that waits for them: they go through the
// caches, which has a lower latency.
constexpr size_t kFewEvents = 16;

void Pause() { __builtin_ia32_pause(); }

}  // namespace

EventRing::EventRing(size_t capacity) : capacity_(capacity), slots_(capacity) {
  CHECK(std::has_single_bit(capacity) && capacity >= 4) << capacity;
}

std::span<Event> EventRing::MakeRoom(std::span<const Event> begun) {
  HandOver(begun.data());
  // A command that outgrows the stage gets a larger one, until the command is complete.
  const size_t usual = std::min(kStageEvents, capacity_ / 2);
  const size_t size = 2 * begun.size() < usual ? usual : 4 * begun.size();
  if (size == stage_size_) {
    std::copy(begun.begin(), begun.end(), stage_.get());
  } else {
    auto stage = std::make_unique<Event[]>(size);
    std::copy(begun.begin(), begun.end(), stage.get());
    stage_ = std::move(stage);
    stage_size_ = size;
  }
  handed_over_ = stage_.get();
  return {stage_.get(), size};
}

void EventRing::Publish(std::span<const Event> last) { HandOver(last.data() + last.size()); }

// Hands over the staged events before `end`.
void EventRing::HandOver(const Event* end) {
  if (end == handed_over_) return;
  const std::span<const Event> batch(handed_over_, end);
  handed_over_ = end;
  published_count_ += batch.size();
  if (batch.size() > capacity_ / 2) return HandOverInAnnex(batch);
  HandOverInRing(batch);
}

void EventRing::HandOverInRing(std::span<const Event> batch) {
  uint64_t position = published_.load(std::memory_order_relaxed);
  const uint64_t lap_end = (position / capacity_ + 1) * capacity_;
  if (position + batch.size() > lap_end) {
    AddDetour({.position = position, .resume = lap_end});
    position = lap_end;
  }
  WaitUntilPopped(position + batch.size());
  if (batch.size() < kFewEvents) {
    std::copy(batch.begin(), batch.end(), At(position));
  } else {
    CopyPastCaches(batch.data(), batch.size(), At(position));
  }
  published_.store(position + batch.size(), std::memory_order_release);
}

// Rare, so the memory is not reused.
void EventRing::HandOverInAnnex(std::span<const Event> batch) {
  const uint64_t popped = detours_popped_.load(std::memory_order_acquire);
  std::erase_if(annexes_, [&](const Annex& annex) { return annex.detour_count <= popped; });
  auto events = std::make_unique<Event[]>(batch.size());
  std::copy(batch.begin(), batch.end(), events.get());
  const uint64_t position = published_.load(std::memory_order_relaxed);
  AddDetour(
      {.position = position, .elsewhere = events.get(), .count = batch.size(), .resume = position});
  annexes_.push_back({.events = std::move(events),
                      .detour_count = detours_published_.load(std::memory_order_relaxed)});
}

void EventRing::AddDetour(const Detour& detour) {
  const uint64_t count = detours_published_.load(std::memory_order_relaxed);
  while (count - detours_popped_.load(std::memory_order_acquire) >= kDetours) Pause();
  detours_[count % kDetours] = detour;
  detours_published_.store(count + 1, std::memory_order_release);
}

// Waits until the slots before `position` are free.
void EventRing::WaitUntilPopped(uint64_t position) {
  while (position > popped_.load(std::memory_order_acquire) + capacity_) Pause();
}

std::span<const Event> EventRing::Front() {
  while (true) {
    // In this order: the detours before a position are published before the position is.
    const uint64_t published = published_.load(std::memory_order_acquire);
    const uint64_t detour = detours_popped_.load(std::memory_order_relaxed);
    uint64_t end = std::min(published, (read_ / capacity_ + 1) * capacity_);
    if (detour < detours_published_.load(std::memory_order_acquire)) {
      const Detour& next = detours_[detour % kDetours];
      if (next.position == read_ && next.count > 0) {
        held_ = next.count;
        held_is_detour_ = true;
        return {next.elsewhere, next.count};
      }
      if (next.position == read_) {
        read_ = next.resume;
        popped_.store(read_, std::memory_order_release);
        detours_popped_.store(detour + 1, std::memory_order_release);
        continue;
      }
      end = std::min(end, next.position);
    }
    // A detour may resume beyond what is published.
    held_ = end > read_ ? static_cast<size_t>(end - read_) : 0;
    held_is_detour_ = false;
    return {At(read_), held_};
  }
}

void EventRing::Pop() {
  if (held_is_detour_) {
    const uint64_t detour = detours_popped_.load(std::memory_order_relaxed);
    detours_popped_.store(detour + 1, std::memory_order_release);
  } else {
    read_ += held_;
    popped_.store(read_, std::memory_order_release);
  }
  held_ = 0;
  held_is_detour_ = false;
}

}  // namespace engine
