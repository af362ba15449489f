// Replaces a sealed segment by an equivalent one with full blocks.
//
//   segment-000003.tape │ preamble │ 1 record │ 1 record │ … │ SEAL │ index │   4096 bytes a record
//            └─ read ─► compacted.part │ preamble │ 1024 records │ … │ SEAL │ index │
//                          └─ sync ─► read back, compare ─► replaces segment-000003.tape ─► sync
//
// The same records, the same log digest, and the same end for the next segment to follow: the SEAL
// block of the copy says which one it replaces (FORMAT.md, section 3). CONTROL and RECOVERY blocks
// stay in their places, HEARTBEAT blocks go. A crash at any step leaves the one or the other under
// the segment's name. Who has the original open keeps it; who looks for the name finds either.
//
// A state machine of small steps, for a thread that has commands to write between them.

#ifndef JOURNAL_COMPACTOR_H_
#define JOURNAL_COMPACTOR_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/open_block.h"
#include "journal/sealed_segment.h"
#include "journal/segment_cursor.h"
#include "journal/segment_writer.h"
#include "journal/storage/storage.h"

namespace journal {

struct CompactionOptions {
  int zstd_level = 1;             // Range [1, 19].
  uint32_t block_records = 1024;  // Range [1, 65536]. One step encodes one such block at most.
};

// Not thread-safe: owned by its user. Holds the directory's maintenance lock from the first step
// until it ends or is destroyed. What it leaves when it is destroyed before its end is no part of
// the journal, and the next one removes it.
class Compactor {
 public:
  enum class State {
    kWorking,
    kReplaced,
    kKept,  // The copy would not be half as long, and is gone.
  };

  // `directory` outlives it.
  Compactor(Directory& directory, const SealedSegment& segment, CompactionOptions options);
  ~Compactor();

  // Does a little: reads a few blocks, encodes one, or syncs once. Not to be called again once it
  // has ended or failed. Errors: the original is then as it was, or replaced as a whole.
  // UNAVAILABLE (someone else maintains the journal), DATA_LOSS (the segment is damaged, or what
  // was read back is not what was read), NOT_FOUND (it was deleted), the storage's.
  absl::StatusOr<State> Step();

  // Removes what is not finished.
  void Abandon();

  uint64_t bytes_after() const { return bytes_after_; }

 private:
  // Over records alone, however they are cut into blocks.
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
  bool has_file_ = false;  // Of the copy.
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

#endif  // JOURNAL_COMPACTOR_H_
