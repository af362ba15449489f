#include "tools/cli/bundle/archive.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/bundle/testing/tar.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using Files = std::vector<std::pair<std::string, std::string>>;

std::string Path(const std::string& name) { return absl::StrCat(testing::TempDir(), "/", name); }

void WriteArchive(const std::string& path, const Files& files) {
  const auto archive = ArchiveWriter::Create(path, /*replace=*/true, 1'700'000'000);
  ASSERT_TRUE(archive.ok()) << archive.status();
  for (const auto& [name, contents] : files) {
    (*archive)->Begin(name, contents.size());
    (*archive)->Write(engine::AsBytes(absl::string_view(contents)));
  }
  ASSERT_TRUE((*archive)->Finish().ok());
}

absl::StatusOr<Files> ReadArchive(const std::string& path) {
  const auto archive = ArchiveReader::Open(path);
  if (!archive.ok()) return archive.status();
  Files files;
  while (true) {
    const auto entry = (*archive)->Next();
    if (!entry.ok()) return entry.status();
    if (!entry->has_value()) return files;
    std::string contents;
    std::string piece(1000, '\0');
    while (true) {
      const auto bytes = (*archive)->Read(std::as_writable_bytes(std::span(piece)));
      if (!bytes.ok()) return bytes.status();
      if (*bytes == 0) break;
      contents += piece.substr(0, *bytes);
    }
    files.emplace_back((*entry)->name, contents);
  }
}

absl::StatusOr<Files> ReadBytes(const std::string& bytes) {
  WriteTestFile(Path("bytes"), bytes);
  return ReadArchive(Path("bytes"));
}

TEST(ArchiveTest, WhatIsWrittenIsRead) {
  const Files files = {{"MANIFEST", "one"},
                       {"journal/empty", ""},
                       {"journal/exactly", std::string(512, 'x')},
                       {"journal/long", std::string(1'000'000, 'y')}};
  WriteArchive(Path("round"), files);
  const auto read = ReadArchive(Path("round"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, files);
}

TEST(ArchiveTest, TheSameFilesAreTheSameBytes) {
  WriteArchive(Path("first"), {{"a", "1"}, {"b", "2"}});
  WriteArchive(Path("second"), {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(ReadTestFile(Path("first")), ReadTestFile(Path("second")));
}

// The bytes of the header, as POSIX.1-1988 has them.
TEST(ArchiveTest, AHeaderIsThatOfAnyTar) {
  WriteArchive(Path("header"), {{"journal/a", "12345"}});
  const auto read = ReadBytes(Compressed(MakeTar({{.name = "journal/a", .contents = "12345"}})));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(*read, ElementsAre(Pair("journal/a", "12345")));
}

TEST(ArchiveTest, NothingButPlainFilesIsTaken) {
  for (const char type : {'1', '2', '3', '4', '5', '6'}) {
    const auto read = ReadBytes(
        Compressed(MakeTar({{.name = "journal/a", .type = type, .link = "/etc/passwd"}})));
    EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << type;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr("is not a plain file")) << type;
  }
}

// As far as a manifest lets a file be. Eleven octal digits end at 8 GiB.
TEST(ArchiveTest, AHeaderSaysAnySizeAndNeverASmallerOne) {
  for (const uint64_t bytes :
       {uint64_t{0}, (uint64_t{1} << 33) - 1, uint64_t{1} << 33, (uint64_t{1} << 33) + 5,
        (uint64_t{1} << 36) + 1, uint64_t{1} << 46}) {
    const std::string header = MakeTarHeader("journal/a", bytes, 1'700'000'000);
    WriteTestFile(Path("big"), Compressed(header + std::string(2 * kTarBlockBytes, '\0')));
    const auto archive = ArchiveReader::Open(Path("big"));
    ASSERT_TRUE(archive.ok());
    const auto entry = (*archive)->Next();
    ASSERT_TRUE(entry.ok()) << entry.status();
    EXPECT_EQ((*entry)->name, "journal/a");
    EXPECT_EQ((*entry)->bytes, bytes);
  }
}

TEST(ArchiveTest, ASizeThatIsNoneIsRefused) {
  const std::string negative = std::string(12, '\xff');
  const std::string huge = "\x80" + std::string(3, '\0') + "\x7f" + std::string(7, '\xff');
  const std::string beyond = "\x80" + std::string(11, '\xff');
  for (const std::string& size : {negative, huge, beyond}) {
    const auto read = ReadBytes(Compressed(
        MakeTar({{.name = "journal/a", .contents = "x", .size_field = size.substr(0, 12)}})));
    EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << read.status();
  }
}

TEST(ArchiveTest, AHeaderThatPromisesMoreThanThereIsIsCutOff) {
  const auto read =
      ReadBytes(Compressed(MakeTar({{.name = "journal/a", .contents = "x", .bytes = 100'000}})));
  EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << read.status();
}

// They may name and measure the file that follows, and be as large as they like.
TEST(ArchiveTest, HeadersOfHeadersAreReadWithinLimits) {
  for (const char type : {'x', 'g', 'L', 'K'}) {
    for (const uint64_t bytes : {uint64_t{100'000}, (uint64_t{1} << 33) - 1}) {
      const auto read = ReadBytes(
          Compressed(MakeTar({{.name = "much", .contents = "x", .type = type, .bytes = bytes},
                              {.name = "journal/a", .contents = "1"}})));
      EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << type << read.status();
    }
  }
}

// A hole costs nothing to write, and as much as it says to read.
TEST(ArchiveTest, FilesWithHolesAreRefused) {
  const std::string holes =
      "26 GNU.sparse.numblocks=1\n"
      "29 GNU.sparse.offset=8000000\n"
      "27 GNU.sparse.numbytes=512\n"
      "27 GNU.sparse.size=8000512\n";
  const auto read =
      ReadBytes(Compressed(MakeTar({{.name = "pax", .contents = holes, .type = 'x'},
                                    {.name = "journal/a", .contents = std::string(512, 'x')}})));
  EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(read.status().message()), HasSubstr("is not a plain file"));
}

TEST(ArchiveTest, OtherFormatsAreNotLookedAt) {
  EXPECT_EQ(ReadBytes("PK\x03\x04 a zip").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReadBytes("").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReadBytes(Compressed("no tar at all")).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReadArchive(Path("nowhere")).status().code(), absl::StatusCode::kNotFound);
}

TEST(ArchiveTest, AFileThatIsThereIsNotReplacedUnasked) {
  WriteArchive(Path("there"), {});
  EXPECT_EQ(ArchiveWriter::Create(Path("there"), /*replace=*/false, 0).status().code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(ArchiveTest, CutOffAnywhereItIsAnErrorOrFewerFiles) {
  const std::string whole = Compressed(
      MakeTar({{.name = "a", .contents = std::string(700, 'a')}, {.name = "b", .contents = "b"}}));
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto read = ReadBytes(whole.substr(0, length));
    EXPECT_TRUE(!read.ok() || read->size() <= 2) << length;
  }
}

TEST(ArchiveTest, AFlippedBitIsNeverReadAsIfNothingHadHappened) {
  WriteArchive(Path("flip"), {{"a", std::string(3000, 'a')}, {"b", "bbb"}});
  const std::string whole = ReadTestFile(Path("flip"));
  const auto good = ReadBytes(whole);
  ASSERT_TRUE(good.ok());
  engine::Prng prng(1);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole;
    damaged[prng.Below(damaged.size())] ^= static_cast<char>(1 << prng.Below(8));
    const auto read = ReadBytes(damaged);
    // The frame's header has bits that mean nothing; what they are in is then read as it is.
    EXPECT_TRUE(!read.ok() || *read == *good) << i;
  }
}

}  // namespace
}  // namespace tools
