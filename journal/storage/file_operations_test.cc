#include "journal/storage/file_operations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "journal/storage/storage.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"

namespace journal {
namespace {

constexpr char kName[] = "zeros";
constexpr uint64_t kMebi = 1 << 20;

TEST(Zeros, AreWrittenFromBeginToEndOnly) {
  for (const uint64_t begin : {uint64_t{0}, uint64_t{5}, uint64_t{4096}}) {
    for (const uint64_t end : {begin, begin + 1, begin + kMebi, begin + 2 * kMebi + 3}) {
      MemoryDirectory directory;
      std::vector<std::byte> expected(4 * kMebi, std::byte{7});
      directory.SetContents(kName, expected);
      const std::unique_ptr<File> file = directory.OpenForWrite(kName).value();
      ASSERT_TRUE(WriteZeros(*file, begin, end).ok());
      std::fill(expected.begin() + static_cast<ptrdiff_t>(begin),
                expected.begin() + static_cast<ptrdiff_t>(end), std::byte{0});
      EXPECT_TRUE(directory.Contents(kName) == expected) << begin << " to " << end;
    }
  }
}

TEST(Zeros, StopWhereTheDiskIsFull) {
  MemoryDirectory directory;
  FaultyDirectory faulty(directory, {});
  const std::unique_ptr<File> file = faulty.Create(kName).value();
  faulty.SetFreeBytes(2 * kMebi);
  EXPECT_TRUE(absl::IsResourceExhausted(WriteZeros(*file, 0, 3 * kMebi)));
  EXPECT_EQ(file->Size().value(), 2 * kMebi);
}

}  // namespace
}  // namespace journal
