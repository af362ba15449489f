// A few files in one: a tar that zstd has compressed, as `tar --zstd -xf` opens it.
//
//   zstd │ ustar header 512 │ contents, filled up to 512 │ header │ … │ 1024 zeros │ checksum
//
// What is written is the plainest form there is. What is read may come from anyone: libarchive
// takes it apart, and whatever is no plain file is refused here, before its name is looked at by
// anybody.

#ifndef TOOLS_CLI_BUNDLE_ARCHIVE_H_
#define TOOLS_CLI_BUNDLE_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/cli/bundle/tar_header.h"

namespace tools {

// Not thread-safe. The file appears under its name with Finish(); without, nothing is left.
class ArchiveWriter {
 public:
  // Errors: ALREADY_EXISTS unless `replace`, others name the path. `seconds` since 1970 is the time
  // that every file in it carries.
  static absl::StatusOr<std::unique_ptr<ArchiveWriter>> Create(const std::string& path,
                                                               bool replace, uint64_t seconds);
  // For Create().
  struct Tools;
  explicit ArchiveWriter(std::unique_ptr<Tools> tools);
  ~ArchiveWriter();

  // The next file, of exactly `bytes` bytes, which Write() then gives.
  // REQUIRES: the one before is whole; the name is no longer than kArchiveNameBytesMax.
  void Begin(absl::string_view name, uint64_t bytes);
  void Write(engine::Bytes bytes);

  // Errors: whatever went wrong, now or earlier.
  absl::Status Finish();

 private:
  void Compress(engine::Bytes bytes, bool is_last);

  const std::unique_ptr<Tools> tools_;
  uint64_t left_ = 0;     // Of the file that was begun.
  uint64_t padding_ = 0;  // Behind it.
};

struct ArchiveEntry {
  std::string name;  // As the archive says: any bytes.
  uint64_t bytes = 0;
};

// Not thread-safe. Any bytes are safe.
class ArchiveReader {
 public:
  // Errors: NOT_FOUND, DATA_LOSS (no such archive), with the path.
  static absl::StatusOr<std::unique_ptr<ArchiveReader>> Open(const std::string& path);
  // For Open().
  struct Tools;
  explicit ArchiveReader(std::unique_ptr<Tools> tools);
  ~ArchiveReader();

  // The next file; nothing behind the last. Errors: DATA_LOSS, also for what is no plain file.
  absl::StatusOr<std::optional<ArchiveEntry>> Next();

  // Contents of the file; 0 at its end. Errors: DATA_LOSS.
  absl::StatusOr<size_t> Read(engine::MutableBytes into);

  uint64_t archive_bytes() const;

 private:
  absl::Status Damaged(absl::string_view what) const;

  const std::unique_ptr<Tools> tools_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_ARCHIVE_H_
