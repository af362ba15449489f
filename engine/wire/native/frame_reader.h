// Splits a stream of bytes into the frames of the native protocol.

#ifndef ENGINE_WIRE_NATIVE_FRAME_READER_H_
#define ENGINE_WIRE_NATIVE_FRAME_READER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/wire/native/frames.h"

namespace engine::native {

// Sans-I/O: feed a chunk, take frames until there is none, feed the next. Not thread-safe: owned by
// the reader of the stream. Keeps at most one frame; allocates nothing.
class FrameReader {
 public:
  // `chunk` stays valid until Next() has returned no frame. REQUIRES: the previous chunk is used
  // up.
  void Feed(Bytes chunk) { rest_ = chunk; }

  // Takes the next frame, of any type; empty if the chunk is used up. Valid until the next call.
  Bytes Next() {
    if (gathered_bytes_ == 0 && rest_.size() >= kFrameBytes) return Take(kFrameBytes);
    const Bytes part = Take(std::min(rest_.size(), kFrameBytes - gathered_bytes_));
    std::ranges::copy(part, gathered_.begin() + static_cast<std::ptrdiff_t>(gathered_bytes_));
    gathered_bytes_ += part.size();
    if (gathered_bytes_ < kFrameBytes) return {};
    gathered_bytes_ = 0;
    return gathered_;
  }

  // Whether the stream has ended inside a frame if no more comes.
  bool is_inside_frame() const { return gathered_bytes_ != 0; }

 private:
  Bytes Take(size_t size) {
    const Bytes taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  Bytes rest_;                                     // The unread part of the chunk.
  std::array<std::byte, kFrameBytes> gathered_{};  // A frame that began in an earlier chunk.
  size_t gathered_bytes_ = 0;
};

}  // namespace engine::native

#endif  // ENGINE_WIRE_NATIVE_FRAME_READER_H_
