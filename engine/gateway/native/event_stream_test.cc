#include "engine/gateway/native/event_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/native/frames.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr size_t kBlock = EventStream::kFramesOfBlock;

void Append(EventStream& stream, size_t count) {
  for (size_t i = 0; i < count; ++i) stream.Append({.sequence = stream.end()});
}

void Release(EventStream& stream, size_t count) {
  for (size_t i = 0; i < count; ++i) stream.ReleaseOne();
}

// The events that may be read from this one on, by their sequence numbers, which are their own.
std::vector<uint64_t> ReadAll(const EventStream& stream, uint64_t number) {
  std::vector<uint64_t> read;
  while (true) {
    const Bytes frames = AsBytes(stream.Read(number));
    if (frames.empty()) return read;
    for (size_t at = 0; at < frames.size(); at += native::kFrameBytes) {
      read.push_back(
          native::FrameFrom<native::EventFrame>(frames.subspan(at, native::kFrameBytes)).sequence);
    }
  }
}

void ExpectFromTo(const EventStream& stream, uint64_t first, uint64_t end) {
  const std::vector<uint64_t> read = ReadAll(stream, first);
  ASSERT_EQ(read.size(), end - first);
  for (size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], first + i);
}

TEST(EventStream, OnlyReleasedEventsAreRead) {
  EventStream stream(10);
  EXPECT_TRUE(ReadAll(stream, 1).empty());
  Append(stream, 3);
  EXPECT_TRUE(ReadAll(stream, 1).empty());
  Release(stream, 2);
  EXPECT_EQ(ReadAll(stream, 1), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(ReadAll(stream, 2), (std::vector<uint64_t>{2}));
  EXPECT_TRUE(ReadAll(stream, 3).empty());
}

TEST(EventStream, ReadsAcrossBlocksFromAnyNumber) {
  EventStream stream(10 * kBlock);
  Append(stream, 3 * kBlock);
  Release(stream, 3 * kBlock);
  for (const uint64_t first : {uint64_t{1}, kBlock, kBlock + 1, kBlock + 2, 3 * kBlock + 1}) {
    ExpectFromTo(stream, first, 3 * kBlock + 1);
  }
}

TEST(EventStream, KeepsTheNewestAndBoundsItsMemory) {
  EventStream stream(100);
  for (int i = 0; i < 50 * static_cast<int>(kBlock); ++i) {
    Append(stream, 1);
    Release(stream, 1);
    ASSERT_GE(stream.next() - stream.oldest(), std::min<uint64_t>(stream.next() - 1, 100));
    ASSERT_LE(stream.end() - stream.oldest(), 100 + 2 * kBlock);
  }
  ExpectFromTo(stream, stream.oldest(), stream.next());
}

TEST(EventStream, HeldEventsAreNeverGivenUp) {
  EventStream stream(0);
  Append(stream, 5 * kBlock + 1);
  EXPECT_EQ(stream.oldest(), 1u);
  Release(stream, 5 * kBlock + 1);
  ExpectFromTo(stream, 1, 5 * kBlock + 2);
  Append(stream, kBlock);
  EXPECT_EQ(stream.oldest(), 5 * kBlock + 1);
  ExpectFromTo(stream, 5 * kBlock + 1, 5 * kBlock + 2);
}

}  // namespace
}  // namespace engine
