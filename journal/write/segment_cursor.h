// Iterates over the blocks of one sealed segment, from its preamble to its SEAL block.
//
// Validates every block as Reader does: header, place in the chain, payload, rows. Uses the blocks
// alone, never the index. Memory: one block, and a small window of the file.

#ifndef JOURNAL_WRITE_SEGMENT_CURSOR_H_
#define JOURNAL_WRITE_SEGMENT_CURSOR_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/preamble.h"
#include "journal/record.h"
#include "journal/recovery/file_window.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe: owned by its caller. Keeps the file it opened, even if that is replaced.
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
  std::span<const Row> rows() const;
  std::span<const AttachmentView> attachments() const;

  // The position after the current block.
  const LogPosition& position() const { return position_; }
  uint64_t offset() const { return offset_; }
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

}  // namespace journal

#endif  // JOURNAL_WRITE_SEGMENT_CURSOR_H_
