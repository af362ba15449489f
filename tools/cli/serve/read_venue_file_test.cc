// A file of a venue on the disk holds secrets: others may not read it.

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

class ReadVenueFileTest : public testing::Test {
 protected:
  void Put(absl::string_view text, mode_t mode) const {
    std::ofstream(path_) << text;
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
  }

  const std::unique_ptr<TemporaryDirectory> folder_ = *TemporaryDirectory::Make();
  const std::string path_ = folder_->path() + "/venue.json";
};

TEST_F(ReadVenueFileTest, APrivateFileIsRead) {
  for (const mode_t mode : {0600, 0400}) {
    Put(NewVenueFile({"secret01", "secret02", "secret03"}), mode);
    const auto venue = ReadVenueFile(path_);
    ASSERT_TRUE(venue.ok()) << venue.status().message();
    EXPECT_EQ(venue->logins.size(), kNewVenueLogins);
    std::filesystem::remove(path_);
  }
}

TEST_F(ReadVenueFileTest, AFileThatOthersMayReadOrWriteIsRefused) {
  for (const mode_t mode : {0640, 0620, 0604, 0602, 0666}) {
    Put(NewVenueFile({"secret01", "secret02", "secret03"}), mode);
    EXPECT_EQ(ReadVenueFile(path_).status(),
              absl::PermissionDeniedError(absl::StrCat(
                  path_, ": readable by others, but it holds secrets: chmod 600 ", path_)))
        << mode;
  }
}

TEST_F(ReadVenueFileTest, ErrorsNameTheFile) {
  Put("{\n", 0600);
  EXPECT_EQ(ReadVenueFile(path_).status(), absl::InvalidArgumentError(absl::StrCat(
                                               path_, ":2:1: Missing a name for object member.")));
  Put(std::string(kVenueFileBytesMax + 1, ' '), 0600);
  EXPECT_EQ(ReadVenueFile(path_).status(),
            absl::InvalidArgumentError(
                absl::StrCat(path_, ": larger than 16777216 bytes, expected at most these")));
  std::filesystem::remove(path_);
  EXPECT_TRUE(absl::IsNotFound(ReadVenueFile(path_).status()));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(ReadVenueFile(path_).status(),
            absl::FailedPreconditionError(absl::StrCat(path_, ": not a regular file")));
}

}  // namespace
}  // namespace tools
