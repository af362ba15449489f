// Replaces a sealed segment with an equivalent one that has full blocks.
//
//   segment-000003.tape │ preamble │ 1 record │ 1 record │ … │ SEAL │ index │   4096 bytes a record
//            └─ read ─► compacted.part │ preamble │ 1024 records │ … │ SEAL │ index │
//                          └─ sync ─► read back, compare ─► replaces segment-000003.tape ─► sync
//
// The copy has the same records and the same log digest, and the next segment still follows it,
// because its SEAL block names the SEAL block it replaces (FORMAT.md, sections 3 and 14). CONTROL
// and RECOVERY blocks keep their places between the records; HEARTBEAT blocks are dropped. A crash
// at any step leaves either the original or the copy under the segment's name. A reader that has
// the original open keeps reading it.
//
// A state machine of small steps, for a thread that writes commands between them.

#ifndef JOURNAL_WRITE_COMPACTOR_H_
#define JOURNAL_WRITE_COMPACTOR_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "journal/recovery/file_window.h"
#include "journal/storage/storage.h"
#include "journal/write/open_block.h"
#include "journal/write/segment_writer.h"

namespace journal {

// Iterates over the blocks of one sealed segment, from its preamble to its SEAL block. Validates
// every block as Reader does: header, place in the chain, payload, rows. Uses the blocks alone,
// never the index. Memory: one block, and a small window of the file. Not thread-safe: owned by its
// caller. Keeps the file it opened, even if that is replaced.
class SegmentCursor {
 public:
  // Errors: DATA_LOSS (no preamble), UNIMPLEMENTED, the storage's.
  static absl::StatusOr<std::unique_ptr<SegmentCursor>> Open(const Directory& directory,
                                                             absl::string_view file_name);

  // For Open().
  SegmentCursor(std::string file_name, std::unique_ptr<File> file, PreambleRead preamble);

  // Moves to the next block. Errors: DATA_LOSS (no valid block follows), UNIMPLEMENTED, the
  // storage's. REQUIRES: is_sealed() is false.
  absl::Status Next();

  const Preamble& preamble() const { return read_.preamble; }
  bool has_damaged_preamble() const { return read_.copy_damaged; }  // In one of the two copies.
  const File& file() const { return *file_; }
  uint64_t seed() const { return seed_; }

  // The current block. It has records only if it is a DATA block. Valid until the next Next().
  const BlockHeader& header() const { return header_; }
  Batch records() const { return header_.kind == BlockKind::kData ? decoded_.records() : Batch{}; }
  // The position after the current block.
  const LogPosition& position() const { return position_; }
  bool is_sealed() const { return header_.kind == BlockKind::kSeal; }

 private:
  absl::Status Read();

  const std::string file_name_;
  const std::unique_ptr<File> file_;
  const PreambleRead read_;
  const uint64_t seed_;
  FileWindow window_;
  LogPosition position_;
  uint64_t offset_;
  BlockHeader header_;
  BlockDecoder decoder_;
  DecodedBlock decoded_;
};

struct CompactionOptions {
  int zstd_level = 1;             // Range [1, 19].
  uint32_t block_records = 1024;  // Range [1, 65536]. One step encodes about one such block.
};

// Not thread-safe: owned by its caller. Holds the directory's maintenance lock from the first step
// until it ends or is destroyed. If it is destroyed before its end, it leaves `compacted.part`,
// which is not part of the journal and which the next Compactor removes.
class Compactor {
 public:
  enum class State {
    kWorking,
    kReplaced,
    kKept,  // The copy would save less than half; it was removed.
  };

  // `directory` outlives it.
  Compactor(Directory& directory, const SealedSegment& segment, CompactionOptions options)
      : directory_(directory),
        segment_(segment),
        options_(options),
        encoder_(options.zstd_level),
        open_(options.block_records, kAttachmentBytesOfABlock) {}

  // Takes one step: reads a few blocks, encodes one, or syncs once. REQUIRES: the last call
  // returned kWorking. After an error the original is unchanged, or replaced as a whole.
  // Errors: UNAVAILABLE (another program maintains the journal), DATA_LOSS (the segment is damaged,
  // or the copy read back differs), NOT_FOUND (the segment was deleted), ABORTED (the segment was
  // replaced meanwhile), the storage's.
  absl::StatusOr<State> Step();

  // Removes an unfinished copy and releases the lock.
  void Abandon();

  uint64_t bytes_after() const { return bytes_after_; }

 private:
  static constexpr uint32_t kAttachmentBytesOfABlock = 256 << 10;

  enum class Phase { kBegin, kCopy, kSync, kSeal, kCompare, kReplace };

  absl::StatusOr<State> TakeStep();
  absl::Status Begin();
  absl::Status CopyBlocks();
  absl::Status CopyRecords();
  absl::Status WriteOpenBlock();
  absl::Status CompareBlocks();
  absl::Status CheckEnd(const SegmentCursor& cursor) const;
  absl::Status Replace();
  bool saves_half() const { return 2 * copy_->end_offset() <= segment_.file_bytes; }

  Directory& directory_;
  const SealedSegment segment_;
  const CompactionOptions options_;
  BlockEncoder encoder_;

  Phase phase_ = Phase::kBegin;
  std::unique_ptr<DirectoryLock> lock_;
  bool has_file_ = false;  // The copy's file exists.
  std::unique_ptr<SegmentCursor> original_;
  std::unique_ptr<SegmentWriter> copy_;
  std::unique_ptr<SegmentCursor> read_back_;
  OpenBlock open_;
  AlignedBuffer encoded_{kRowsOffsetInBlock};
  RecordsDigest digest_of_original_;
  RecordsDigest digest_of_copy_;
  uint64_t bytes_after_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_WRITE_COMPACTOR_H_
