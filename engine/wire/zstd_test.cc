#include "engine/wire/zstd.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string Plain() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) absl::StrAppend(&text, i, ",");
  return text;
}

std::string Compressed(absl::string_view plain, size_t piece) {
  ZstdWriter writer;
  std::string out;
  for (size_t at = 0; at < plain.size(); at += piece) writer.Write(plain.substr(at, piece), out);
  writer.Finish(out);
  return out;
}

absl::StatusOr<std::string> Decompressed(absl::string_view from, size_t piece) {
  ZstdReader reader;
  std::string plain;
  std::vector<std::byte> room(1000);
  for (size_t at = 0; at < from.size(); at += piece) {
    reader.Feed(AsBytes(from.substr(at, piece)));
    while (true) {
      const auto read = reader.Read(room);
      if (!read.ok()) return read.status();
      if (*read == 0) break;
      absl::StrAppend(&plain, AsText(Bytes(room).first(*read)));
    }
  }
  const absl::Status status = reader.Finish();
  if (!status.ok()) return status;
  return plain;
}

TEST(ZstdTest, IsTheSameInPiecesOfAnySize) {
  const std::string plain = Plain();
  for (const size_t piece : {size_t{13}, size_t{5000}, plain.size()}) {
    const std::string compressed = Compressed(plain, piece);
    EXPECT_LT(compressed.size(), plain.size() / 2);
    EXPECT_TRUE(LooksLikeZstd(AsBytes(absl::string_view(compressed))));
    for (const size_t read : {size_t{1}, size_t{777}, compressed.size()}) {
      const auto back = Decompressed(compressed, read);
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_TRUE(*back == plain);
    }
  }
}

TEST(ZstdTest, FramesFollowEachOther) {
  const auto back = Decompressed(Compressed("ab", 2) + Compressed("c", 1), 3);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, "abc");
}

TEST(ZstdTest, ATruncatedStreamIsRefused) {
  const std::string compressed = Compressed("hello, hello, hello", 4);
  for (size_t length = 0; length < compressed.size(); ++length) {
    EXPECT_EQ(Decompressed(compressed.substr(0, length), 100).status().code(),
              absl::StatusCode::kDataLoss)
        << length;
  }
  EXPECT_FALSE(LooksLikeZstd(AsBytes(absl::string_view(compressed).substr(0, 3))));
}

TEST(ZstdTest, DamageIsRefused) {
  std::string compressed = Compressed(Plain(), 1000);
  compressed[compressed.size() / 2] ^= 0x55;
  const auto back = Decompressed(compressed, 4096);
  ASSERT_EQ(back.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(back.status().message().find("zstd: damaged at byte "), std::string::npos)
      << back.status();
}

}  // namespace
}  // namespace engine
