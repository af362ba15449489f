#include "engine/messages/event_buffer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kFirstRoom = 64;

}  // namespace

// Out of line because it is rare.
void EventBuffer::MakeRoom() {
  const size_t count = size();
  std::span<const Event> begun = events();
  std::span<Event> room;
  if (room_ != nullptr) {
    if (room_->Take(begun)) begun = {};
    room = room_->MakeRoom(begun);
  } else {
    room = MakeOwnRoom(begun);
  }
  CHECK_GT(room.size(), begun.size());
  room_begin_ = room.data();
  next_ = room.data() + begun.size();
  end_ = room.data() + room.size();
  origin_ = AddressOf(next_) - count * sizeof(Event);
}

std::span<Event> EventBuffer::MakeOwnRoom(std::span<const Event> begun) {
  if (own_size_ <= 2 * begun.size()) {
    own_size_ = std::max(kFirstRoom, 4 * begun.size());
    auto larger = std::make_unique<Event[]>(own_size_);
    std::copy(begun.begin(), begun.end(), larger.get());
    own_ = std::move(larger);
  } else {
    std::copy(begun.begin(), begun.end(), own_.get());
  }
  return {own_.get(), own_size_};
}

}  // namespace engine
