#include "tools/os/folder_watch.h"

#include <signal.h>

#include <fstream>
#include <memory>

#include "gtest/gtest.h"
#include "tools/os/output_folder.h"
#include "tools/os/signals.h"

namespace tools {
namespace {

// The waiting time is not tested: such a test would depend on the load of the machine.
TEST(FolderWatch, ReturnsWhenAFileHasChanged) {
  const auto folder = TemporaryDirectory::Make().value();
  const Interrupt interrupt;
  FolderWatch watch(folder->path(), interrupt);
  for (int i = 0; i < 3; ++i) {
    std::ofstream(folder->path() + "/file", std::ios::app) << "more\n";
    EXPECT_TRUE(watch.Wait());
  }
}

TEST(FolderWatch, EndsOnAnInterrupt) {
  const auto folder = TemporaryDirectory::Make().value();
  const Interrupt interrupt;
  FolderWatch watch(folder->path(), interrupt);
  EXPECT_FALSE(interrupt.raised());
  ASSERT_EQ(raise(SIGINT), 0);
  EXPECT_TRUE(interrupt.raised());
  EXPECT_FALSE(watch.Wait());
}

TEST(FolderWatch, AMissingFolderIsPolled) {
  const Interrupt interrupt;
  FolderWatch watch("/nowhere/at/all", interrupt);
  EXPECT_FALSE(watch.is_notified());
  EXPECT_TRUE(watch.Wait());
}

}  // namespace
}  // namespace tools
