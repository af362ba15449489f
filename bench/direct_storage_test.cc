#include "bench/direct_storage.h"

#include <stdlib.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

TEST(DirectStorage, FilesHoldWhatBufferedOnesWouldHoldOrAreRefused) {
  std::string path = absl::StrCat(::testing::TempDir(), "/direct-XXXXXX");
  ASSERT_NE(::mkdtemp(path.data()), nullptr);
  const std::unique_ptr<journal::Directory> directory = CreateDirectDirectory(path).value();
  const auto file = directory->Create("segment-000000.tape");
  if (!file.ok()) {
    EXPECT_TRUE(absl::IsInvalidArgument(file.status())) << file.status();
    EXPECT_THAT(std::string(file.status().message()), ::testing::HasSubstr("no direct I/O there"));
    return;
  }
  std::vector<std::byte> expected(3 << 20);
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<std::byte>(i * 7 + i / 4096);
  }
  const engine::Bytes bytes(expected);
  // Pages in several parts, more than fit the file's buffer; then less than a page.
  const std::vector<engine::Bytes> parts = {bytes.first(4096), bytes.subspan(4096, 2 << 20)};
  ASSERT_TRUE((*file)->WriteParts(0, parts).ok());
  const size_t done = 4096 + (2 << 20);
  ASSERT_TRUE((*file)->Write(done, bytes.subspan(done, 100)).ok());
  ASSERT_TRUE((*file)->Write(done + 100, bytes.subspan(done + 100)).ok());
  ASSERT_TRUE((*file)->Sync().ok());
  std::vector<std::byte> found(expected.size());
  EXPECT_EQ((*file)->Read(0, found).value(), expected.size());
  EXPECT_EQ(found, expected);
  EXPECT_EQ((*file)->Size().value(), expected.size());
}

}  // namespace
}  // namespace bench
