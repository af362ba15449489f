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
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/storage/storage.h"
#include "journal/write/open_block.h"
#include "journal/write/segment_cursor.h"
#include "journal/write/segment_writer.h"

namespace journal {

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
  Compactor(Directory& directory, const SealedSegment& segment, CompactionOptions options);
  ~Compactor();

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
  // A digest of the records alone, independent of how they are grouped into blocks.
  class RecordsDigest {
   public:
    void Add(std::span<const Row> rows, std::span<const AttachmentView> attachments);
    bool Equals(const RecordsDigest& other) const;

   private:
    engine::Digester rows_;
    engine::Digester attachments_;
  };
  enum class Phase { kBegin, kCopy, kSync, kSeal, kCompare, kReplace };

  absl::StatusOr<State> TakeStep();
  absl::Status Begin();
  absl::Status CopyBlocks();
  absl::Status CopyRecords();
  absl::Status WriteOpenBlock();
  absl::Status CompareBlocks();
  absl::Status CheckEnd(const SegmentCursor& cursor) const;
  absl::Status Replace();
  bool saves_half() const;

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
