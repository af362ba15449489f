#include "journal/recovery/block_walk.h"

#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/recovery/segment_scan.h"

namespace journal {

absl::StatusOr<std::unique_ptr<BlockWalk>> BlockWalk::Open(const Directory& directory,
                                                           const SegmentState& segment) {
  ASSIGN_OR_RETURN(OpenedSegment opened, OpenSegment(directory, segment));
  const SegmentState& now = opened.replacement.has_value() ? *opened.replacement : segment;
  return std::make_unique<BlockWalk>(std::move(opened.file),
                                     SeedOf(now.preamble->preamble.segment_uuid), now.blocks);
}

absl::Status BlockWalk::Read(const BlockEntry& entry) {
  ASSIGN_OR_RETURN(const engine::Bytes block, window_.At(entry.offset, entry.stored_bytes));
  ASSIGN_OR_RETURN(const BlockHeader header, ParseBlockHeader(block, seed_));
  if (header.kind != BlockKind::kData || EntryOf(header, entry.offset) != entry ||
      StoredBytes(header) != block.size()) {
    return absl::DataLossError("it is another block than was seen before");
  }
  const engine::Bytes payload = block.subspan(kBlockHeaderBytes, header.payload_bytes);
  RETURN_IF_ERROR(CheckPayload(header, payload));
  return decoder_.Decode(header, payload, decoded_);
}

}  // namespace journal
