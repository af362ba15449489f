// A file that is being written, and appears under its name only when it is whole.

#ifndef TOOLS_OS_OUTPUT_H_
#define TOOLS_OS_OUTPUT_H_

#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Writes PATH.tmp; Finish() renames it to PATH. Without Finish() nothing is left.
// Not thread-safe: owned by whoever writes. Failure is sticky.
class Output {
 public:
  // Errors: ALREADY_EXISTS unless `replace`; others name the path and the reason.
  static absl::StatusOr<std::unique_ptr<Output>> Create(const std::string& path, bool replace);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void Write(absl::string_view text);

  // Errors: whatever went wrong, now or earlier.
  absl::Status Finish();

 private:
  Output(std::string path, std::FILE* file);
  std::string temporary_path() const { return path_ + ".tmp"; }

  const std::string path_;
  std::FILE* file_;  // Null once finished.
  int error_ = 0;    // The first errno.
};

}  // namespace tools

#endif  // TOOLS_OS_OUTPUT_H_
