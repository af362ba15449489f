// Values with a place of their own that never moves, in chunks.
//
//   chunk 0   [ 0 ][ 1 ][ 2 ] ...      place: a number; the chunk is its high bits
//   chunk 1   [ 512 ] ...              freed places are used again, the last one first

#ifndef ENGINE_VIEWS_CHUNKED_POOL_H_
#define ENGINE_VIEWS_CHUNKED_POOL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/check.h"

namespace engine {

// Not thread-safe: a member of the view that owns the values.
template <typename Value>
class ChunkedPool {
 public:
  Value& operator[](uint32_t place) { return (*chunks_[place / kChunk])[place % kChunk]; }
  const Value& operator[](uint32_t place) const {
    return (*chunks_[place / kChunk])[place % kChunk];
  }

  // A place whose value is unspecified.
  uint32_t Take() {
    if (!free_.empty()) {
      const uint32_t place = free_.back();
      free_.pop_back();
      return place;
    }
    if (size_ % kChunk == 0) {
      CHECK_LT(size_, size_t{UINT32_MAX} - kChunk);
      chunks_.push_back(std::make_unique<Chunk>());
    }
    return static_cast<uint32_t>(size_++);
  }
  void Give(uint32_t place) { free_.push_back(place); }

 private:
  static constexpr size_t kChunk = 512;
  using Chunk = std::array<Value, kChunk>;

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<uint32_t> free_;
  size_t size_ = 0;  // Places ever taken.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_CHUNKED_POOL_H_
