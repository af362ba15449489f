// A bundle cannot harm the one who opens it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/bundle/bundle.h"
#include "tools/cli/bundle/testing/tar.h"

namespace tools {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class UnpackTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = absl::StrCat(testing::TempDir(), "/unpack_", name);
    fs::create_directories(root_ + "/into");
  }

  static std::string ManifestOf(const std::vector<TarEntry>& files) {
    BundleManifest manifest = {.first = engine::SequenceNumber(1),
                               .last = engine::SequenceNumber(1)};
    for (const TarEntry& file : files) {
      manifest.files.push_back(
          {.name = file.name,
           .bytes = file.bytes.value_or(file.contents.size()),
           .hash = engine::DigestOf(engine::AsBytes(absl::string_view(file.contents)))});
    }
    return FormatManifest(manifest);
  }

  // An archive of the files after `manifest`.
  std::string Bundle(const std::string& manifest, std::vector<TarEntry> files) const {
    files.insert(files.begin(), {.name = std::string(kManifestName), .contents = manifest});
    const std::string path = root_ + "/b.ticktape";
    WriteTestFile(path, Compressed(MakeTar(files)));
    return path;
  }

  absl::Status Unpack(const std::string& path) const {
    return UnpackBundle(path, root_ + "/into").status();
  }
  void ExpectRefused(const std::string& path, const char* why) const {
    const absl::Status status = Unpack(path);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(why));
    EXPECT_THAT(std::string(status.message()), HasSubstr("b.ticktape: "));
  }
  bool Outside(const std::string& name) const { return fs::exists(root_ + "/" + name); }

  std::string root_;
};

TEST_F(UnpackTest, AnHonestBundleIsOpened) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "one"},
                                       {.name = "journal/snapshots/b", .contents = ""}};
  ASSERT_TRUE(Unpack(Bundle(ManifestOf(files), files)).ok());
  EXPECT_EQ(ReadTestFile(root_ + "/into/journal/a"), "one");
  EXPECT_TRUE(fs::exists(root_ + "/into/journal/snapshots/b"));
  EXPECT_EQ(ReadTestFile(root_ + "/into/MANIFEST"), ManifestOf(files));
}

// As if another had put them there after the folder was made.
TEST_F(UnpackTest, NoLinkIsFollowed) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "one"},
                                       {.name = "journal/snapshots/b", .contents = "two"}};
  const std::string bundle = Bundle(ManifestOf(files), files);
  const std::string victim = root_ + "/victim";
  fs::create_directories(victim);
  const auto expect_refused = [&](const char* what) {
    EXPECT_FALSE(Unpack(bundle).ok()) << what;
    EXPECT_TRUE(fs::is_empty(victim)) << what;
    fs::remove_all(root_ + "/into");
    fs::create_directories(root_ + "/into/journal");
  };
  fs::create_directory_symlink(victim, root_ + "/into/journal");
  expect_refused("journal");
  fs::create_directory_symlink(victim, root_ + "/into/journal/snapshots");
  expect_refused("snapshots");
  fs::create_symlink(victim + "/a", root_ + "/into/journal/a");
  expect_refused("a file");
  fs::create_symlink(victim + "/MANIFEST", root_ + "/into/MANIFEST");
  expect_refused("the manifest");
  fs::remove_all(root_ + "/into");
  fs::create_directory_symlink(victim, root_ + "/into");
  expect_refused("the folder");
}

TEST_F(UnpackTest, NamesThatLeadElsewhereAreRefusedBeforeAnythingIsWritten) {
  for (const char* name : {"../outside", "/outside", "journal/../../outside"}) {
    const std::vector<TarEntry> files = {{.name = name, .contents = "x"}};
    ExpectRefused(Bundle(ManifestOf(files), files), "expected journal/NAME");
  }
  EXPECT_FALSE(Outside("outside"));
  EXPECT_TRUE(fs::is_empty(root_ + "/into"));
}

TEST_F(UnpackTest, AnArchiveThatSaysAnotherNameThanItsManifestIsRefused) {
  const std::string manifest = ManifestOf({{.name = "journal/a", .contents = "x"}});
  ExpectRefused(Bundle(manifest, {{.name = "../outside", .contents = "x"}}),
                "'../outside' of 1 bytes; expected journal/a of 1");
  EXPECT_FALSE(Outside("outside"));
}

// Extended headers rename what follows them.
TEST_F(UnpackTest, ANameThatAnotherHeaderGivesIsHeldAgainstTheManifestToo) {
  const std::string manifest = ManifestOf({{.name = "journal/a", .contents = "x"}});
  const TarEntry file = {.name = "journal/a", .contents = "x"};
  ExpectRefused(
      Bundle(manifest, {{.name = "pax", .contents = "19 path=../outside\n", .type = 'x'}, file}),
      "'../outside' of 1 bytes; expected journal/a of 1");
  ExpectRefused(
      Bundle(manifest,
             {{.name = "long", .contents = std::string("../outside\0", 11), .type = 'L'}, file}),
      "'../outside' of 1 bytes; expected journal/a of 1");
  ExpectRefused(
      Bundle(manifest, {{.name = "pax", .contents = "14 size=70000\n", .type = 'x'}, file}),
      "expected journal/a of 1");
  EXPECT_FALSE(Outside("outside"));
}

