#include "journal/storage/testing/temporary_folder.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace journal {
namespace {

// The inodes that were synced; null while no caller records them.
std::vector<ino_t>* synced_inodes = nullptr;

}  // namespace

// Replaces the system's function in the whole program.
extern "C" int fsync(int descriptor) {
  struct stat info;
  if (synced_inodes != nullptr && ::fstat(descriptor, &info) == 0) {
    synced_inodes->push_back(info.st_ino);
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

TemporaryFolder::TemporaryFolder() {
  const char* const parent = std::getenv("TEST_TMPDIR");
  path_ = absl::StrCat(parent == nullptr ? "/tmp" : parent, "/folder.XXXXXX");
  CHECK(::mkdtemp(path_.data()) != nullptr);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::At(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

void TemporaryFolder::MakeFolder(absl::string_view name) const {
  CHECK(std::filesystem::create_directories(At(name)));
}

void TemporaryFolder::MakeLink(absl::string_view name, absl::string_view target) const {
  CHECK_EQ(::symlink(At(target).c_str(), At(name).c_str()), 0);
}

void TemporaryFolder::Copy(absl::string_view from, absl::string_view name) const {
  std::filesystem::copy(std::string(from), At(name), std::filesystem::copy_options::recursive);
}

void TemporaryFolder::Rename(absl::string_view from, absl::string_view to) const {
  std::filesystem::rename(At(from), At(to));
}

std::string ReadData(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool SyncsDirectory(const std::string& path, absl::FunctionRef<void()> call) {
  std::vector<ino_t> synced;
  synced_inodes = &synced;
  call();
  synced_inodes = nullptr;
  struct stat info;
  CHECK_EQ(::stat(path.c_str(), &info), 0);
  return std::find(synced.begin(), synced.end(), info.st_ino) != synced.end();
}

}  // namespace journal
