#include "tools/os/history_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr off_t kReadBytesMax = 64 << 10;
constexpr off_t kFileBytesMax = 256 << 10;

bool IsPlain(absl::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Creates the missing folders above `path`. Errors are left to the opening of the file.
void MakeFolders(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1)) {
    mkdir(path.substr(0, slash).c_str(), 0700);
  }
}

}  // namespace

std::string HistoryPath(absl::string_view name) {
  const auto is_absolute = [](const char* path) { return path != nullptr && *path == '/'; };
  if (const char* state = std::getenv("XDG_STATE_HOME"); is_absolute(state)) {
    return absl::StrCat(state, "/ticktape/", name);
  }
  const char* home = std::getenv("HOME");
  return is_absolute(home) ? absl::StrCat(home, "/.local/state/ticktape/", name) : "";
}

absl::StatusOr<std::unique_ptr<HistoryFile>> HistoryFile::Open(const std::string& path) {
  MakeFolders(path);
  // Does not wait for the reader of a pipe.
  constexpr int kFlags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = open(path.c_str(), kFlags);
  if (descriptor < 0 && errno == ENOENT) {
    descriptor = open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0600);
  }
  if (descriptor < 0) return absl::ErrnoToStatus(errno, path);
  std::unique_ptr<HistoryFile> file(new HistoryFile(path, descriptor));
  RETURN_IF_ERROR(file->Read());
  return file;
}

HistoryFile::~HistoryFile() { close(descriptor_); }

absl::Status HistoryFile::Append(absl::string_view line) {
  return IsPlain(line) ? Write(absl::StrCat(line, "\n")) : absl::OkStatus();
}

absl::Status HistoryFile::Read() {
  struct stat info = {};
  if (fstat(descriptor_, &info) != 0) return absl::ErrnoToStatus(errno, path_);
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat(path_, ": not a regular file"));
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat(path_, ": open to others, expected it to be private: chmod 600 ", path_));
  }
  std::string text(static_cast<size_t>(std::min(info.st_size, kReadBytesMax)), '\0');
  const ssize_t count =
      pread(descriptor_, text.data(), text.size(), info.st_size - static_cast<off_t>(text.size()));
  if (count < 0) return absl::ErrnoToStatus(errno, path_);
  text.resize(static_cast<size_t>(count));
  if (info.st_size > kReadBytesMax) text.erase(0, text.find('\n') + 1);
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (IsPlain(line)) lines_.emplace_back(line);
  }
  if (info.st_size <= kFileBytesMax) return absl::OkStatus();
  if (ftruncate(descriptor_, 0) != 0) return absl::ErrnoToStatus(errno, path_);
  return Write(text);
}

absl::Status HistoryFile::Write(absl::string_view text) const {
  const ssize_t count = write(descriptor_, text.data(), text.size());
  if (count == static_cast<ssize_t>(text.size())) return absl::OkStatus();
  return absl::ErrnoToStatus(count < 0 ? errno : ENOSPC, path_);
}

}  // namespace tools
