#include "engine/gateway/ouch/stream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/soup/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

void Append(OuchStream& stream, absl::string_view message) { stream.Append(AsBytes(message)); }

// The messages from `place` on, each with a blank after it.
std::string Read(const OuchStream& stream, OuchStream::Place place) {
  std::string read;
  SoupReader reader;
  while (true) {
    const absl::string_view packets = stream.Read(place);
    if (packets.empty()) return read;
    reader.Feed(AsBytes(packets));
    SoupPacket packet;
    while (reader.Next(packet).value()) absl::StrAppend(&read, AsText(packet.payload), " ");
    EXPECT_FALSE(reader.is_inside_packet());
  }
}

TEST(OuchStream, IsReadAsFarAsItIsReleased) {
  OuchStream stream;
  EXPECT_EQ(Read(stream, {}), "");
  Append(stream, "one");
  Append(stream, "two");
  const OuchStream::Place two = stream.end();
  Append(stream, "three");
  EXPECT_EQ(Read(stream, {}), "");
  EXPECT_FALSE(stream.Find(2).has_value());
  stream.Release(two);
  EXPECT_EQ(Read(stream, {}), "one two ");
  EXPECT_EQ(Read(stream, *stream.Find(2)), "two ");
  EXPECT_EQ(*stream.Find(3), two);
  EXPECT_FALSE(stream.Find(4).has_value());
  EXPECT_FALSE(stream.Find(0).has_value());
  EXPECT_FALSE(stream.Find(UINT64_MAX).has_value());
  stream.Release(stream.end());
  EXPECT_EQ(Read(stream, two), "three ");
  EXPECT_FALSE(stream.is_complete());
  stream.End();
  EXPECT_TRUE(stream.is_complete());
}

// Each number in several blocks, in and between them.
TEST(OuchStream, IsReadFromAnyNumber) {
  OuchStream stream;
  constexpr uint64_t kCount = 5'000;
  std::string all;
  for (uint64_t number = 1; number <= kCount; ++number) {
    const std::string message = absl::StrCat(number, std::string(number % 61, 'x'));
    absl::StrAppend(&all, message, " ");
    Append(stream, message);
    if (number % 7 == 0) stream.Release(stream.end());
  }
  stream.Release(stream.end());
  EXPECT_EQ(stream.end().block, 2u);
  size_t at = 0;
  for (uint64_t number = 1; number <= kCount; ++number) {
    const auto place = stream.Find(number);
    ASSERT_TRUE(place.has_value());
    ASSERT_EQ(place->number, number);
    if (number % 97 == 0 || number < 10) {
      ASSERT_EQ(Read(stream, *place), all.substr(at));
    }
    ASSERT_GE(stream.BytesAfter(*place), all.size() - at);
    at = all.find(' ', at) + 1;
  }
  EXPECT_EQ(stream.BytesAfter(stream.end()), 0u);
}

TEST(OuchStream, GivesUpTheOldestBeyondItsMemory) {
  OuchStream stream(/*bytes_max=*/3 * OuchStream::kBlockBytes);
  const OuchStream::Place first = stream.end();
  const std::string message(997, 'x');
  for (int i = 0; i < 1'000; ++i) {
    Append(stream, message);
    stream.Release(stream.end());
  }
  EXPECT_FALSE(stream.Has(first));
  EXPECT_FALSE(stream.Find(1).has_value());
  uint64_t number = 1;
  while (!stream.Find(number).has_value()) ++number;
  EXPECT_EQ(Read(stream, *stream.Find(number)).size(), (1'001 - number) * (message.size() + 1));
  EXPECT_GT(1'001 - number, 2 * OuchStream::kBlockBytes / 1'000 - 2);
  EXPECT_LE(1'001 - number, 3 * OuchStream::kBlockBytes / 1'000);
  EXPECT_EQ(stream.end().number, 1'001u);
}

}  // namespace
}  // namespace engine
