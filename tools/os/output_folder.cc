#include "tools/os/output_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tools {
namespace {

constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr mode_t kMode = 0755;

absl::Status CannotOpen(const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot open '", path, "'"));
}

}  // namespace

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFolder::~OutputFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

absl::StatusOr<OutputFolder> OutputFolder::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), kFlags);
  if (descriptor < 0) return CannotOpen(path);
  return OutputFolder(path, descriptor);
}

absl::StatusOr<OutputFolder> OutputFolder::OpenItself(const std::string& path) {
  return OpenItself(AT_FDCWD, path, path);
}

absl::StatusOr<OutputFolder> OutputFolder::Subfolder(const std::string& name) const {
  const std::string path = absl::StrCat(path_, "/", name);
  if (::mkdirat(descriptor_, name.c_str(), kMode) != 0 && errno != EEXIST) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make '", path, "'"));
  }
  return OpenItself(descriptor_, name, path);
}

absl::StatusOr<OutputFolder> OutputFolder::OpenItself(int parent, const std::string& name,
                                                      const std::string& path) {
  const int descriptor = ::openat(parent, name.c_str(), kFlags | O_NOFOLLOW);
  if (descriptor >= 0) return OutputFolder(path, descriptor);
  if (errno != ELOOP && errno != ENOTDIR) return CannotOpen(path);
  return absl::FailedPreconditionError(absl::StrCat("'", path, "' is not a folder itself"));
}

absl::StatusOr<OutputFolder> OutputFolder::Again() const {
  const int descriptor = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return CannotOpen(path_);
  return OutputFolder(path_, descriptor);
}

absl::Status MakeNewFolder(const std::string& path) {
  if (::mkdir(path.c_str(), kMode) == 0) return absl::OkStatus();
  if (errno == EEXIST) return absl::AlreadyExistsError(absl::StrCat(path, " is there already"));
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot make '", path, "'"));
}

absl::Status CheckNothingIsAt(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(absl::StrCat(path, " is there already"));
}

absl::Status RenameFolder(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("rename ", from, " to ", to));
  }
  const std::filesystem::path absolute = std::filesystem::absolute(to).lexically_normal();
  const std::string parent = absolute.parent_path().string();
  const int descriptor = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, absl::StrCat("open ", parent));
  const int synced = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (synced != 0) return absl::ErrnoToStatus(error, absl::StrCat("fsync ", parent));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<TemporaryDirectory>> TemporaryDirectory::Make() {
  const char* base = std::getenv("TMPDIR");
  std::string path =
      absl::StrCat(base != nullptr && *base != '\0' ? base : "/tmp", "/ticktape-XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make a folder like '", path, "'"));
  }
  return std::unique_ptr<TemporaryDirectory>(new TemporaryDirectory(std::move(path)));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // What cannot be removed is left to the system's cleanup.
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tools
