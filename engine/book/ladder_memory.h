// The memory that the ladders of an exchange share: what one gives back is used by another.
//
//   small blocks: levels outside a window, small windows   a pool, over a reserve of 4 MiB
//   large blocks: larger windows                           the heap
//
// Sides with few levels need none, so the reserve is made for the first small block. From then on,
// small blocks allocate nothing until it is used up. The pool never gives back what it took from
// the reserve, and would keep no large block for others: those pass it by.

#ifndef ENGINE_BOOK_LADDER_MEMORY_H_
#define ENGINE_BOOK_LADDER_MEMORY_H_

#include <cstddef>
#include <memory_resource>
#include <optional>

namespace engine {

// Not thread-safe: owned by the storage of the books.
class LadderMemory final : public std::pmr::memory_resource {
 public:
  static constexpr size_t kReserveBytes = size_t{4} << 20;
  static constexpr size_t kSmallBytesMax = 4096;

  // `heap` outlives this.
  explicit LadderMemory(std::pmr::memory_resource& heap = *std::pmr::new_delete_resource())
      : heap_(heap) {}

 private:
  struct Small {
    explicit Small(std::pmr::memory_resource& heap)
        : reserve(kReserveBytes, &heap),
          pool({.max_blocks_per_chunk = 0, .largest_required_pool_block = kSmallBytesMax},
               &reserve) {}

    std::pmr::monotonic_buffer_resource reserve;
    std::pmr::unsynchronized_pool_resource pool;
  };

  void* do_allocate(size_t bytes, size_t alignment) override;
  void do_deallocate(void* block, size_t bytes, size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource& heap_;
  std::optional<Small> small_;  // Since the first small block.
};

}  // namespace engine

#endif  // ENGINE_BOOK_LADDER_MEMORY_H_
