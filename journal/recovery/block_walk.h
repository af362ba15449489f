// Reads the records of one segment block by block, in any order of the blocks.
//
// For verification and salvage: unlike Reader, it does not stop at the first fault.

#ifndef JOURNAL_RECOVERY_BLOCK_WALK_H_
#define JOURNAL_RECOVERY_BLOCK_WALK_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/format/block_codec.h"
#include "journal/format/segment_index.h"
#include "journal/record.h"
#include "journal/recovery/file_window.h"
#include "journal/recovery/journal_state.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe: owned by its caller.
class BlockWalk {
 public:
  // REQUIRES: segment.is_readable().
  static absl::StatusOr<std::unique_ptr<BlockWalk>> Open(const Directory& directory,
                                                         const SegmentState& segment);

  // For Open().
  BlockWalk(std::unique_ptr<File> file, uint64_t seed, std::vector<BlockEntry> blocks)
      : file_(std::move(file)), seed_(seed), window_(*file_), blocks_(std::move(blocks)) {}

  // The segment's DATA blocks: those of the SegmentState, or the new ones if compaction has
  // replaced the file since.
  const std::vector<BlockEntry>& blocks() const { return blocks_; }

  // Reads and validates a DATA block; rows() and attachments() return its records until the next
  // call. Errors: DATA_LOSS, UNIMPLEMENTED (rows with unknown content), the storage's.
  absl::Status Read(const BlockEntry& entry);

  std::span<const Row> rows() const { return decoded_.rows(); }
  std::span<const AttachmentView> attachments() const { return decoded_.attachments(); }

 private:
  const std::unique_ptr<File> file_;
  const uint64_t seed_;
  FileWindow window_;
  const std::vector<BlockEntry> blocks_;
  BlockDecoder decoder_;
  DecodedBlock decoded_;
};

}  // namespace journal

#endif  // JOURNAL_RECOVERY_BLOCK_WALK_H_
