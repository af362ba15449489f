#include "tools/os/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tools {
namespace {

absl::Status CheckPrivate(int descriptor, const std::string& path) {
  struct stat info = {};
  if (fstat(descriptor, &info) != 0) return absl::ErrnoToStatus(errno, path);
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": not a regular file"));
  }
  constexpr mode_t kOthers = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  if ((info.st_mode & kOthers) == 0) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat(path, ": readable by others, but it holds secrets: chmod 600 ", path));
}

absl::StatusOr<std::string> ReadAll(int descriptor, const std::string& path, size_t bytes_max) {
  std::string text;
  for (;;) {
    constexpr size_t kPieceBytes = 64 << 10;
    const size_t size = text.size();
    text.resize(size + kPieceBytes);
    const ssize_t count = read(descriptor, &text[size], kPieceBytes);
    if (count < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, path);
    text.resize(size + (count > 0 ? static_cast<size_t>(count) : 0));
    if (count == 0) return text;
    if (text.size() > bytes_max) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": larger than ", bytes_max, " bytes, expected at most these"));
    }
  }
}

}  // namespace

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path, size_t bytes_max) {
  // Does not wait for the writer of a pipe.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, path);
  const absl::Status checked = CheckPrivate(descriptor, path);
  absl::StatusOr<std::string> text =
      checked.ok() ? ReadAll(descriptor, path, bytes_max) : absl::StatusOr<std::string>(checked);
  close(descriptor);
  return text;
}

absl::Status WritePrivateFile(const std::string& path, absl::string_view contents) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, path);
  absl::Status status;
  while (!contents.empty() && status.ok()) {
    const ssize_t count = write(descriptor, contents.data(), contents.size());
    if (count < 0 && errno != EINTR) status = absl::ErrnoToStatus(errno, path);
    contents.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
  }
  if (status.ok() && fsync(descriptor) != 0) status = absl::ErrnoToStatus(errno, path);
  close(descriptor);
  return status;
}

}  // namespace tools
