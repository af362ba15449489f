// The newest events of an account, as frames that are ready to be sent.
//
//   Append ─► │ block │ block │ block ... │ ─► Read(number)
//             └ oldest        next ┘  end ┘
//               └──── released ────┘└held┘
//
// An event that was appended may be read once it is released.

#ifndef ENGINE_GATEWAY_NATIVE_EVENT_STREAM_H_
#define ENGINE_GATEWAY_NATIVE_EVENT_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/strings/string_view.h"
#include "engine/wire/native/frames.h"

namespace engine {

// Not thread-safe: owned by the gateway's streams, and read by connections. Numbers are from 1.
class EventStream {
 public:
  static constexpr size_t kFramesOfBlock = 1024;

  // Keeps the newest `kept_min` released events, up to two blocks more, and all that are held.
  explicit EventStream(size_t kept_min) : kept_min_(kept_min) {}

  void Append(const native::EventFrame& frame) {
    if (end_ - oldest_ == blocks_.size() * kFramesOfBlock) AddBlock();
    (*blocks_.back())[(end_ - oldest_) % kFramesOfBlock] = frame;
    ++end_;
  }
  // The next event may be read. REQUIRES: it was appended.
  void ReleaseOne() { ++next_; }

  uint64_t oldest() const { return oldest_; }  // Of those that are kept.
  uint64_t next() const { return next_; }      // That will be released.
  uint64_t end() const { return end_; }        // That will be appended.

  // The frames from `number` up to next(), as far as a block has them; empty if there are none.
  // `number` becomes that after them. Valid until the next call of Append().
  // REQUIRES: oldest() <= number <= next().
  absl::string_view Read(uint64_t& number) const;

 private:
  using Block = std::array<native::EventFrame, kFramesOfBlock>;

  // Takes the memory of the oldest block, if it need not be kept.
  void AddBlock();

  const size_t kept_min_;
  std::deque<std::unique_ptr<Block>> blocks_;
  uint64_t oldest_ = 1;  // The first one of the first block.
  uint64_t next_ = 1;
  uint64_t end_ = 1;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_NATIVE_EVENT_STREAM_H_
