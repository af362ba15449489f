#include "tools/os/signals.h"

#include <cstdlib>
#include <string>

#include "gtest/gtest.h"

namespace tools {
namespace {

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
