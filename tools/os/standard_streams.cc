#include "tools/os/standard_streams.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tools {
namespace {

bool IsColourTerminal(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return isatty(descriptor) == 1;
}

}  // namespace

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

bool StandardOutputIsTerminal() { return IsColourTerminal(STDOUT_FILENO); }

bool StandardErrorIsTerminal() { return IsColourTerminal(STDERR_FILENO); }

}  // namespace tools
