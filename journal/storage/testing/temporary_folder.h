// A folder of the operating system for tests, their data, and which directories are synced.

#ifndef JOURNAL_STORAGE_TESTING_TEMPORARY_FOLDER_H_
#define JOURNAL_STORAGE_TESTING_TEMPORARY_FOLDER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace journal {

// Removes itself and its content when it is destroyed. Names are paths in it. CHECKs that each call
// succeeds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string At(absl::string_view name) const;

  void MakeFolder(absl::string_view name) const;
  void MakeLink(absl::string_view name, absl::string_view target) const;
  // A copy of the folder `from` and its content; links in it, as Bazel makes them for data, are
  // followed.
  void Copy(absl::string_view from, absl::string_view name) const;
  void Rename(absl::string_view from, absl::string_view to) const;

 private:
  std::string path_;
};

// A file of the test's data, which may be a link of Bazel's; empty if there is none.
std::string ReadData(const std::string& path);

// Whether `call` syncs the directory at `path`, by fsync. Not thread-safe.
bool SyncsDirectory(const std::string& path, absl::FunctionRef<void()> call);

}  // namespace journal

#endif  // JOURNAL_STORAGE_TESTING_TEMPORARY_FOLDER_H_
