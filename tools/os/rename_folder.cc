#include "tools/os/rename_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tools {

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

}  // namespace tools
