#include "tools/os/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tools {
namespace {

// Small enough that the data is still in the L2 cache when it is parsed.
constexpr size_t kBufferBytes = 64 << 10;

// A signal that arrives just before a wait begins does not end it, so waits are this short.
constexpr int kWaitMillisMax = 100;

absl::Status Failure(int error, const std::string& name, absl::string_view what) {
  if (error == ENOENT) return absl::NotFoundError(absl::StrCat("'", name, "': no such file"));
  if (error == EACCES) {
    return absl::PermissionDeniedError(absl::StrCat("'", name, "': this user may not read it"));
  }
  return absl::ErrnoToStatus(error, absl::StrCat(what, " '", name, "'"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Input>> Input::Open(const std::string& path) {
  const bool is_standard = path == "-";
  const int descriptor = is_standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Failure(errno, path, "cannot open");
  struct stat info = {};
  if (fstat(descriptor, &info) != 0) return Failure(errno, path, "cannot inspect");
  if (S_ISDIR(info.st_mode)) {
    close(descriptor);
    return absl::FailedPreconditionError(absl::StrCat("'", path, "' is a directory, not a file"));
  }
  const uint64_t size = S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
  return std::unique_ptr<Input>(new Input(descriptor, is_standard ? "standard input" : path, size));
}

absl::StatusOr<std::unique_ptr<Input>> Input::OpenUntilInterrupt(const std::string& path) {
  absl::StatusOr<std::unique_ptr<Input>> input = Open(path);
  // After open(), which would fail if a signal arrived while it waits for the writer of a FIFO.
  if (input.ok()) (*input)->interrupt_.emplace();
  return input;
}

Input::Input(int descriptor, std::string name, uint64_t size_bytes)
    : descriptor_(descriptor),
      name_(std::move(name)),
      size_bytes_(size_bytes),
      buffer_(kBufferBytes) {}

Input::~Input() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

absl::StatusOr<engine::Bytes> Input::Read() {
  ssize_t count = 0;
  do {
    while (interrupt_.has_value() && !IsReady(kWaitMillisMax)) {
    }
    if (interrupted()) return engine::Bytes();
    count = read(descriptor_, buffer_.data(), buffer_.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return Failure(errno, name_, "cannot read");
  return engine::Bytes(buffer_.data(), static_cast<size_t>(count));
}

bool Input::IsReady(int millis) const {
  while (!interrupted()) {
    const int wait = interrupt_.has_value() ? std::min(millis, kWaitMillisMax) : millis;
    pollfd poll_entry = {.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (poll(&poll_entry, 1, wait) > 0) return true;
    millis -= wait;
    if (millis <= 0) return interrupted();
  }
  return true;
}

}  // namespace tools
