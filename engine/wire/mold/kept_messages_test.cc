#include "engine/wire/mold/kept_messages.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr size_t kBlock = MoldKeptMessages::kBlockBytes;

std::string From(MoldKeptMessages& messages, uint64_t first, size_t count_max = SIZE_MAX) {
  std::string framed;
  size_t count = 0;
  messages.Visit(first, [&](Bytes message) {
    absl::StrAppend(&framed, AsText(message));
    return ++count < count_max;
  });
  return framed;
}

TEST(MoldKeptMessages, KeepsAllThatFit) {
  MoldKeptMessages messages(1 << 20, 5);
  EXPECT_EQ(messages.oldest(), 5u);
  EXPECT_EQ(From(messages, 5), "");
  for (const char* message : {"five", "six", "seven", "", "nine"}) {
    messages.Add(AsBytes(Framed({message})));
  }
  EXPECT_EQ(messages.oldest(), 5u);
  EXPECT_EQ(messages.next_sequence(), 10u);
  EXPECT_EQ(From(messages, 5), Framed({"five", "six", "seven", "", "nine"}));
  EXPECT_EQ(From(messages, 7, 2), Framed({"seven", ""}));
  EXPECT_EQ(From(messages, 9), Framed({"nine"}));
  for (const uint64_t none : {uint64_t{0}, uint64_t{4}, uint64_t{10}, UINT64_MAX}) {
    EXPECT_EQ(From(messages, none), "") << none;
  }
}

TEST(MoldKeptMessages, ForgetsTheOldestBlock) {
  MoldKeptMessages messages(3 * kBlock);
  const std::string half = Framed({std::string(kBlock / 2 - 2, 'x')});
  for (int i = 0; i < 6; ++i) messages.Add(AsBytes(half));
  EXPECT_EQ(messages.oldest(), 1u);
  messages.Add(AsBytes(half));
  EXPECT_EQ(messages.oldest(), 3u);
  EXPECT_EQ(From(messages, 2), "");
  EXPECT_EQ(From(messages, 3), half + half + half + half + half);
}

TEST(MoldKeptMessages, HasTwoBlocksAtLeast) {
  MoldKeptMessages messages(0);
  const std::string whole = Framed({std::string(kBlock - 2, 'x')});
  for (int i = 0; i < 5; ++i) messages.Add(AsBytes(whole));
  EXPECT_EQ(messages.oldest(), 4u);
  EXPECT_EQ(From(messages, 4), whole + whole);
}

TEST(MoldKeptMessagesDeathTest, AMessageThatFitsNoBlockIsABug) {
  MoldKeptMessages messages(0);
  EXPECT_DEATH(messages.Add(AsBytes(Framed({std::string(kBlock - 1, 'x')}))), "16385");
}

// Messages of all sizes, at random places.
TEST(MoldKeptMessages, EveryMessageIsFoundByItsNumber) {
  Prng prng(1);
  MoldKeptMessages messages(10 * kBlock);
  std::vector<std::string> sent;
  for (int i = 0; i < 20'000; ++i) {
    const std::string framed =
        Framed({std::string(prng.Below(60), static_cast<char>('a' + i % 26))});
    messages.Add(AsBytes(framed));
    sent.push_back(framed);
    const uint64_t kept = messages.next_sequence() - messages.oldest();
    const uint64_t number = messages.oldest() + prng.Below(kept);
    ASSERT_EQ(From(messages, number, 1), sent[number - 1]) << number;
  }
  EXPECT_GT(messages.oldest(), 1u);
  EXPECT_GT(messages.next_sequence() - messages.oldest(), 9 * kBlock / 62);
}

}  // namespace
}  // namespace engine
