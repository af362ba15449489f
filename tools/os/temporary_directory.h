// A temporary folder.

#ifndef TOOLS_OS_TEMPORARY_DIRECTORY_H_
#define TOOLS_OS_TEMPORARY_DIRECTORY_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace tools {

// The destructor removes it with its contents. Owned by its creator.
class TemporaryDirectory {
 public:
  // Creates it in $TMPDIR, or in /tmp.
  static absl::StatusOr<std::unique_ptr<TemporaryDirectory>> Make();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

}  // namespace tools

#endif  // TOOLS_OS_TEMPORARY_DIRECTORY_H_
