// The lines that a user typed in earlier runs of a program.

#ifndef TOOLS_OS_HISTORY_FILE_H_
#define TOOLS_OS_HISTORY_FILE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Returns $XDG_STATE_HOME/ticktape/NAME, or ~/.local/state/ticktape/NAME; "" if neither variable
// holds an absolute path.
std::string HistoryPath(absl::string_view name);

// Not thread-safe. Programs that write the same file at the same time add their lines to it.
class HistoryFile {
 public:
  // Creates the file, and the folders above it, for its user alone if they are missing. A file
  // that has grown large is cut to its newest lines. Errors, all with the path: PERMISSION_DENIED
  // if others may read or write it; FAILED_PRECONDITION if it is no regular file; others of the
  // system.
  static absl::StatusOr<std::unique_ptr<HistoryFile>> Open(const std::string& path);
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  // The newest lines before this run, at most 64 KiB, the oldest first. A line that has characters
  // beside printable ASCII is left out: it may be shown on a terminal.
  const std::vector<std::string>& lines() const { return lines_; }

  // Leaves out a line as lines() does. Errors: those of the system, with the path.
  absl::Status Append(absl::string_view line);

 private:
  HistoryFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  absl::Status Read();
  absl::Status Write(absl::string_view text) const;

  const std::string path_;
  const int descriptor_;
  std::vector<std::string> lines_;
};

}  // namespace tools

#endif  // TOOLS_OS_HISTORY_FILE_H_
