#include "journal/storage/posix_storage.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace journal {
namespace {

using ::testing::HasSubstr;

// Whether this system cannot rename without replacing.
bool no_replace_is_unknown = false;

extern "C" int renameat2(int from_directory, const char* from, int to_directory, const char* to,
                         unsigned flags) noexcept {
  if (flags != 0 && no_replace_is_unknown) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
}

class PosixStorageTest : public ::testing::Test {
 protected:
  PosixStorageTest() {
    path_ =
        absl::StrCat(::testing::TempDir(), "/",
                     ::testing::UnitTest::GetInstance()->current_test_info()->name(), ".journal");
  }

  std::unique_ptr<Directory> Make() {
    return OpenPosixDirectory(path_, DirectoryMode::kCreate).value();
  }

  std::string path_;
};

std::string TextOf(const File& file, uint64_t offset, size_t bytes) {
  std::vector<std::byte> buffer(bytes);
  const size_t count = file.Read(offset, buffer).value();
  return std::string(engine::AsText(engine::Bytes(buffer).first(count)));
}

TEST_F(PosixStorageTest, WhatIsWrittenIsReadBack) {
  const auto directory = Make();
  const auto file = directory->Create("a").value();
  ASSERT_TRUE(file->Write(5, engine::AsBytes("tape")).ok());
  ASSERT_TRUE(file->Write(0, engine::AsBytes("tick-")).ok());
  EXPECT_EQ(TextOf(*file, 0, 100), "tick-tape");
  EXPECT_EQ(TextOf(*file, 4, 2), "-t");
  EXPECT_EQ(TextOf(*file, 100, 2), "");
  EXPECT_EQ(file->Size().value(), 9u);
  ASSERT_TRUE(file->Truncate(4).ok());
  ASSERT_TRUE(file->Sync().ok());
  ASSERT_TRUE(file->Close().ok());
  EXPECT_EQ(TextOf(*directory->OpenForRead("a").value(), 0, 100), "tick");
}

TEST_F(PosixStorageTest, NamesAreCreatedRenamedRemovedAndListed) {
  const auto directory = Make();
  ASSERT_TRUE(directory->Create("b").ok());
  ASSERT_TRUE(directory->Create("a").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(directory->Create("a").status()));
  ASSERT_TRUE(directory->Rename("b", "c").ok());
  EXPECT_TRUE(absl::IsNotFound(directory->Rename("b", "d")));
  EXPECT_EQ(directory->List().value(), (std::vector<std::string>{"a", "c"}));
  ASSERT_TRUE(directory->Remove("a").ok());
  ASSERT_TRUE(directory->Sync().ok());
  EXPECT_EQ(directory->List().value(), (std::vector<std::string>{"c"}));
  EXPECT_TRUE(absl::IsNotFound(directory->OpenForRead("a").status()));
  EXPECT_TRUE(absl::IsNotFound(directory->OpenForWrite("a").status()));
  EXPECT_TRUE(absl::IsNotFound(directory->Remove("a")));
}

TEST_F(PosixStorageTest, ARenameReplacesOnlyOnRequest) {
  const auto directory = Make();
  for (const bool file_system_knows : {true, false}) {
    no_replace_is_unknown = !file_system_knows;
    for (const char* name : {"a", "b"}) {
      ASSERT_TRUE(directory->Create(name).value()->Write(0, engine::AsBytes(name)).ok());
    }
    EXPECT_TRUE(absl::IsAlreadyExists(directory->Rename("a", "b")));
    EXPECT_EQ(TextOf(*directory->OpenForRead("b").value(), 0, 9), "b");
    ASSERT_TRUE(directory->Rename("a", "c").ok());
    ASSERT_TRUE(directory->Replace("c", "b").ok());
    EXPECT_EQ(TextOf(*directory->OpenForRead("b").value(), 0, 9), "a");
    ASSERT_TRUE(directory->Remove("b").ok());
    EXPECT_TRUE(directory->List()->empty());
  }
  no_replace_is_unknown = false;
}

// Its path is resolved once: afterwards it may mean another directory, or none.
TEST_F(PosixStorageTest, ADirectoryStaysTheOneThatWasOpened) {
  const auto directory = Make();
  ASSERT_TRUE(directory->Create("a").ok());
  std::filesystem::rename(path_, path_ + ".old");
  const auto other = Make();
  const auto lock = directory->Lock();
  ASSERT_TRUE(lock.ok());
  EXPECT_TRUE(other->Lock().ok()) << "another directory has its own lock";
  EXPECT_EQ(directory->List().value(), (std::vector<std::string>{"a"}));
  ASSERT_TRUE(directory->Create("b").ok());
  ASSERT_TRUE(directory->OpenForWrite("b").ok());
  ASSERT_TRUE(directory->Rename("b", "c").ok());
  ASSERT_TRUE(directory->Replace("a", "c").ok());
  ASSERT_TRUE(directory->Sync().ok());
  EXPECT_TRUE(other->List()->empty());
  EXPECT_EQ(directory->List().value(), (std::vector<std::string>{"c"}));
  ASSERT_TRUE(directory->Remove("c").ok());
  EXPECT_TRUE(directory->List()->empty());
  const auto moved = OpenPosixDirectory(path_ + ".old", DirectoryMode::kReadWrite).value();
  EXPECT_TRUE(absl::IsUnavailable(moved->Lock().status())) << "the lock moved with it";
}

// No file represents the lock, so none can be deleted or replaced.
TEST_F(PosixStorageTest, NoFileRepresentsALock) {
  const auto directory = Make();
  const auto lock = directory->Lock();
  const auto maintenance = directory->LockForMaintenance();
  ASSERT_TRUE(lock.ok());
  ASSERT_TRUE(maintenance.ok());
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    std::filesystem::remove(entry.path());
  }
  const auto again = OpenPosixDirectory(path_, DirectoryMode::kReadWrite).value();
  EXPECT_TRUE(absl::IsUnavailable(again->Lock().status()));
  EXPECT_TRUE(absl::IsUnavailable(again->LockForMaintenance().status()));
}

