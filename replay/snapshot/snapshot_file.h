// A snapshot on disk: the state of a machine after one record, in parts that are each compressed
// and hashed.
//
//   header 256 │ part 32 │ zstd frame │ part 32 │ zstd frame │ … │ footer 64   (bytes)
//      hash ──────► hash ────────────────► hash ──────────────────► hash
//
// Limits: one part has at most 16 MiB (kSnapshotPartBytesMax). All parts of the state after n
// records have at most S = 16 MiB + 4096 n bytes in total, and S + S/128 + 1 KiB as stored. The
// file adds its header and footer.
//
// Every hash (XXH3-128) covers the one before it, so that a lost, swapped or foreign part is
// detected. The footer is at the end of the file and contains its length. Integers are
// little-endian. The structs in the .cc define the layout; engine/state/snapshot.capnp defines the
// parts.

#ifndef REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_
#define REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/digest_sidecar.h"
#include "journal/format/compression.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace replay {

// Identifies the state: its journal, its record and its digests. A regular value type.
struct SnapshotHeader {
  journal::Uuid journal_uuid = {};
  engine::SequenceNumber sequence = {};  // The last record applied; ends a run of 4096.
  engine::Timestamp time = {};           // Of that record.
  engine::Digest log = {};               // The chains after that record, as in the sidecar.
  engine::Digest trace = {};
  engine::Digest state = {};
  uint64_t event_count = 0;  // From the start of the log.
  uint32_t semantics_version = 0;
  std::string engine = {};  // The machine's name; at most 23 bytes.
  std::string build = {};   // The program that wrote it; cut off after 103 bytes.

  friend bool operator==(const SnapshotHeader&, const SnapshotHeader&) = default;
};

// The sidecar's checkpoint for the same record.
inline journal::Checkpoint CheckpointOf(const SnapshotHeader& header) {
  return {
      .sequence = header.sequence, .log = header.log, .trace = header.trace, .state = header.state};
}

inline constexpr uint32_t kSnapshotFormatVersion = 1;

// Not thread-safe. After an error the file is unusable.
class SnapshotFileWriter {
 public:
  // Creates the file `name`, which must not exist.
  static absl::StatusOr<std::unique_ptr<SnapshotFileWriter>> Create(journal::Directory& directory,
                                                                    absl::string_view name,
                                                                    const SnapshotHeader& header);
  // Called only by Create().
  explicit SnapshotFileWriter(std::unique_ptr<journal::File> file) : file_(std::move(file)) {}

  absl::Status Add(engine::Bytes part);

  // Writes the footer and syncs.
  absl::Status Finish();

 private:
  absl::Status Write(engine::Bytes bytes);

  const std::unique_ptr<journal::File> file_;
  journal::Compressor compressor_{/*level=*/1};
  std::vector<std::byte> frame_;
  uint64_t end_ = 0;
  uint32_t part_count_ = 0;
  engine::Digest chain_;
};

// Not thread-safe.
class SnapshotFileReader {
 public:
  // Checks header and footer. Any bytes are safe. Errors: NOT_FOUND, DATA_LOSS (what, where, what
  // was expected), UNIMPLEMENTED (a newer format), the storage's; all name the file.
  static absl::StatusOr<std::unique_ptr<SnapshotFileReader>> Open(
      const journal::Directory& directory, absl::string_view name);
  // Called only by Open().
  SnapshotFileReader(std::unique_ptr<journal::File> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  const SnapshotHeader& header() const { return header_; }
  // The last part's hash, which identifies the whole content.
  const engine::Digest& content() const { return content_; }
  uint64_t file_bytes() const { return file_bytes_; }

  // Returns the next part, valid until the next call; nullopt after the last. Errors: as Open().
  absl::StatusOr<std::optional<engine::Bytes>> Next();

 private:
  absl::Status ReadEnds();
  absl::Status ReadAt(uint64_t offset, engine::MutableBytes into) const;
  absl::Status Damaged(uint64_t offset, absl::string_view what) const;

  const std::unique_ptr<journal::File> file_;
  const std::string name_;
  journal::Decompressor decompressor_;
  SnapshotHeader header_;
  engine::Digest content_;
  uint64_t file_bytes_ = 0;
  uint64_t part_count_ = 0;

  uint64_t offset_ = 0;  // Of the next part.
  uint64_t next_part_ = 0;
  uint64_t state_bytes_left_ = 0;  // Limit for the remaining parts, decompressed.
  engine::Digest chain_;
  std::vector<std::byte> stored_;
  std::vector<std::byte> part_;
};

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_
