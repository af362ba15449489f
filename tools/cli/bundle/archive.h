// Several files in one archive: a zstd-compressed tar, which `tar --zstd -xf` unpacks.
//
//   zstd │ ustar header 512 │ contents, padded to 512 │ header │ … │ 1024 zeros │ checksum
//
// The writer emits the simplest form of the format. The reader takes untrusted input: libarchive
// parses it, and every entry that is not a regular file is rejected here, before its name is used.

#ifndef TOOLS_CLI_BUNDLE_ARCHIVE_H_
#define TOOLS_CLI_BUNDLE_ARCHIVE_H_

#include <archive.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/os/output.h"

namespace tools {

// Not thread-safe. The file appears under its name with Finish(); without it, nothing is left.
class ArchiveWriter {
 public:
  // `seconds` since 1970 is the modification time of every file in the archive. Errors:
  // ALREADY_EXISTS unless `replace`, others name the path.
  static absl::StatusOr<std::unique_ptr<ArchiveWriter>> Create(const std::string& path,
                                                               bool replace, uint64_t seconds);
  // For Create().
  ArchiveWriter(std::unique_ptr<Output> output, uint64_t seconds);

  // Begins the next file, of exactly `bytes` bytes, which calls of Write() supply. REQUIRES: the
  // previous file is complete; the name is no longer than kArchiveNameBytesMax.
  void Begin(absl::string_view name, uint64_t bytes);
  void Write(engine::Bytes bytes);

  // Errors: the first one that occurred, now or earlier.
  absl::Status Finish();

 private:
  void Compress(engine::Bytes bytes, bool is_last);

  const std::unique_ptr<Output> output_;
  const uint64_t seconds_;
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> zstd_;
  std::vector<char> compressed_;
  uint64_t left_ = 0;     // Bytes still to be written of the current file.
  uint64_t padding_ = 0;  // Bytes of padding after it.
};

struct ArchiveEntry {
  std::string name;  // As in the archive: any bytes.
  uint64_t bytes = 0;
};

// Not thread-safe. Any input bytes are safe.
class ArchiveReader {
 public:
  // Errors: NOT_FOUND, DATA_LOSS (not a bundle's archive), with the path.
  static absl::StatusOr<std::unique_ptr<ArchiveReader>> Open(const std::string& path);
  // For Open().
  ArchiveReader(std::string path, uint64_t bytes);

  // Returns the next file; nullopt after the last. Errors: DATA_LOSS, also if the entry is not a
  // regular file.
  absl::StatusOr<std::optional<ArchiveEntry>> Next();

  // Reads contents of the current file: as many bytes as fit, fewer only at its end. Errors:
  // DATA_LOSS.
  absl::StatusOr<size_t> Read(engine::MutableBytes into);

  uint64_t archive_bytes() const { return bytes_; }

 private:
  absl::Status Damaged(absl::string_view what) const;

  const std::string path_;
  const uint64_t bytes_;
  const std::unique_ptr<archive, decltype(&archive_read_free)> reader_;
};

// The header of a file in a tar: one block of 512 bytes, POSIX.1-1988 ("ustar"), with the GNU
// encoding of sizes that POSIX has no digits for.
//
//   name 100 │ mode, user, group 3 * 8 │ size 12 │ time 12 │ checksum 8 │ type 1 │ link 100 │
//   "ustar" …

inline constexpr size_t kTarBlockBytes = 512;
inline constexpr size_t kArchiveNameBytesMax = 99;

// Returns the header of a regular file, readable by everyone. `seconds` since 1970.
// REQUIRES: the name is no longer than kArchiveNameBytesMax; `seconds` are below 2^33.
std::string MakeTarHeader(absl::string_view name, uint64_t bytes, uint64_t seconds);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_ARCHIVE_H_
