// Memory in which one chosen byte, and what follows it, sits on a cache line.
//
// A body's rows begin 40 bytes in, a stored block's 168: with the anchor there, each row is one
// line.

#ifndef JOURNAL_FORMAT_ALIGNED_BUFFER_H_
#define JOURNAL_FORMAT_ALIGNED_BUFFER_H_

#include <cstddef>
#include <vector>

#include "engine/base/bytes.h"

namespace journal {

// Grows, never shrinks, so after warm-up nothing is allocated. Not thread-safe: owned by its user.
class AlignedBuffer {
 public:
  // The byte at offset `anchor` is aligned to 64.
  explicit AlignedBuffer(size_t anchor) : skew_((kLineBytes - anchor % kLineBytes) % kLineBytes) {}

  // At least `bytes` long from now on; what was in it is kept, what is new is zero.
  void Reserve(size_t bytes) {
    const size_t line_count = (skew_ + bytes + kLineBytes - 1) / kLineBytes;
    if (lines_.size() < line_count) lines_.resize(line_count);
  }

  std::byte* data() { return lines_.data()->bytes + skew_; }
  const std::byte* data() const { return lines_.data()->bytes + skew_; }
  engine::MutableBytes first(size_t bytes) { return {data(), bytes}; }
  engine::Bytes first(size_t bytes) const { return {data(), bytes}; }

 private:
  static constexpr size_t kLineBytes = 64;
  struct alignas(kLineBytes) Line {
    std::byte bytes[kLineBytes] = {};
  };

  const size_t skew_;
  std::vector<Line> lines_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_ALIGNED_BUFFER_H_
