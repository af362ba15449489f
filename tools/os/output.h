// A file that is being written, and appears under its name only when it is whole. The one way in
// which the program's verbs write files; journals have their own (journal/storage).
//
//   Create ─► .NAME.5b1c90e2f3a7d846.tmp ─► Finish ─► NAME
//                         └──► destroyed without: deleted
//
// Nothing that was there is written into, and no link is followed: the temporary file is a new one
// with a name that cannot be guessed, in a folder that is held open; the name itself is given by a
// rename within that folder.

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

// Not thread-safe: owned by whoever writes. Failure is sticky.
class Output {
 public:
  // Errors: ALREADY_EXISTS unless `replace`; FAILED_PRECONDITION where it would replace something
  // else than a regular file; others name the path and the reason.
  static absl::StatusOr<std::unique_ptr<Output>> Create(const std::string& path, bool replace);
  // A new file in `folder`, which may be gone before it.
  static absl::StatusOr<std::unique_ptr<Output>> CreateIn(const OutputFolder& folder,
                                                          const std::string& name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void Write(absl::string_view text);

  // Durable when it returns. Errors: the first that occurred, now or earlier; ALREADY_EXISTS where
  // the name was taken meanwhile and is not to be replaced.
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
  std::FILE* file_ = nullptr;  // Null before it is opened, and once finished.
  int error_ = 0;              // The first errno.
};

}  // namespace tools

#endif  // TOOLS_OS_OUTPUT_H_