TEST_F(UnpackTest, AFileThatIsThereTwiceIsRefused) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "x"}};
  ExpectRefused(Bundle(ManifestOf(files), {files[0], files[0]}),
                "'journal/a' is not in its manifest; expected the end");
  ExpectRefused(Bundle(ManifestOf({files[0], files[0]}), {files[0], files[0]}),
                "journal/a is there twice");
  fs::remove_all(root_ + "/into/journal");
  ExpectRefused(Bundle(ManifestOf(files), {{.name = "MANIFEST", .contents = ManifestOf(files)}}),
                "'MANIFEST' of ");
}

TEST_F(UnpackTest, SizesThatAgreeAndAreWrongAreRefused) {
  std::vector<TarEntry> files = {{.name = "journal/a", .contents = "x", .bytes = 50'000}};
  ExpectRefused(Bundle(ManifestOf(files), files), "the contents cannot be read");
  EXPECT_FALSE(fs::exists(root_ + "/into/journal/a"));
  files[0].bytes = (uint64_t{1} << 33) - 1;
  ExpectRefused(Bundle(ManifestOf(files), files), "expected no more than 64 times as much");
}

TEST_F(UnpackTest, LinksAreRefused) {
  const std::string manifest = ManifestOf({{.name = "journal/a", .contents = ""}});
  ExpectRefused(Bundle(manifest, {{.name = "journal/a", .type = '2', .link = "/etc/passwd"}}),
                "is not a plain file");
  ExpectRefused(Bundle(manifest, {{.name = "journal/a", .type = '1', .link = "MANIFEST"}}),
                "is not a plain file");
}

TEST_F(UnpackTest, ABombIsRefusedBeforeItGoesOff) {
  const std::vector<TarEntry> files = {
      {.name = "journal/a", .contents = std::string(100 << 20, '\0')}};
  const std::string path = Bundle(ManifestOf(files), files);
  ASSERT_LT(fs::file_size(path), 64u << 10);
  ExpectRefused(path, "expected no more than 64 times as much");
  EXPECT_TRUE(fs::is_empty(root_ + "/into"));
}

TEST_F(UnpackTest, AManifestIsNoBombEither) {
  const std::string path = root_ + "/b.ticktape";
  WriteTestFile(path, Compressed(MakeTar({{.name = std::string(kManifestName),
                                           .contents = std::string(20 << 20, 'a')}})));
  ExpectRefused(path, "expected at most 16777216");
}

TEST_F(UnpackTest, MoreThanTheManifestSaysIsRefused) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "x"}};
  std::vector<TarEntry> more = files;
  more.push_back({.name = "journal/b", .contents = "y"});
  ExpectRefused(Bundle(ManifestOf(files), more), "'journal/b' is not in its manifest");
}

TEST_F(UnpackTest, LessThanTheManifestSaysIsRefused) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "x"}};
  ExpectRefused(Bundle(ManifestOf(files), {}), "'the end'; expected journal/a of 1");
}

TEST_F(UnpackTest, OtherContentsAreRefused) {
  const std::string manifest = ManifestOf({{.name = "journal/a", .contents = "one"}});
  ExpectRefused(Bundle(manifest, {{.name = "journal/a", .contents = "two"}}),
                "journal/a has the hash ");
}

TEST_F(UnpackTest, AnArchiveOfSomethingElseIsRefused) {
  const std::string path = root_ + "/b.ticktape";
  WriteTestFile(path, Compressed(MakeTar({{.name = "letter.txt", .contents = "text"}})));
  ExpectRefused(path, "its first file is 'letter.txt'; expected MANIFEST");
  WriteTestFile(path, "rubbish");
  ExpectRefused(path, "tar compressed with zstd");
  EXPECT_EQ(Unpack(root_ + "/none").code(), absl::StatusCode::kNotFound);
}

TEST_F(UnpackTest, WhatIsCutOffOrFlippedIsNeverTakenForWhole) {
  const std::vector<TarEntry> files = {{.name = "journal/a", .contents = "one"},
                                       {.name = "journal/b", .contents = std::string(3000, 'b')}};
  const std::string path = Bundle(ManifestOf(files), files);
  const std::string whole = ReadTestFile(path);
  const auto expected = UnpackBundle(path, "");
  ASSERT_TRUE(expected.ok()) << expected.status();
  // After the last file there are only zeros and a checksum.
  for (size_t length = 0; length < whole.size() - 16; ++length) {
    WriteTestFile(path, whole.substr(0, length));
    EXPECT_FALSE(UnpackBundle(path, "").ok()) << length;
  }
  engine::Prng prng(2);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole;
    damaged[prng.Below(damaged.size())] ^= static_cast<char>(1 << prng.Below(8));
    WriteTestFile(path, damaged);
    const auto unpacked = UnpackBundle(path, "");
    EXPECT_TRUE(!unpacked.ok() || *unpacked == *expected) << i;
  }
}

}  // namespace
}  // namespace tools