TEST_F(PosixStorageTest, MaintenanceHasALockOfItsOwn) {
  const auto directory = Make();
  const auto again = OpenPosixDirectory(path_, DirectoryMode::kReadWrite).value();
  {
    const auto writer = directory->Lock();
    const auto maintenance = again->LockForMaintenance();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(maintenance.ok()) << "while a writer runs";
    EXPECT_TRUE(absl::IsUnavailable(directory->LockForMaintenance().status()));
    EXPECT_TRUE(absl::IsUnavailable(again->LockForMaintenance().status()));
  }
  EXPECT_TRUE(directory->LockForMaintenance().ok());
}

// Opening a pipe for reading would wait for a writer.
TEST_F(PosixStorageTest, OpensRegularFilesOnly) {
  const auto directory = Make();
  ASSERT_TRUE(directory->Create("file").ok());
  ASSERT_EQ(::symlink("file", (path_ + "/link").c_str()), 0);
  ASSERT_EQ(::symlink("gone", (path_ + "/nowhere").c_str()), 0);
  ASSERT_EQ(::mkfifo((path_ + "/pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir((path_ + "/folder").c_str(), 0700), 0);
  EXPECT_EQ(*directory->List(), std::vector<std::string>{"file"});
  const std::vector<std::string> others = {"folder", "link", "nowhere", "pipe"};
  EXPECT_EQ(*directory->ListOthers(), others);
  for (const std::string& name : others) {
    EXPECT_TRUE(absl::IsDataLoss(directory->OpenForRead(name).status())) << name;
    EXPECT_TRUE(absl::IsDataLoss(directory->OpenForWrite(name).status())) << name;
    EXPECT_TRUE(absl::IsAlreadyExists(directory->Create(name).status())) << name;
  }
  EXPECT_TRUE(absl::IsNotFound(directory->OpenForRead("none").status()));
}

TEST_F(PosixStorageTest, OneWriterAtATime) {
  const auto directory = Make();
  const auto again = OpenPosixDirectory(path_ + "/", DirectoryMode::kReadWrite).value();
  {
    const auto lock = directory->Lock();
    ASSERT_TRUE(lock.ok());
    EXPECT_TRUE(absl::IsUnavailable(again->Lock().status()));
  }
  EXPECT_TRUE(again->Lock().ok());
}

TEST_F(PosixStorageTest, CreatingNeedsAnEmptyDirectory) {
  const auto directory = Make();
  EXPECT_TRUE(OpenPosixDirectory(path_, DirectoryMode::kCreate).ok());
  ASSERT_TRUE(directory->Create("a").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(OpenPosixDirectory(path_, DirectoryMode::kCreate).status()));
  const absl::Status file =
      OpenPosixDirectory(absl::StrCat(path_, "/a"), DirectoryMode::kCreate).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(file)) << file;
}

TEST_F(PosixStorageTest, ALockLeavesTheDirectoryEmpty) {
  const auto directory = Make();
  ASSERT_TRUE(directory->Lock().ok());
  EXPECT_TRUE(OpenPosixDirectory(path_, DirectoryMode::kCreate).ok());
}

TEST_F(PosixStorageTest, AFirstSegmentThatWasSetAsideLeavesTheDirectoryEmpty) {
  const auto directory = Make();
  ASSERT_TRUE(directory->Create("segment-000000.torn.1").ok());
  EXPECT_TRUE(OpenPosixDirectory(path_, DirectoryMode::kCreate).ok());
  ASSERT_TRUE(directory->Create("segment-000000.tape").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(OpenPosixDirectory(path_, DirectoryMode::kCreate).status()));
}

TEST_F(PosixStorageTest, ReadsPastTheCacheReturnWhatWasSynced) {
  const auto directory = Make();
  const auto file = directory->Create("a").value();
  const std::vector<std::byte> bytes(10'000, std::byte{7});
  ASSERT_TRUE(file->Write(0, bytes).ok());
  ASSERT_TRUE(file->Sync().ok());
  file->DropCache();
  std::vector<std::byte> read(bytes.size() + 1);
  EXPECT_EQ(file->Read(0, read).value(), bytes.size());
  read.pop_back();
  EXPECT_EQ(read, bytes);
}

// Pages of a file in memory are on no device.
TEST_F(PosixStorageTest, TheCacheOfAFileInMemoryCannotBeDropped) {
  std::string path = "/dev/shm/ticktape-XXXXXX";
  ASSERT_NE(::mkdtemp(path.data()), nullptr);
  const auto directory = OpenPosixDirectory(path, DirectoryMode::kReadWrite).value();
  const auto file = directory->Create("a").value();
  EXPECT_TRUE(file->DropCache()) << "the file is empty";
  ASSERT_TRUE(file->Write(0, std::vector<std::byte>(5'000, std::byte{7})).ok());
  ASSERT_TRUE(file->Sync().ok());
  EXPECT_FALSE(file->DropCache());
  std::filesystem::remove_all(path);
}

TEST_F(PosixStorageTest, PartsAreWrittenOneAfterTheOther) {
  const auto directory = Make();
  const auto file = directory->Create("a").value();
  std::vector<std::byte> expected;
  std::vector<engine::Bytes> parts;
  std::vector<std::vector<std::byte>> owned;
  for (size_t i = 0; i < 200; ++i) owned.emplace_back(i, static_cast<std::byte>(i));
  for (const auto& part : owned) {
    parts.emplace_back(part);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  ASSERT_TRUE(file->WriteParts(0, parts).ok());
  std::vector<std::byte> found(expected.size());
  EXPECT_EQ(file->Read(0, found).value(), expected.size());
  EXPECT_EQ(found, expected);
}

TEST_F(PosixStorageTest, OpeningNeedsADirectory) {
  EXPECT_TRUE(absl::IsNotFound(OpenPosixDirectory(path_, DirectoryMode::kReadOnly).status()));
  EXPECT_TRUE(absl::IsNotFound(OpenPosixDirectory(path_, DirectoryMode::kReadWrite).status()));
}

TEST_F(PosixStorageTest, ReadOnlyChangesNothing) {
  ASSERT_TRUE(Make()->Create("a").ok());
  const auto directory = OpenPosixDirectory(path_, DirectoryMode::kReadOnly).value();
  EXPECT_TRUE(directory->OpenForRead("a").ok());
  EXPECT_FALSE(directory->OpenForWrite("a").ok());
  EXPECT_FALSE(directory->Create("b").ok());
  EXPECT_FALSE(directory->Rename("a", "b").ok());
  EXPECT_FALSE(directory->Remove("a").ok());
  EXPECT_FALSE(directory->Lock().ok());
  EXPECT_FALSE(directory->LockForMaintenance().ok());
  EXPECT_FALSE(directory->Replace("a", "b").ok());
  EXPECT_EQ(directory->List().value(), (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace journal
