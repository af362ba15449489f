// The sequence of segments that a writer writes, and the disk space reserved for them.
//
//   segment-000007.tape                                        next.zeros
//   │ preamble │ block │ … │ block │ 0 0 0 0 0 0 0 0 0 │          │ 0 0 0 0 0 0 0 │
//                                  └────────── reserve ──┴───────────┘
//
// The reserve is zeros on the medium: space that a full disk can no longer take away. It is written
// ahead of use, one stretch at a time. When the segment has its full length, the reserve continues
// in `next.zeros`, which becomes the next segment.

#ifndef JOURNAL_WRITE_SEGMENT_CHAIN_H_
#define JOURNAL_WRITE_SEGMENT_CHAIN_H_

#include <cstdint>
#include <deque>
#include <memory>

#include "absl/status/status.h"
#include "engine/base/timestamp.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/storage/storage.h"
#include "journal/write/segment_writer.h"
#include "journal/writer_options.h"
namespace journal {

// Not thread-safe: used by one BlockWriter, which makes errors sticky.
class SegmentChain {
 public:
  // `directory`, `metadata` and `options` outlive it.
  SegmentChain(Directory& directory, const JournalMetadata& metadata, const WriterOptions& options)
      : directory_(directory), metadata_(metadata), options_(options) {}

  // Start the chain: with a first segment, with an existing one, or with one after a sealed one, of
  // which `position` is the end, with the new segment's incarnation. If `metadata` names no time
  // zone, that of `preamble` or `previous` stays.
  absl::Status Begin(Preamble preamble);
  void Continue(std::unique_ptr<File> file, const SegmentState& state);
  absl::Status BeginAfter(const Preamble& previous, const LogPosition& position,
                          const LogDigests& digests, engine::Timestamp created);

  // Whether the segment can hold a block of `stored_bytes` and still be sealed within its limit.
  // Always true for the first DATA block.
  bool HasRoomFor(uint64_t stored_bytes) const;

  // Writes the staged blocks, seals the segment and begins the next one.
  absl::Status Roll(const LogDigests& digests, engine::Timestamp created);
  // Writes the staged blocks and seals the last segment.
  absl::Status Finish(const LogDigests& digests);

  // The bytes of blocks that the zeros in this segment and in `next.zeros` have space for.
  uint64_t reserved_bytes() const;
  bool wants_reserve() const { return reserved_bytes() < options_.reserve_bytes; }
  // Extends the reserve by `bytes`. May be retried after RESOURCE_EXHAUSTED: the disk is full.
  absl::Status ExtendReserve(uint64_t bytes);

  // Removes `next.zeros` if a crash has left one: its content is unknown.
  absl::Status RemoveSpare();
  // Makes `next.zeros` exist, durably; the next segment is made from it. The caller does this
  // before it seals a segment that another one will follow, and before any other step to begin a
  // segment after a sealed one. A SEAL block with neither `next.zeros` nor a next segment means
  // that the journal is closed, and followers report that (FORMAT.md, section 6).
  absl::Status AnnounceNext();

  // The sealed segments that compaction may halve, oldest first: of the segments that this chain
  // sealed, and the one it began after. The caller removes those that it compacts.
  std::deque<SealedSegment>& sparse() { return sparse_; }

  SegmentWriter& segment() { return *segment_; }
  const SegmentWriter& segment() const { return *segment_; }

  uint64_t segments_begun() const { return segments_begun_; }
  // The bytes of blocks, preambles and indexes that this chain has written.
  uint64_t stored_bytes() const {
    return sealed_bytes_ + (is_sealed_ ? 0 : segment_->end_offset() - began_at_);
  }

 private:
  absl::Status Seal(const LogDigests& digests);
  absl::Status OpenSpare();
  absl::Status ExtendSpare(uint64_t bytes);

  Directory& directory_;
  const JournalMetadata& metadata_;
  const WriterOptions& options_;
  std::unique_ptr<SegmentWriter> segment_;
  std::deque<SealedSegment> sparse_;
  PreparedFile spare_;
  uint64_t began_at_ = 0;  // The offset at which this chain's part of the segment begins.
  uint64_t segments_begun_ = 0;
  bool is_sealed_ = false;
  uint64_t sealed_bytes_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_WRITE_SEGMENT_CHAIN_H_
