#include "engine/wire/native/frame_reader.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/native/frames.h"
#include "gtest/gtest.h"

namespace engine::native {
namespace {

// The frames of a stream that arrives in chunks of this size.
std::vector<std::string> FramesOf(FrameReader& reader, absl::string_view stream, size_t chunk) {
  std::vector<std::string> frames;
  for (size_t at = 0; at < stream.size(); at += chunk) {
    const std::string piece(stream.substr(at, chunk));  // Gone when the next one comes.
    reader.Feed(AsBytes(piece));
    for (Bytes frame = reader.Next(); !frame.empty(); frame = reader.Next()) {
      frames.emplace_back(AsText(frame));
    }
  }
  return frames;
}

TEST(FrameReader, FramesDoNotDependOnChunks) {
  const std::string one(kFrameBytes, '1');
  const std::string two(kFrameBytes, '2');
  const std::string three(kFrameBytes, '3');
  for (size_t chunk = 1; chunk <= 3 * kFrameBytes + 1; ++chunk) {
    FrameReader reader;
    EXPECT_EQ(FramesOf(reader, one + two + three, chunk),
              (std::vector<std::string>{one, two, three}));
    EXPECT_FALSE(reader.is_inside_frame()) << chunk;
  }
}

TEST(FrameReader, APartOfAFrameIsKeptAndIsNone) {
  const std::string frame(kFrameBytes, 'x');
  FrameReader reader;
  EXPECT_TRUE(FramesOf(reader, frame.substr(0, kFrameBytes - 1), 5).empty());
  EXPECT_TRUE(reader.is_inside_frame());
  EXPECT_EQ(FramesOf(reader, frame.substr(kFrameBytes - 1), 1), std::vector<std::string>{frame});
}

TEST(FrameReader, NothingIsNoFrame) {
  FrameReader reader;
  EXPECT_TRUE(reader.Next().empty());
  reader.Feed({});
  EXPECT_TRUE(reader.Next().empty());
  EXPECT_FALSE(reader.is_inside_frame());
}

}  // namespace
}  // namespace engine::native
