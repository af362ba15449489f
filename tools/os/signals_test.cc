#include "tools/os/signals.h"

#include <signal.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "gtest/gtest.h"
#include "tools/os/doorbells.h"

namespace tools {
namespace {

TEST(Interrupt, RingsItsBell) {
  FutexDoorbell bell;
  const Interrupt interrupt(&bell);
  EXPECT_FALSE(interrupt.raised());
  ASSERT_EQ(raise(SIGTERM), 0);
  EXPECT_TRUE(interrupt.raised());
  bell.Wait(int64_t{3600} * 1'000'000'000);
}

TEST(AbortNoteDeathTest, IsWrittenWhenTheProgramAborts) {
  EXPECT_DEATH(
      {
        AbortNote note;
        note.Set("seed 7");
        note.Set("seed 8");
        std::abort();
      },
      "^seed 8\n$");
}

TEST(AbortNoteDeathTest, IsTruncatedIfItIsLong) {
  EXPECT_DEATH(
      {
        AbortNote note;
        note.Set(std::string(1000, 'x'));
        std::abort();
      },
      "^x{255}\n$");
}

TEST(AbortNoteDeathTest, IsNotWrittenAfterItsDestruction) {
  EXPECT_DEATH(
      {
        { AbortNote().Set("seed 7"); }
        std::abort();
      },
      "^$");
}

}  // namespace
}  // namespace tools
