#include "tools/os/history_file.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

std::string NewPath(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), "/", name, "/state/ticktape/shell_history");
}

TEST(HistoryFile, LinesAreThereInTheNextRunForTheUserAlone) {
  const std::string path = NewPath("lines");
  {
    const auto file = HistoryFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_THAT((*file)->lines(), ElementsAre());
    EXPECT_TRUE((*file)->Append("PRINT").ok());
    EXPECT_TRUE((*file)->Append("CANCEL 1").ok());
  }
  const auto file = HistoryFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT((*file)->lines(), ElementsAre("PRINT", "CANCEL 1"));
  EXPECT_EQ(ModeOf(path), 0600);
  EXPECT_EQ(ModeOf(path.substr(0, path.rfind('/'))), 0700);
}

TEST(HistoryFile, WhatMayNotReachATerminalIsLeftOut) {
  const std::string path = NewPath("hostile");
  {
    const auto file = HistoryFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE((*file)->Append("PRINT \x1b[2J").ok());
  }
  EXPECT_EQ(std::filesystem::file_size(path), 0u);
  std::ofstream(path) << "a\x1b[2Jb\nPRINT\n\n\xe2\x80\xae\n\x07\nCANCEL 2";
  const auto file = HistoryFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT((*file)->lines(), ElementsAre("PRINT", "CANCEL 2"));
}

TEST(HistoryFile, AFileThatHasGrownIsCutToItsNewestLines) {
  const std::string path = NewPath("grown");
  ASSERT_TRUE(HistoryFile::Open(path).ok());
  {
    std::ofstream file(path);
    for (int i = 0; i < 20'000; ++i) file << "CANCEL 1000" << i << "\n";
  }
  const auto file = HistoryFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->lines().back(), "CANCEL 100019999");
  EXPECT_THAT((*file)->lines().front(), HasSubstr("CANCEL 1000")) << "a whole line";
  EXPECT_LE(std::filesystem::file_size(path), 65'536u);
  const auto again = HistoryFile::Open(path);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->lines(), (*file)->lines());
}

TEST(HistoryFile, RefusesWhatIsNotPrivateOrNoFile) {
  const std::string path = NewPath("open");
  ASSERT_TRUE(HistoryFile::Open(path).ok());
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_TRUE(absl::IsPermissionDenied(HistoryFile::Open(path).status()));
  EXPECT_THAT(HistoryFile::Open(path).status().message(), HasSubstr("chmod 600"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("elsewhere", path);
  EXPECT_FALSE(HistoryFile::Open(path).ok()) << "a link is not followed";
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsFailedPrecondition(HistoryFile::Open(path).status()));
}

TEST(HistoryFile, ItsPlaceIsTheUsersState) {
  setenv("XDG_STATE_HOME", "/state", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(HistoryPath("shell_history"), "/state/ticktape/shell_history");
  setenv("XDG_STATE_HOME", "relative", 1);
  EXPECT_EQ(HistoryPath("shell_history"), "/home/me/.local/state/ticktape/shell_history");
  unsetenv("XDG_STATE_HOME");
  EXPECT_EQ(HistoryPath("shell_history"), "/home/me/.local/state/ticktape/shell_history");
  unsetenv("HOME");
  EXPECT_EQ(HistoryPath("shell_history"), "");
}

}  // namespace
}  // namespace tools
