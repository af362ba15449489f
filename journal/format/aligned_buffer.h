// A buffer in which a chosen offset is aligned to a cache line.
//
// The rows of a body begin at offset 40, those of a stored block at 168: with the anchor there,
// each row is exactly one cache line.

#ifndef JOURNAL_FORMAT_ALIGNED_BUFFER_H_
#define JOURNAL_FORMAT_ALIGNED_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "engine/base/bytes.h"

namespace journal {

// Not thread-safe: owned by its caller. Never shrinks, so it allocates nothing after warm-up.
class AlignedBuffer {
 public:
  // The byte at offset `anchor` is aligned to 64.
  explicit AlignedBuffer(size_t anchor) : skew_((kLineBytes - anchor % kLineBytes) % kLineBytes) {}

  // Makes the buffer at least `bytes` long. Keeps its content; new bytes are zero.
  void Reserve(size_t bytes) {
    const size_t line_count = (skew_ + bytes + kLineBytes - 1) / kLineBytes;
    if (line_count > line_count_) Grow(std::max(line_count, line_count_ + line_count_ / 2));
  }

  std::byte* data() { return lines_[0].bytes + skew_; }
  const std::byte* data() const { return lines_[0].bytes + skew_; }
  engine::MutableBytes first(size_t bytes) { return {data(), bytes}; }
  engine::Bytes first(size_t bytes) const { return {data(), bytes}; }

 private:
  static constexpr size_t kLineBytes = 64;
  struct alignas(kLineBytes) Line {
    std::byte bytes[kLineBytes];
  };

  // Two calls for all lines instead of a constructor for each: a reader allocates half a megabyte.
  void Grow(size_t line_count) {
    auto lines = std::make_unique_for_overwrite<Line[]>(line_count);
    const size_t kept = line_count_ * kLineBytes;
    if (kept != 0) std::memcpy(lines.get(), lines_.get(), kept);
    std::memset(lines.get() + line_count_, 0, line_count * kLineBytes - kept);
    lines_ = std::move(lines);
    line_count_ = line_count;
  }

  const size_t skew_;
  size_t line_count_ = 0;
  std::unique_ptr<Line[]> lines_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_ALIGNED_BUFFER_H_
