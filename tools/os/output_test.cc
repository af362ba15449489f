#include "tools/os/output.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OutputTest : public testing::Test {
 protected:
  OutputTest() : holder_(*TemporaryDirectory::Make()), folder_(holder_->path() + "/folder") {
    fs::create_directory(folder_);
    Put(victim_, "precious");
  }

  static void Put(const std::string& path, const std::string& contents) {
    std::ofstream(path) << contents;
  }
  static std::string Read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  std::string In(const std::string& name) const { return folder_ + "/" + name; }

  // Writes "new" to NAME in the folder.
  absl::Status Write(const std::string& name, bool replace) const {
    auto output = Output::Create(In(name), replace);
    if (!output.ok()) return output.status();
    (*output)->Write("new");
    return (*output)->Finish();
  }

  const std::unique_ptr<TemporaryDirectory> holder_;
  const std::string folder_;
  const std::string victim_ = holder_->path() + "/victim";
};

TEST_F(OutputTest, AFileAppearsWhenItIsWholeAndLeavesNoOther) {
  {
    auto output = Output::Create(In("a"), /*replace=*/false);
    ASSERT_TRUE(output.ok()) << output.status();
    (*output)->Write("one");
    EXPECT_FALSE(fs::exists(In("a")));
    ASSERT_TRUE((*output)->Finish().ok());
  }
  EXPECT_EQ(Read(In("a")), "one");
  EXPECT_THAT(Names(), ElementsAre("a"));
  {
    auto output = Output::Create(In("b"), /*replace=*/false);
    (*output)->Write("two");
  }
  EXPECT_THAT(Names(), ElementsAre("a"));
}

TEST_F(OutputTest, OtherFilesInItsFolderAreNotTouched) {
  Put(In("a.tmp"), "precious");
  fs::create_symlink(victim_, In("b.tmp"));
  for (const char* name : {"a", "b"}) {
    for (const bool replace : {false, true}) EXPECT_TRUE(Write(name, replace).ok()) << name;
    fs::remove(In(name));
  }
  EXPECT_EQ(Read(In("a.tmp")), "precious");
  EXPECT_EQ(Read(victim_), "precious");
  EXPECT_TRUE(fs::is_symlink(In("b.tmp")));
}

TEST_F(OutputTest, ItsTemporaryNameCannotBeGuessed) {
  std::set<std::string> all;
  for (int i = 0; i < 10; ++i) {
    auto output = Output::Create(In("a"), /*replace=*/true);
    ASSERT_TRUE(output.ok());
    const std::set<std::string> names = Names();
    ASSERT_EQ(names.size(), 1u);
    all.insert(*names.begin());
  }
  EXPECT_EQ(all.size(), 10u);
}

TEST_F(OutputTest, ALinkInItsPlaceIsNeitherFollowedNorReplaced) {
  fs::create_symlink(victim_, In("to_a_file"));
  fs::create_symlink(holder_->path() + "/nothing", In("to_nothing"));
  fs::create_directory_symlink(holder_->path(), In("to_a_folder"));
  for (const char* name : {"to_a_file", "to_nothing", "to_a_folder"}) {
    EXPECT_TRUE(absl::IsAlreadyExists(Write(name, /*replace=*/false))) << name;
    EXPECT_TRUE(absl::IsFailedPrecondition(Write(name, /*replace=*/true))) << name;
    EXPECT_TRUE(fs::is_symlink(In(name))) << name;
  }
  EXPECT_EQ(Read(victim_), "precious");
  EXPECT_FALSE(fs::exists(holder_->path() + "/nothing"));
}

TEST_F(OutputTest, OnlyARegularFileIsReplaced) {
  ASSERT_EQ(::mkfifo(In("pipe").c_str(), 0600), 0);
  fs::create_directory(In("folder"));
  for (const char* name : {"pipe", "folder"}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(Write(name, /*replace=*/true))) << name;
  }
  Put(In("file"), "old");
  EXPECT_TRUE(Write("file", /*replace=*/true).ok());
  EXPECT_EQ(Read(In("file")), "new");
  for (const std::string& path : {In("."), In(".."), In(""), std::string()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Output::Create(path, true).status())) << path;
  }
}

TEST_F(OutputTest, ANameThatIsTakenMeanwhileIsKept) {
  auto output = Output::Create(In("a"), /*replace=*/false);
  auto linked = Output::Create(In("b"), /*replace=*/true);
  ASSERT_TRUE(output.ok() && linked.ok());
  (*output)->Write("new");
  (*linked)->Write("new");
  Put(In("a"), "precious");
  fs::create_symlink(victim_, In("b"));
  EXPECT_TRUE(absl::IsAlreadyExists((*output)->Finish()));
  EXPECT_TRUE((*linked)->Finish().ok());
  EXPECT_EQ(Read(In("a")), "precious");
  EXPECT_FALSE(fs::is_symlink(In("b"))) << "the link is replaced, not its target";
  EXPECT_EQ(Read(victim_), "precious");
}

TEST_F(OutputTest, AFolderThatIsMovedMeanwhileIsStillTheFolder) {
  auto output = Output::Create(In("a"), /*replace=*/false);
  ASSERT_TRUE(output.ok());
  const std::string elsewhere = holder_->path() + "/elsewhere";
  fs::rename(folder_, elsewhere);
  fs::create_directory_symlink(holder_->path(), folder_);
  (*output)->Write("new");
  ASSERT_TRUE((*output)->Finish().ok());
  EXPECT_EQ(Read(elsewhere + "/a"), "new");
  EXPECT_FALSE(fs::exists(holder_->path() + "/a"));
}

TEST_F(OutputTest, AnErrorNamesThePath) {
  const auto output = Output::Create(In("no/such/folder/x"), /*replace=*/false);
  EXPECT_TRUE(absl::IsNotFound(output.status())) << output.status();
  EXPECT_THAT(std::string(output.status().message()), HasSubstr("folder/no/such/folder/x"));
}

TEST_F(OutputTest, ASubfolderMustNotBeALink) {
  const auto folder = OutputFolder::OpenItself(folder_);
  ASSERT_TRUE(folder.ok()) << folder.status();
  fs::create_directory_symlink(holder_->path(), In("link"));
  Put(In("file"), "");
  EXPECT_TRUE(absl::IsFailedPrecondition(folder->Subfolder("link").status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(folder->Subfolder("file").status()));
  for (int i = 0; i < 2; ++i) {  // It exists the second time.
    const auto inner = folder->Subfolder("inner");
    ASSERT_TRUE(inner.ok()) << inner.status();
    const auto output = Output::CreateIn(*inner, i == 0 ? "a" : "b");
    ASSERT_TRUE(output.ok()) << output.status();
    EXPECT_TRUE((*output)->Finish().ok());
  }
  EXPECT_TRUE(fs::exists(In("inner/a")) && fs::exists(In("inner/b")));
  EXPECT_TRUE(absl::IsFailedPrecondition(OutputFolder::OpenItself(In("link")).status()));
}

TEST_F(OutputTest, ANewFolderMustNotExist) {
  fs::create_directory_symlink(holder_->path(), In("link"));
  fs::create_directory(In("empty"));
  for (const char* name : {"link", "empty"}) {
    EXPECT_TRUE(absl::IsAlreadyExists(MakeNewFolder(In(name)))) << name;
  }
  EXPECT_TRUE(MakeNewFolder(In("new")).ok());
}

}  // namespace
}  // namespace tools
