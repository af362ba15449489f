#include "journal/storage/file_operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

// Never modified, but not const: a const array would add 1 MiB to the executable.
constinit std::array<std::byte, 1 << 20> zeros = {};

constexpr size_t kCopyBytes = 1 << 20;

absl::Status CopyToNew(Directory& directory, const File& file, uint64_t begin, uint64_t end,
                       const std::string& name) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> torn, directory.Create(name));
  RETURN_IF_ERROR(CopyBytes(file, begin, end, 0, *torn));
  return torn->Sync();
}

}  // namespace

absl::Status WriteZeros(File& file, uint64_t begin, uint64_t end) {
  while (begin < end) {
    const uint64_t bytes = std::min<uint64_t>(end - begin, zeros.size());
    RETURN_IF_ERROR(file.Write(begin, engine::Bytes(zeros).first(bytes)));
    begin += bytes;
  }
  return absl::OkStatus();
}

absl::Status CopyBytes(const File& from, uint64_t begin, uint64_t end, uint64_t to_offset,
                       File& to) {
  std::vector<std::byte> buffer(std::min<uint64_t>(kCopyBytes, end - begin));
  while (begin < end) {
    const engine::MutableBytes part(buffer.data(), std::min<uint64_t>(buffer.size(), end - begin));
    ASSIGN_OR_RETURN(const size_t bytes, from.Read(begin, part));
    if (bytes == 0) return absl::UnavailableError("a file became shorter while it was copied");
    RETURN_IF_ERROR(to.Write(to_offset, part.first(bytes)));
    begin += bytes;
    to_offset += bytes;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> UnusedTornName(const Directory& directory,
                                           absl::string_view file_name) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  const std::string stem = absl::StrCat(file_name.substr(0, file_name.rfind('.')), ".torn.");
  uint64_t number = 1;
  while (std::ranges::count(names, absl::StrCat(stem, number)) != 0) ++number;
  return absl::StrCat(stem, number);
}

absl::StatusOr<std::string> SetAside(Directory& directory, const File& file,
                                     absl::string_view file_name, uint64_t begin, uint64_t end) {
  ASSIGN_OR_RETURN(std::string name, UnusedTornName(directory, file_name));
  const absl::Status copied = CopyToNew(directory, file, begin, end, name);
  if (!copied.ok()) {
    // On a full disk, for example, each attempt would leave one more partial copy. The original is
    // still there, and the caller needs the first error.
    directory.Remove(name).IgnoreError();
    return copied;
  }
  RETURN_IF_ERROR(directory.Sync());
  return name;
}

absl::StatusOr<std::unique_ptr<File>> ReplaceFile(Directory& directory, absl::string_view temporary,
                                                  absl::string_view name,
                                                  absl::FunctionRef<absl::Status(File&)> write) {
  const absl::Status removed = directory.Remove(temporary);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.Create(temporary));
  absl::Status status = write(*file);
  if (status.ok()) status = file->Sync();
  if (!status.ok()) {
    directory.Remove(temporary).IgnoreError();
    return status;
  }
  RETURN_IF_ERROR(directory.Replace(temporary, name));
  RETURN_IF_ERROR(directory.Sync());
  return file;
}

}  // namespace journal
