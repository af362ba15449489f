#include "tools/os/output.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tools {

absl::StatusOr<std::unique_ptr<Output>> Output::Create(const std::string& path, bool replace) {
  if (!replace && access(path.c_str(), F_OK) == 0) {
    return absl::AlreadyExistsError(absl::StrCat("'", path, "' exists already"));
  }
  std::FILE* file = std::fopen((path + ".tmp").c_str(), "we");
  if (file == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot write '", path, "'"));
  }
  return std::unique_ptr<Output>(new Output(path, file));
}

Output::Output(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

Output::~Output() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  unlink(temporary_path().c_str());
}

void Output::Write(absl::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    error_ = errno;
  }
}

absl::Status Output::Finish() {
  if (error_ == 0 && (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0)) error_ = errno;
  if (error_ == 0 && std::rename(temporary_path().c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) return absl::ErrnoToStatus(error_, absl::StrCat("cannot write '", path_, "'"));
  std::fclose(std::exchange(file_, nullptr));
  return absl::OkStatus();
}

}  // namespace tools
