// A snapshot on disk: the state of a machine after one record, in parts that are each compressed
// and hashed.
//
//   header 256 │ part 32 │ zstd frame │ part 32 │ zstd frame │ … │ footer 64
//      hash ──────► hash ────────────────► hash ──────────────────► hash
//
// Bounds: a part has at most 16 MiB (kSnapshotPartBytesMax), all parts of the state after n records
// together 16 MiB + 4096 n bytes, and so much as stored a 128th and 1 KiB more; the file its
// header, that much, and its footer.
//
// Every hash (XXH3-128) covers the one before it, so that no part can be lost, swapped or come from
// elsewhere; the footer stands at the end of the file and says how long that is. Integers are
// little-endian. The layout is that of the structs in the .cc, the parts those of
// engine/core/snapshot.capnp.

#ifndef REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_
#define REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_

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
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/digest_sidecar.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace replay {

// A regular value type: which moment of which log the state is that of.
struct SnapshotHeader {
  journal::Uuid journal_uuid = {};
  engine::SequenceNumber sequence = {};  // The last record applied: the end of a run of 4096.
  engine::Timestamp time = {};           // Of that record.
  engine::Digest log = {};               // Chains after it, as in the sidecar.
  engine::Digest trace = {};
  engine::Digest state = {};
  uint64_t event_count = 0;  // Since the log began.
  uint32_t semantics_version = 0;
  std::string engine = {};  // The machine's name; at most 23 bytes.
  std::string build = {};   // What wrote it; cut off behind 103 bytes.

  friend bool operator==(const SnapshotHeader&, const SnapshotHeader&) = default;
};

// What the sidecar says of the same moment.
inline journal::Checkpoint CheckpointOf(const SnapshotHeader& header) {
  return {
      .sequence = header.sequence, .log = header.log, .trace = header.trace, .state = header.state};
}

inline constexpr uint32_t kSnapshotFormatVersion = 1;

// Not thread-safe. After an error the file is worth nothing.
class SnapshotFileWriter {
 public:
  // Begins `name`, which is not there.
  static absl::StatusOr<std::unique_ptr<SnapshotFileWriter>> Create(journal::Directory& directory,
                                                                    absl::string_view name,
                                                                    const SnapshotHeader& header);
  // For Create().
  explicit SnapshotFileWriter(std::unique_ptr<journal::File> file);
  ~SnapshotFileWriter();

  absl::Status Add(engine::Bytes part);

  // Writes the footer and syncs. The last hash, which stands for the whole content.
  absl::StatusOr<engine::Digest> Finish();

 private:
  struct Tools;
  absl::Status Write(engine::Bytes bytes);

  const std::unique_ptr<journal::File> file_;
  const std::unique_ptr<Tools> tools_;
  uint64_t end_ = 0;
  uint32_t part_count_ = 0;
  engine::Digest chain_;
};

// Not thread-safe.
class SnapshotFileReader {
 public:
  // Checks header and footer. Any bytes are safe. Errors: NOT_FOUND, DATA_LOSS (what, where, what
  // was expected), UNIMPLEMENTED (a newer format), the storage's; all with the file's name.
  static absl::StatusOr<std::unique_ptr<SnapshotFileReader>> Open(
      const journal::Directory& directory, absl::string_view name);
  // For Open().
  SnapshotFileReader(std::unique_ptr<journal::File> file, absl::string_view name);
  ~SnapshotFileReader();

  const SnapshotHeader& header() const { return header_; }
  const engine::Digest& content() const { return content_; }  // As Finish() gave it.
  uint64_t file_bytes() const { return file_bytes_; }

  // The next part, valid until the next call; nothing behind the last. Errors: as Open().
  absl::StatusOr<std::optional<engine::Bytes>> Next();

 private:
  struct Tools;
  absl::Status ReadEnds();
  absl::Status ReadAt(uint64_t offset, engine::MutableBytes into) const;
  absl::Status Damaged(uint64_t offset, absl::string_view what) const;

  const std::unique_ptr<journal::File> file_;
  const std::string name_;
  const std::unique_ptr<Tools> tools_;
  SnapshotHeader header_;
  engine::Digest content_;
  uint64_t file_bytes_ = 0;
  uint64_t part_count_ = 0;

  uint64_t offset_ = 0;  // Of the next part.
  uint64_t next_part_ = 0;
  uint64_t state_bytes_left_ = 0;  // That the parts to come may have, decompressed.
  engine::Digest chain_;
  std::vector<std::byte> stored_;
  std::vector<std::byte> part_;
};

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_FILE_H_
