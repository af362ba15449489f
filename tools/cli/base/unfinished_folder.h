// A folder that appears under its name only when it is complete; otherwise it leaves nothing.
//
//   Create ─► PATH.partial ─► Finish ─► PATH
//                       └──► destroyed before Finish: deleted

#ifndef TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_
#define TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage/storage.h"

namespace tools {

// Not thread-safe: owned by the verb. Everything that writes into it is destroyed first.
class UnfinishedFolder {
 public:
  // Errors: ALREADY_EXISTS if anything is at `path` or at PATH.partial (left by a run that was
  // killed); the storage's.
  static absl::StatusOr<std::unique_ptr<UnfinishedFolder>> Create(const std::string& path);
  ~UnfinishedFolder();

  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  journal::Directory& directory() { return *directory_; }
  // Its path until Finish(): PATH.partial.
  std::string partial_path() const;

  // Renames it to its final path. REQUIRES: called once.
  absl::Status Finish();

 private:
  UnfinishedFolder(const std::string& path, std::unique_ptr<journal::Directory> directory);

  const std::string path_;
  std::unique_ptr<journal::Directory> directory_;
  bool finished_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_UNFINISHED_FOLDER_H_
