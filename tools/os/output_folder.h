// Folders that are written: one to write files into, which is held open, so that later changes of
// its path have no effect; new ones, and their renaming once they are complete; temporary ones.

#ifndef TOOLS_OS_OUTPUT_FOLDER_H_
#define TOOLS_OS_OUTPUT_FOLDER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tools {

// Not thread-safe; movable.
class OutputFolder {
 public:
  // Opens an existing folder. Follows links in `path`.
  static absl::StatusOr<OutputFolder> Open(const std::string& path);
  // The same, but fails with FAILED_PRECONDITION if the last component of `path` is a link.
  static absl::StatusOr<OutputFolder> OpenItself(const std::string& path);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  // Opens the subfolder `name`; creates it if it does not exist. Errors: FAILED_PRECONDITION if a
  // link or another kind of file has that name.
  absl::StatusOr<OutputFolder> Subfolder(const std::string& name) const;

  // Returns a second handle of the same folder.
  absl::StatusOr<OutputFolder> Again() const;

  const std::string& path() const { return path_; }  // As given by the caller, for messages.
  int descriptor() const { return descriptor_; }

 private:
  OutputFolder(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  static absl::StatusOr<OutputFolder> OpenItself(int parent, const std::string& name,
                                                 const std::string& path);

  std::string path_;
  int descriptor_;  // Negative once moved from.
};

// Creates a folder. Errors: ALREADY_EXISTS if anything has that name, including a link to a folder.
absl::Status MakeNewFolder(const std::string& path);

// Errors: ALREADY_EXISTS if anything is at `path`, including a dangling link.
absl::Status CheckNothingIsAt(const std::string& path);

// Renames a folder without replacing; durable on return. Errors: ALREADY_EXISTS if `to` exists,
// others with the path and the reason.
absl::Status RenameFolder(const std::string& from, const std::string& to);

// A temporary folder. The destructor removes it with its contents. Owned by its creator.
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

#endif  // TOOLS_OS_OUTPUT_FOLDER_H_
