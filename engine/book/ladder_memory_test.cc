#include "engine/book/ladder_memory.h"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr size_t kSmallBytes = 272;
constexpr size_t kLargeBytes = LadderMemory::kSmallBytesMax + 1;

// The heap, counted.
class CountedHeap final : public std::pmr::memory_resource {
 public:
  size_t bytes() const { return bytes_; }
  uint64_t allocation_count() const { return allocation_count_; }

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    bytes_ += bytes;
    ++allocation_count_;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  size_t bytes_ = 0;
  uint64_t allocation_count_ = 0;
};

TEST(LadderMemoryTest, ReservesForTheFirstSmallBlock) {
  CountedHeap heap;
  {
    LadderMemory memory(heap);
    EXPECT_EQ(heap.allocation_count(), 0u);
    memory.deallocate(memory.allocate(kLargeBytes), kLargeBytes);
    EXPECT_EQ(heap.allocation_count(), 1u);
    memory.deallocate(memory.allocate(kSmallBytes), kSmallBytes);
    EXPECT_EQ(heap.allocation_count(), 2u);
    EXPECT_GE(heap.bytes(), LadderMemory::kReserveBytes);
  }
  EXPECT_EQ(heap.bytes(), 0u);
}

TEST(LadderMemoryTest, SmallBlocksAllocateNothingMore) {
  CountedHeap heap;
  LadderMemory memory(heap);
  std::vector<void*> blocks(5'000);
  for (int round = 0; round < 10; ++round) {
    for (void*& block : blocks) block = memory.allocate(kSmallBytes);
    for (void* const block : blocks) memory.deallocate(block, kSmallBytes);
  }
  EXPECT_EQ(heap.allocation_count(), 1u);
}

TEST(LadderMemoryTest, LargeBlocksAreGivenBackToTheHeap) {
  CountedHeap heap;
  LadderMemory memory(heap);
  memory.deallocate(memory.allocate(kSmallBytes), kSmallBytes);
  const size_t before = heap.bytes();
  void* const block = memory.allocate(kLargeBytes);
  EXPECT_EQ(heap.bytes(), before + kLargeBytes);
  memory.deallocate(block, kLargeBytes);
  EXPECT_EQ(heap.bytes(), before);
}

}  // namespace
}  // namespace engine
