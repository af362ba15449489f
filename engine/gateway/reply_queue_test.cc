// Replies leave in order, with the command that they follow, and never before it.

#include "engine/gateway/reply_queue.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

void Add(ReplyQueue& queue, const std::string& reply, uint64_t sequence) {
  queue.text() += reply;
  queue.HoldUntil(SequenceNumber(sequence));
}

TEST(ReplyQueue, ReleasesAReplyWithTheCommandThatItIsHeldFor) {
  ReplyQueue queue;
  Add(queue, "a", 1);
  Add(queue, "refused", 1);
  Add(queue, "b", 3);
  EXPECT_EQ(queue.released(), "");
  queue.Release(SequenceNumber(2));
  EXPECT_EQ(queue.released(), "arefused");
  EXPECT_EQ(queue.size_bytes(), 9u);
  queue.ClearReleased();
  EXPECT_EQ(queue.released(), "");
  EXPECT_EQ(queue.size_bytes(), 1u);
  queue.Release(SequenceNumber(3));
  EXPECT_EQ(queue.released(), "b");
}

TEST(ReplyQueue, HoldsNoReplyForACommandThatWasReleased) {
  ReplyQueue queue;
  Add(queue, "before any command", 0);
  EXPECT_EQ(queue.released(), "before any command");
  queue.ClearReleased();
  queue.Release(SequenceNumber(7));
  Add(queue, "now", 7);
  EXPECT_EQ(queue.released(), "now");
}

TEST(ReplyQueue, DropsWhatWasNotHeldYet) {
  ReplyQueue queue;
  Add(queue, "kept", 1);
  queue.text() += "dropped";
  queue.DropAppended();
  Add(queue, "", 2);
  queue.Release(SequenceNumber(2));
  EXPECT_EQ(queue.released(), "kept");
}

TEST(ReplyQueueDeathTest, RepliesAreMadeInTheOrderOfTheirCommands) {
  ReplyQueue queue;
  Add(queue, "a", 2);
  EXPECT_DEATH(Add(queue, "b", 1), "CHECK");
}

// Against a list that forgets nothing, long enough that memory is moved many times.
TEST(ReplyQueue, IsAListOfRepliesInAnyOrderOfCalls) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Prng prng(seed);
    ReplyQueue queue;
    std::vector<std::pair<uint64_t, std::string>> made;
    uint64_t applied = 0;
    uint64_t released = 0;
    size_t next = 0;  // In `made`: the first that has not left.
    std::string expected;
    std::string taken;
    for (int i = 0; i < 20'000; ++i) {
      switch (prng.Below(8)) {
        case 0:
          released += prng.Below(applied - released + 1);
          queue.Release(SequenceNumber(released));
          break;
        case 1:
          absl::StrAppend(&taken, queue.released());
          queue.ClearReleased();
          break;
        default: {
          applied += prng.Below(2);
          std::string reply = absl::StrCat(i, std::string(prng.Below(100), 'x'), "\n");
          Add(queue, reply, applied);
          made.emplace_back(applied, std::move(reply));
        }
      }
      for (; next < made.size() && made[next].first <= released; ++next) {
        expected += made[next].second;
      }
      ASSERT_EQ(taken.size() + queue.released().size(), expected.size());
    }
    EXPECT_TRUE(taken + std::string(queue.released()) == expected);
  }
}

}  // namespace
}  // namespace engine
