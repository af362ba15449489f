#include "tools/os/standard_streams.h"

#include <unistd.h>

#include <cerrno>

namespace tools {

absl::StatusOr<size_t> ReadStandardInput(engine::MutableBytes into) {
  while (true) {
    const ssize_t got = read(STDIN_FILENO, into.data(), into.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "standard input cannot be read");
  }
}

absl::Status WriteStandardOutput(engine::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::ErrnoToStatus(errno, "standard output cannot be written");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

}  // namespace tools
