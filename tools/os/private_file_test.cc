#include "tools/os/private_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

class PrivateFileTest : public testing::Test {
 protected:
  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
  const std::string path_ = folder_->path() + "/secret";
};

TEST_F(PrivateFileTest, IsForItsUserAloneAndNeverReplaced) {
  ASSERT_TRUE(WritePrivateFile(path_, "5ecret").ok());
  struct stat info = {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(ReadPrivateFile(path_, 100).value(), "5ecret");
  EXPECT_TRUE(absl::IsAlreadyExists(WritePrivateFile(path_, "other")));
  EXPECT_EQ(ReadPrivateFile(path_, 100).value(), "5ecret");
}

TEST_F(PrivateFileTest, LinkInItsPlaceIsNotFollowed) {
  std::filesystem::create_symlink(folder_->path() + "/elsewhere", path_);
  EXPECT_TRUE(absl::IsAlreadyExists(WritePrivateFile(path_, "5ecret")));
  EXPECT_FALSE(std::filesystem::exists(folder_->path() + "/elsewhere"));
}

TEST_F(PrivateFileTest, FileThatOthersMayReadOrWriteIsRefused) {
  ASSERT_TRUE(WritePrivateFile(path_, "5ecret").ok());
  for (const mode_t mode : {0640u, 0604u, 0620u, 0602u}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    const absl::Status refused = ReadPrivateFile(path_, 100).status();
    EXPECT_TRUE(absl::IsPermissionDenied(refused)) << refused;
    EXPECT_EQ(refused.message(),
              path_ + ": readable by others, but it holds secrets: chmod 600 " + path_);
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0400), 0);
  EXPECT_EQ(ReadPrivateFile(path_, 100).value(), "5ecret");
}

TEST_F(PrivateFileTest, OtherFilesAreRefused) {
  EXPECT_TRUE(absl::IsNotFound(ReadPrivateFile(path_, 100).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(ReadPrivateFile(folder_->path(), 100).status()));
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsFailedPrecondition(ReadPrivateFile(path_, 100).status())) << "a pipe";
}

TEST_F(PrivateFileTest, LargeFileIsRefused) {
  ASSERT_TRUE(WritePrivateFile(path_, std::string(1'000'000, 'x')).ok());
  EXPECT_EQ(ReadPrivateFile(path_, 1'000'000)->size(), 1'000'000u);
  EXPECT_TRUE(absl::IsInvalidArgument(ReadPrivateFile(path_, 999'999).status()));
}

}  // namespace
}  // namespace tools
