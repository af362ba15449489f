// `watermark`: how far the journal is durable, for those who follow it (FORMAT.md, section 13).
//
//   blocks      │ 7 │ 8 │ 9 │       9 says that 7 is durable, and nothing says it of 9 until a
//   block watermark   9                   or a heartbeat follows; the file says it at once
//
// Written over in place after each sync, and never synced: what it says is true of what is durable
// whenever it was said, so any version of it that a crash may leave is true as well. An aid, and
// nothing rests on it: recovery does not look at it, and without it followers wait for a heartbeat.

#ifndef JOURNAL_WATERMARK_FILE_H_
#define JOURNAL_WATERMARK_FILE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr char kWatermarkFileName[] = "watermark";

// A regular value type.
struct Watermark {
  Uuid journal_uuid;
  uint32_t incarnation = 0;    // Of the writer that says so.
  uint64_t durable_block = 0;  // It and all before it.
  engine::SequenceNumber durable_sequence = {};
  // Of that block: a journal of which another one has the number went another way, as when it was
  // restored from a copy. Then this says nothing.
  uint64_t block_hash = 0;

  friend bool operator==(const Watermark&, const Watermark&) = default;
};

// Errors: NOT_FOUND, DATA_LOSS (not whole: its writer is at work on it), the storage's.
absl::StatusOr<Watermark> ReadWatermark(const Directory& directory);

// Not thread-safe: owned by the thread that syncs. `directory` outlives it.
class WatermarkFile {
 public:
  explicit WatermarkFile(Directory& directory) : directory_(directory) {}

  // Errors: the storage's. It may be called again.
  absl::Status Write(const Watermark& watermark);

  // Where this has written one: behind a SEAL block nobody needs it.
  absl::Status Remove();

 private:
  Directory& directory_;
  std::unique_ptr<File> file_;
};

}  // namespace journal

#endif  // JOURNAL_WATERMARK_FILE_H_
