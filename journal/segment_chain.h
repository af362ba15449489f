// The segments a writer writes, one after the other, and the space it has taken for them.
//
//   segment-000007.tape                                        next.zeros
//   │ preamble │ block │ … │ block │ 0 0 0 0 0 0 0 0 0 │          │ 0 0 0 0 0 0 0 │
//                                  └────────── runway ─┴───────────┘
//
// The runway is zeros on the medium: space that cannot be lost to a full disk any more. It is laid
// a stretch at a time, ahead of use; when the segment has all it may have, it goes on in a file
// that becomes the next one.

#ifndef JOURNAL_SEGMENT_CHAIN_H_
#define JOURNAL_SEGMENT_CHAIN_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/timestamp.h"
#include "journal/format/preamble.h"
#include "journal/journal_metadata.h"
#include "journal/journal_state.h"
#include "journal/sealed_segment.h"
#include "journal/segment_writer.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe: owned by a BlockWriter, which makes failures sticky.
class SegmentChain {
 public:
  struct Options {
    uint64_t segment_bytes = 0;
    uint64_t runway_bytes = 0;  // 0: none is laid. At most segment_bytes.
    uint64_t block_bytes_max = 0;
  };

  // `directory` outlives it.
  SegmentChain(Directory& directory, JournalMetadata metadata, Options options)
      : directory_(directory), metadata_(std::move(metadata)), options_(options) {}

  // The chain's start: a first segment, one that is gone on with, or one after a sealed one.
  absl::Status Begin(Preamble preamble);
  void GoOn(std::unique_ptr<File> file, const SegmentState& state);
  absl::Status BeginAfter(const Preamble& previous, const LogPosition& position,
                          const LogDigests& digests, engine::Timestamp created,
                          uint32_t incarnation);

  // Whether a block of so many bytes can be staged and the segment still be sealed within its
  // limit.
  bool HasRoomFor(uint64_t stored_bytes) const;

  // Writes what is staged, seals the segment and begins the next one.
  absl::Status Roll(const LogDigests& digests, engine::Timestamp created);
  // Writes what is staged, and seals the last segment.
  absl::Status Finish(const LogDigests& digests);

  // How many bytes of blocks are sure to find their place, in this segment and the next.
  uint64_t runway() const;
  bool wants_runway() const { return runway() < options_.runway_bytes; }
  // Lays a stretch of so many bytes more. RESOURCE_EXHAUSTED is no harm: the disk is full for now.
  absl::Status LayRunway(uint64_t bytes);

  // A crash may have left one: what is in it is not known.
  absl::Status RemoveSpare();
  // To be called before a segment is sealed behind which another one follows, and before anything
  // else is done to begin one behind a sealed one: from then on `next.zeros` is there, and it
  // becomes that segment. Behind a SEAL block with neither of them the journal is closed, and a
  // follower says so (FORMAT.md, section 6).
  absl::Status AnnounceNext();

  // A sealed segment that compaction may halve, if there is one: of those that this chain sealed,
  // and the one it began behind. Each is given once, the oldest first.
  std::optional<SealedSegment> TakeSparse();
  bool has_sparse() const { return !sparse_.empty(); }
  void AddSparse(const SealedSegment& segment) { sparse_.push_back(segment); }

  SegmentWriter& segment() { return *segment_; }
  const SegmentWriter& segment() const { return *segment_; }

  uint64_t segments_begun() const { return segments_begun_; }
  // In blocks, preambles and indexes, by this chain.
  uint64_t stored_bytes() const {
    return sealed_bytes_ + (is_sealed_ ? 0 : segment_->end_offset() - began_at_);
  }

 private:
  absl::Status Seal(const LogDigests& digests);
  absl::Status OpenSpare();
  absl::Status LayInSpare(uint64_t bytes);

  Directory& directory_;
  const JournalMetadata metadata_;
  const Options options_;

  std::unique_ptr<SegmentWriter> segment_;
  std::deque<SealedSegment> sparse_;
  std::optional<PreparedFile> spare_;
  uint64_t began_at_ = 0;  // Where this chain's part of the segment begins.
  uint64_t segments_begun_ = 0;
  bool is_sealed_ = false;
  uint64_t sealed_bytes_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_SEGMENT_CHAIN_H_
