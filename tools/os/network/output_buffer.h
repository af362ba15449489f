// Bytes that wait to be sent.

#ifndef TOOLS_OS_NETWORK_OUTPUT_BUFFER_H_
#define TOOLS_OS_NETWORK_OUTPUT_BUFFER_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"

namespace tools {

// Memory of emptied buffers, kept for those that fill next, so that a connection without output
// holds none. Bounded: 64 buffers of at most 64 KiB.
class SpareBuffers {
 public:
  std::vector<std::byte> Take() {
    if (spare_.empty()) return {};
    std::vector<std::byte> buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
  }

  void Keep(std::vector<std::byte> buffer) {
    if (spare_.size() >= kBuffersMax || buffer.capacity() > kBytesMax) return;
    buffer.clear();
    spare_.push_back(std::move(buffer));
  }

 private:
  static constexpr size_t kBuffersMax = 64;
  static constexpr size_t kBytesMax = size_t{64} << 10;

  std::vector<std::vector<std::byte>> spare_;
};

// A queue of bytes in one piece. Appending is amortised O(bytes).
class OutputBuffer {
 public:
  size_t size() const { return bytes_.size() - sent_; }
  engine::Bytes unsent() const { return engine::Bytes(bytes_).subspan(sent_); }

  void Append(engine::Bytes bytes, SpareBuffers& spare) {
    if (bytes_.capacity() == 0) bytes_ = spare.Take();
    // At least as many bytes were sent as are moved.
    if (sent_ > 0 && sent_ >= size()) {
      bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(sent_));
      sent_ = 0;
    }
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Drops the first `count` unsent bytes. If none are left, gives its memory to `spare`.
  void Drop(size_t count, SpareBuffers& spare) {
    sent_ += count;
    if (size() == 0) Clear(spare);
  }

  void Clear(SpareBuffers& spare) {
    if (bytes_.capacity() > 0) spare.Keep(std::exchange(bytes_, {}));
    sent_ = 0;
  }

 private:
  std::vector<std::byte> bytes_;
  size_t sent_ = 0;  // Of the front of bytes_.
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_OUTPUT_BUFFER_H_
