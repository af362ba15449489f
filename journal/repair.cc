#include "journal/repair.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "journal/fault.h"
#include "journal/format/preamble.h"

namespace journal {
namespace {

constexpr size_t kCopyBytes = 1 << 20;

absl::StatusOr<std::string> UnusedTornName(const Directory& directory,
                                           const std::string& segment_file) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  const std::string stem = absl::StrCat(absl::StripSuffix(segment_file, ".tape"), ".torn.");
  uint64_t number = 1;
  while (std::find(names.begin(), names.end(), absl::StrCat(stem, number)) != names.end()) {
    ++number;
  }
  return absl::StrCat(stem, number);
}

absl::Status Copy(const File& from, uint64_t begin, uint64_t end, uint64_t to_offset, File& to) {
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

absl::Status CopyTail(Directory& directory, const SegmentState& segment, const File& file,
                      const std::string& name) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> torn, directory.Create(name));
  RETURN_IF_ERROR(Copy(file, segment.end_offset, segment.file_bytes, 0, *torn));
  return torn->Sync();
}

absl::Status SetTailAside(Directory& directory, const SegmentState& segment, const File& file) {
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, segment.file_name));
  const absl::Status copied = CopyTail(directory, segment, file, name);
  if (!copied.ok()) {
    // As on a full disk, where each attempt would leave one more. What it is a copy of is still
    // there, and the reason is the first error.
    directory.Remove(name).IgnoreError();
    return copied;
  }
  return directory.Sync();
}

}  // namespace

absl::StatusOr<RepairedTail> CutTail(Directory& directory, const SegmentState& segment) {
  RepairedTail repaired;
  ASSIGN_OR_RETURN(repaired.file, directory.OpenForWrite(segment.file_name));
  if (segment.tail_not_zero && !JOURNAL_FAULT(kTailNotKept)) {
    RETURN_IF_ERROR(SetTailAside(directory, segment, *repaired.file));
    repaired.bytes_set_aside = segment.file_bytes - segment.end_offset;
  }
  if (segment.preamble->copy_damaged) {
    const uint64_t copy_bytes = segment.preamble->preamble.copy_bytes;
    const uint64_t bad = segment.preamble->damaged_offset;
    const uint64_t good = copy_bytes - bad;
    RETURN_IF_ERROR(Copy(*repaired.file, good, good + copy_bytes, bad, *repaired.file));
  }
  if (segment.file_bytes != segment.end_offset && !JOURNAL_FAULT(kTailNotCut)) {
    RETURN_IF_ERROR(repaired.file->Truncate(segment.end_offset));
  }
  RETURN_IF_ERROR(repaired.file->Sync());
  return repaired;
}

absl::StatusOr<uint64_t> SetSegmentAside(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, segment.file_name));
  RETURN_IF_ERROR(segment.file_bytes == 0 ? directory.Remove(segment.file_name)
                                          : directory.Rename(segment.file_name, name));
  RETURN_IF_ERROR(directory.Sync());
  return segment.file_bytes;
}

}  // namespace journal
