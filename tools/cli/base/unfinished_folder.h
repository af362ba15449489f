// A folder that appears under its name when it is whole, and leaves nothing behind if it never is.
//
//   Create ─► PATH.partial ─► Finish ─► PATH
//                       └──► destroyed without: deleted

#ifndef TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_
#define TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage/storage.h"

namespace tools {

// Not thread-safe: owned by the verb. What writes into it is destroyed before it.
class UnfinishedFolder {
 public:
  // Errors: ALREADY_EXISTS where something is at `path`, or at PATH.partial (a run that was killed
  // leaves it); the storage's.
  static absl::StatusOr<std::unique_ptr<UnfinishedFolder>> Create(const std::string& path);
  ~UnfinishedFolder();

  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  journal::Directory& directory() { return *directory_; }
  // Where it is until then: PATH.partial.
  std::string partial_path() const;

  // Gives it its name. Once.
  absl::Status Finish();

 private:
  UnfinishedFolder(const std::string& path, std::unique_ptr<journal::Directory> directory);

  const std::string path_;
  std::unique_ptr<journal::Directory> directory_;
  bool finished_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_
