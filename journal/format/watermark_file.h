// The file `watermark`: tells followers how far the journal is durable (FORMAT.md, section 13).
//
//   blocks        │ 7 │ 8 │ 9 │     block 9 says that 7 is durable; no block says it of 9 until
//   `watermark`             9       the next block or heartbeat; the file says it immediately
//
// Overwritten in place after each sync, and never synced. Durable blocks stay durable, so every
// version of the file that a crash may leave is true. Optional: without it followers wait for the
// next block or heartbeat. Recovery uses it only if the last segment ends inside its preambles.

#ifndef JOURNAL_FORMAT_WATERMARK_FILE_H_
#define JOURNAL_FORMAT_WATERMARK_FILE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr char kWatermarkFileName[] = "watermark";

// A regular value type, as it is in the file.
struct Watermark {
  Uuid journal_uuid;
  uint32_t incarnation = 0;  // Of the writer.
  uint32_t reserved = 0;
  uint64_t durable_block = 0;  // This block and all before it are durable.
  engine::SequenceNumber durable_sequence = {};
  // The header_hash of durable_block. If the journal has another block with that number, for
  // example because it was restored from a copy, the watermark does not apply to it.
  uint64_t block_hash = 0;

  friend bool operator==(const Watermark&, const Watermark&) = default;
};

// Errors: NOT_FOUND, DATA_LOSS (incomplete, as while its writer overwrites it), the storage's.
absl::StatusOr<Watermark> ReadWatermark(const Directory& directory);

// Not thread-safe: owned by the writing thread. `directory` outlives it.
class WatermarkFile {
 public:
  explicit WatermarkFile(Directory& directory) : directory_(directory) {}

  // Overwrites the file, without a sync. Errors: the storage's; the call may be repeated.
  absl::Status Write(const Watermark& watermark);

  // Removes the file if this object has written it: after the SEAL block it is not needed.
  absl::Status Remove();

 private:
  Directory& directory_;
  std::unique_ptr<File> file_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_WATERMARK_FILE_H_
