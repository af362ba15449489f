#include "engine/wire/itch/encoder.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// The frames of a stream, parsed and written again.
std::string WrittenAgain(absl::string_view stream) {
  ItchStreamReader reader;
  reader.Feed(AsBytes(stream));
  std::string written;
  ItchMessage message;
  while (true) {
    const auto more = reader.Next(message);
    EXPECT_TRUE(more.ok()) << more.status();
    if (!more.ok() || !*more) return written;
    AppendItchFrame(message, written);
  }
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ItchEncoder, WritesEachTypeAsTheSpecificationHasIt) {
  const std::string all_types = Contents("testdata/itch/feedforge/all23_types_framed.itch");
  ASSERT_FALSE(all_types.empty());
  EXPECT_EQ(WrittenAgain(all_types), all_types);
}

TEST(ItchEncoder, WritesAnyFieldsThatItHasRead) {
  Prng prng(1);
  for (const ItchType& type : kItchTypes) {
    std::string frame = {'\0', static_cast<char>(type.bytes), type.letter};
    while (frame.size() < kItchLengthBytes + type.bytes) {
      frame.push_back(static_cast<char>(prng.Below(256)));
    }
    const bool has_side = type.letter == 'A' || type.letter == 'F';
    constexpr size_t kSideAt = kItchLengthBytes + 19;
    if (has_side) frame[kSideAt] = 'S';
    EXPECT_EQ(WrittenAgain(frame), frame) << type.name;
  }
}

}  // namespace
}  // namespace engine
