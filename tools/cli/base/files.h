// Small files in one piece, folders that appear when they are complete, errors that name a file,
// and the metadata of journals that verbs write.

#ifndef TOOLS_CLI_BASE_FILES_H_
#define TOOLS_CLI_BASE_FILES_H_

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/journal_metadata.h"
#include "journal/storage/storage.h"

namespace tools {

// Errors: NOT_FOUND with the path, also of a folder; INVALID_ARGUMENT if it is larger.
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     size_t bytes_max = std::numeric_limits<size_t>::max());

// The file appears, or is replaced, only when it is complete. Errors: ALREADY_EXISTS unless
// `replace`, the storage's.
absl::Status WriteFile(const std::string& path, absl::string_view contents, bool replace);

// Returns the error with the path before its message.
absl::Status ErrorIn(const std::string& path, const absl::Status& status);

// Of a journal of this program's commands. `created_by` is the command line.
journal::JournalMetadata ExchangeMetadata(const std::string& created_by,
                                          const std::string& time_zone = "");

// Returns `word`, quoted for a shell if necessary.
std::string ShellWord(const std::string& word);

// A folder that appears under its name only when it is complete; otherwise it leaves nothing.
//
//   Create ─► PATH.partial ─► Finish ─► PATH
//                       └──► destroyed before Finish: deleted
//
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

#endif  // TOOLS_CLI_BASE_FILES_H_
