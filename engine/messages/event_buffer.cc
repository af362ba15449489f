#include "engine/messages/event_buffer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kFirstRoom = 64;

}  // namespace

// Out of line: it happens once in a long while.
void EventBuffer::MakeRoom() {
  const size_t begun = size();
  std::span<Event> room;
  if (room_ != nullptr) {
    room = room_->MakeRoom(events());
  } else {
    const size_t size = std::max(kFirstRoom, 2 * begun);
    auto larger = std::make_unique<Event[]>(size);
    std::copy(first_, next_, larger.get());
    own_ = std::move(larger);
    room = {own_.get(), size};
  }
  CHECK_GT(room.size(), begun);
  first_ = room.data();
  next_ = first_ + begun;
  end_ = first_ + room.size();
}

}  // namespace engine
