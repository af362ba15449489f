// A file that appears under its name only when it is complete. All verbs write files through this
// class; journals have their own writer (journal/storage).
//
//   Create ─► .NAME.5b1c90e2f3a7d846.tmp ─► Finish ─► NAME
//                         └──► destroyed before Finish: deleted
//
// It writes into no existing file and follows no link: the temporary file is new, has an
// unpredictable name, and is in a folder that is held open; Finish() renames it within that folder.

#ifndef TOOLS_OS_OUTPUT_H_
#define TOOLS_OS_OUTPUT_H_

#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/output_folder.h"

namespace tools {

// Not thread-safe: owned by its writer. Errors are sticky.
class Output {
 public:
  // Errors: ALREADY_EXISTS unless `replace`; FAILED_PRECONDITION if the existing entry is not a
  // regular file; INVALID_ARGUMENT if `path` names no file; others name the path and the reason.
  static absl::StatusOr<std::unique_ptr<Output>> Create(const std::string& path, bool replace);
  // Creates a new file in `folder`, which need not outlive it. Never replaces.
  static absl::StatusOr<std::unique_ptr<Output>> CreateIn(const OutputFolder& folder,
                                                          const std::string& name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void Write(absl::string_view text);

  // Makes the file durable and renames it. Errors: the first one that occurred, now or earlier;
  // ALREADY_EXISTS if another file has taken the name meanwhile and `replace` is false.
  absl::Status Finish();

 private:
  static absl::StatusOr<std::unique_ptr<Output>> Create(OutputFolder folder, std::string name,
                                                        std::string path, bool replace);
  Output(OutputFolder folder, std::string name, std::string path, bool replace);
  absl::Status CheckPlace() const;
  absl::Status Failure(int error) const;

  const OutputFolder folder_;
  const std::string name_;
  const std::string path_;  // For messages.
  const bool replace_;
  const std::string temporary_name_;
  std::FILE* file_ = nullptr;  // Null before it is opened and after Finish().
  int error_ = 0;              // The first errno.
};

}  // namespace tools

#endif  // TOOLS_OS_OUTPUT_H_
