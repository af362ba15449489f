#include "tools/cli/base/unfinished_folder.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

std::string PartialPath(const std::string& path) { return path + ".partial"; }

}  // namespace

absl::StatusOr<std::unique_ptr<UnfinishedFolder>> UnfinishedFolder::Create(
    const std::string& path) {
  RETURN_IF_ERROR(CheckNothingIsAt(path));
  const absl::Status made = MakeNewFolder(PartialPath(path));
  if (absl::IsAlreadyExists(made)) {
    return absl::AlreadyExistsError(absl::StrCat(
        made.message(), "; another run is writing there, or was killed: then it can be deleted"));
  }
  RETURN_IF_ERROR(made);
  auto directory = journal::OpenPosixDirectory(PartialPath(path), journal::DirectoryMode::kCreate);
  RETURN_IF_ERROR(directory.status());
  return std::unique_ptr<UnfinishedFolder>(new UnfinishedFolder(path, *std::move(directory)));
}

UnfinishedFolder::UnfinishedFolder(const std::string& path,
                                   std::unique_ptr<journal::Directory> directory)
    : path_(path), directory_(std::move(directory)) {}

UnfinishedFolder::~UnfinishedFolder() {
  if (finished_) return;
  directory_.reset();
  // Ignored: the caller already has the error that prevented Finish().
  std::error_code ignored;
  std::filesystem::remove_all(PartialPath(path_), ignored);
}

std::string UnfinishedFolder::partial_path() const { return PartialPath(path_); }

absl::Status UnfinishedFolder::Finish() {
  RETURN_IF_ERROR(RenameFolder(PartialPath(path_), path_));
  finished_ = true;
  return absl::OkStatus();
}

}  // namespace tools
