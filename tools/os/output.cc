#include "tools/os/output.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/os/entropy.h"

namespace tools {
namespace {

// Keeps the temporary name, with its prefix and suffix, below 255 bytes.
constexpr size_t kNameBytesShown = 200;

std::string TemporaryName(const std::string& name) {
  return absl::StrCat(".", name.substr(0, kNameBytesShown), ".",
                      absl::Hex(RandomWord(), absl::kZeroPad16), ".tmp");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Output>> Output::Create(const std::string& path, bool replace) {
  const std::filesystem::path whole(path);
  const std::string name = whole.filename().string();
  if (name.empty() || name == "." || name == "..") {
    return absl::InvalidArgumentError(absl::StrCat("'", path, "' does not name a file"));
  }
  const std::string parent = whole.parent_path().string();
  absl::StatusOr<OutputFolder> folder = OutputFolder::Open(parent.empty() ? "." : parent);
  if (!folder.ok()) {
    return absl::Status(folder.status().code(),
                        absl::StrCat("cannot write '", path, "': ", folder.status().message()));
  }
  return Create(*std::move(folder), name, path, replace);
}

absl::StatusOr<std::unique_ptr<Output>> Output::CreateIn(const OutputFolder& folder,
                                                         const std::string& name) {
  ASSIGN_OR_RETURN(OutputFolder held, folder.Again());
  return Create(std::move(held), name, absl::StrCat(folder.path(), "/", name), /*replace=*/false);
}

absl::StatusOr<std::unique_ptr<Output>> Output::Create(OutputFolder folder, std::string name,
                                                       std::string path, bool replace) {
  std::unique_ptr<Output> output(
      new Output(std::move(folder), std::move(name), std::move(path), replace));
  RETURN_IF_ERROR(output->CheckPlace());
  const int descriptor = ::openat(output->folder_.descriptor(), output->temporary_name_.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return output->Failure(errno);
  output->file_ = ::fdopen(descriptor, "w");
  if (output->file_ != nullptr) return output;
  const int error = errno;
  ::close(descriptor);
  ::unlinkat(output->folder_.descriptor(), output->temporary_name_.c_str(), 0);
  return output->Failure(error);
}

Output::Output(OutputFolder folder, std::string name, std::string path, bool replace)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      path_(std::move(path)),
      replace_(replace),
      temporary_name_(TemporaryName(name_)) {}

Output::~Output() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlinkat(folder_.descriptor(), temporary_name_.c_str(), 0);
}

// An early check, before any work is done; Finish() does not rely on it.
absl::Status Output::CheckPlace() const {
  struct stat there = {};
  if (::fstatat(folder_.descriptor(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? absl::OkStatus() : Failure(errno);
  }
  if (!replace_) return absl::AlreadyExistsError(absl::StrCat("'", path_, "' exists already"));
  if (S_ISREG(there.st_mode)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("'", path_, "' is not a regular file, and is not replaced"));
}

absl::Status Output::Failure(int error) const {
  if (error == EEXIST)
    return absl::AlreadyExistsError(absl::StrCat("'", path_, "' exists already"));
  return absl::ErrnoToStatus(error, absl::StrCat("cannot write '", path_, "'"));
}

void Output::Write(absl::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    error_ = errno;
  }
}

absl::Status Output::Finish() {
  const int folder = folder_.descriptor();
  if (error_ == 0 && (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0)) error_ = errno;
  if (error_ == 0 && ::renameat2(folder, temporary_name_.c_str(), folder, name_.c_str(),
                                 replace_ ? 0 : RENAME_NOREPLACE) != 0) {
    error_ = errno;
  }
  if (error_ != 0) return Failure(error_);
  std::fclose(std::exchange(file_, nullptr));
  if (::fsync(folder) != 0) error_ = errno;
  return error_ == 0 ? absl::OkStatus() : Failure(error_);
}

}  // namespace tools
