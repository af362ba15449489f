// A folder that files are written into, held open: what becomes of its path later changes nothing.

#ifndef TOOLS_OS_OUTPUT_FOLDER_H_
#define TOOLS_OS_OUTPUT_FOLDER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tools {

// Not thread-safe; movable.
class OutputFolder {
 public:
  // One that is there. The links on the way to it are followed, as the user named them.
  static absl::StatusOr<OutputFolder> Open(const std::string& path);
  // The same, but `path` itself is no link.
  static absl::StatusOr<OutputFolder> OpenItself(const std::string& path);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  // One in it, which is made if it is not there. Errors: FAILED_PRECONDITION where a link or
  // something else has that name.
  absl::StatusOr<OutputFolder> Subfolder(const std::string& name) const;

  // Another hold on the same folder.
  absl::StatusOr<OutputFolder> Again() const;

  const std::string& path() const { return path_; }  // As it was named, for messages.
  int descriptor() const { return descriptor_; }

 private:
  OutputFolder(std::string path, int descriptor);

  std::string path_;
  int descriptor_;  // Below zero once moved from.
};

// A new folder. Errors: ALREADY_EXISTS where anything has that name, a link to a folder, too.
absl::Status MakeNewFolder(const std::string& path);

}  // namespace tools

#endif  // TOOLS_OS_OUTPUT_FOLDER_H_
