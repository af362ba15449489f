#include "engine/messages/event_ring.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

void Pause() { __builtin_ia32_pause(); }

}  // namespace

EventRing::EventRing(size_t capacity)
    : capacity_(capacity), slots_(std::make_unique<Event[]>(capacity)) {
  CHECK(std::has_single_bit(capacity) && capacity >= 4) << capacity;
}

std::span<Event> EventRing::MakeRoom(std::span<const Event> begun) {
  if (granted_at_ == nullptr) {  // The first command's first event.
    granted_at_ = At(0);
    return {granted_at_, capacity_};
  }
  PublishUpTo(begun.data());
  if (begun.size() >= capacity_ / 2) return MakeRoomInAnnex(begun);

  // Where the command's events are to begin: where they are, unless the memory ends there.
  uint64_t position = published_.load(std::memory_order_relaxed);
  const uint64_t lap_end = (position / capacity_ + 1) * capacity_;
  const bool is_in_place = !IsInAnnex() && position + begun.size() < lap_end;
  if (!is_in_place && position + begun.size() >= lap_end) {
    AddDetour({.position = position, .resume = lap_end});
    position = lap_end;
  }
  WaitUntilPopped(position + begun.size() + 1);
  if (!is_in_place) std::copy(begun.begin(), begun.end(), At(position));
  annex_sent_ = nullptr;
  granted_ = position;
  granted_at_ = At(position);
  const uint64_t free_end = popped_.load(std::memory_order_acquire) + capacity_;
  const uint64_t end = std::min(free_end, (position / capacity_ + 1) * capacity_);
  return {granted_at_, static_cast<size_t>(end - position)};
}

// A command with so many events is rare: its memory is not kept.
std::span<Event> EventRing::MakeRoomInAnnex(std::span<const Event> begun) {
  const uint64_t popped = detours_popped_.load(std::memory_order_acquire);
  const size_t size = 4 * begun.size();
  auto events = std::make_unique<Event[]>(size);
  std::copy(begun.begin(), begun.end(), events.get());
  std::erase_if(annexes_, [&](const Annex& annex) { return annex.detour_count <= popped; });
  annexes_.push_back({.events = std::move(events), .detour_count = ~uint64_t{0}});
  annex_sent_ = annexes_.back().events.get();
  return {annexes_.back().events.get(), size};
}

void EventRing::PublishUpTo(const Event* end) {
  if (!IsInAnnex()) {
    if (granted_at_ == nullptr) return;
    published_.store(granted_ + static_cast<uint64_t>(end - granted_at_),
                     std::memory_order_release);
    return;
  }
  if (end != annex_sent_) {
    const uint64_t position = published_.load(std::memory_order_relaxed);
    AddDetour({.position = position,
               .elsewhere = annex_sent_,
               .count = static_cast<size_t>(end - annex_sent_),
               .resume = position});
    annex_sent_ = end;
  }
  annexes_.back().detour_count = detours_published_.load(std::memory_order_relaxed);
}

void EventRing::AddDetour(const Detour& detour) {
  const uint64_t count = detours_published_.load(std::memory_order_relaxed);
  while (count - detours_popped_.load(std::memory_order_acquire) >= kDetours) Pause();
  detours_[count % kDetours] = detour;
  detours_published_.store(count + 1, std::memory_order_release);
}

// Until the slots before `position` are free.
void EventRing::WaitUntilPopped(uint64_t position) {
  while (position > popped_.load(std::memory_order_acquire) + capacity_) Pause();
}

std::span<const Event> EventRing::Front() {
  while (true) {
    // In this order: what is published is preceded by the detours on the way to it.
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
    // A detour may lead beyond what is published.
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
