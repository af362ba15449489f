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
  const size_t begun = size();
  std::span<Event> room;
  if (room_ != nullptr) {
    room = room_->MakeRoom(events());
  } else {
    if (own_size_ <= 2 * begun) {
      own_size_ = std::max(kFirstRoom, 4 * begun);
      auto larger = std::make_unique<Event[]>(own_size_);
      std::copy(first_, next_, larger.get());
      own_ = std::move(larger);
    } else {
      std::copy(first_, next_, own_.get());
    }
    room = {own_.get(), own_size_};
  }
  CHECK_GT(room.size(), begun);
  first_ = room.data();
  next_ = first_ + begun;
  end_ = first_ + room.size();
}

}  // namespace engine
