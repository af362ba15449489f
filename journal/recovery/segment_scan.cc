#include "journal/recovery/segment_scan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/format/block_codec.h"
#include "journal/format/format.h"

namespace journal {
namespace {

// Of the payloads in the tail, at most this many times the tail's length is read. Blocks from a
// writer do not overlap, but each of many forged headers may claim the rest of the file.
constexpr uint64_t kTailReadTimes = 4;

class Scanner {
 public:
  Scanner(const File& file, const Preamble& preamble)
      : file_(file), window_(file), seed_(SeedOf(preamble.segment_uuid)) {
    scan_.position = PositionBefore(preamble);
    scan_.end_offset = preamble.blocks_offset();
    // The segment before was sealed and synced before this one was begun.
    scan_.durable_block = preamble.first_block - 1;
    scan_.durable_sequence = preamble.first_sequence - 1;
  }

  // A writer may append between the read at the prefix's end and the read of the tail, and its last
  // block would then appear after a hole. Blocks are written in order: a hole that is still there
  // after a later block was seen is real.
  absl::StatusOr<SegmentScan> Walk() && {
    bool more = true;
    while (more) {
      ASSIGN_OR_RETURN(scan_.file_bytes, file_.Size());
      scan_.ends_in_preambles = scan_.file_bytes < scan_.end_offset;
      if (scan_.ends_in_preambles) scan_.break_reason = "the file ends inside its preambles";
      RETURN_IF_ERROR(WalkPrefix());
      RETURN_IF_ERROR(WalkTail());
      if (!HasHole()) break;
      const std::string reason = scan_.break_reason;
      window_.Forget();
      ASSIGN_OR_RETURN(more, NextBlock());
      scan_.break_reason = reason;
      if (more) ResetTail();
    }
    return std::move(scan_);
  }

 private:
  bool HasHole() const {
    return !scan_.sealed && scan_.end_offset < scan_.file_bytes &&
           (!scan_.islands.empty() || scan_.durable_block >= scan_.position.next_block);
  }

  void ResetTail() {
    scan_.break_reason.clear();
    scan_.tail_not_zero = false;
    scan_.islands.clear();
    scan_.tail_last_sequence = {};
  }

  absl::Status WalkPrefix() {
    bool more = true;
    while (more && !scan_.sealed && scan_.end_offset < scan_.file_bytes) {
      ASSIGN_OR_RETURN(more, NextBlock());
    }
    return absl::OkStatus();
  }

  // Checks every place where a block may begin, because the block lengths in a hole are unknown.
  absl::Status WalkTail() {
    uint64_t offset = scan_.end_offset;
    payload_bytes_left_ =
        offset < scan_.file_bytes ? kTailReadTimes * (scan_.file_bytes - offset) : 0;
    while (offset < scan_.file_bytes) {
      ASSIGN_OR_RETURN(const engine::Bytes page, window_.At(offset, kAlignment));
      const bool is_zero = IsZero(page);
      scan_.tail_not_zero |= !is_zero;
      if (offset == scan_.end_offset) {
        // Only the header's bytes count: a copying program may have read the start of the page
        // before the writer wrote it, and the rest afterwards.
        scan_.zeros_at_end = IsZero(page.first(std::min(page.size(), kBlockHeaderBytes)));
      }
      uint64_t step = kAlignment;
      if (const auto header = ParseBlockHeader(page, seed_); header.ok()) {
        ASSIGN_OR_RETURN(const bool valid, AddIsland(*header, offset));
        if (valid) step = StoredBytes(*header);
      }
      offset += step;
    }
    return absl::OkStatus();
  }

  // Adds the block at end_offset to the prefix, or stores why it is invalid. Errors: the file's.
  absl::StatusOr<bool> NextBlock() {
    ASSIGN_OR_RETURN(const engine::Bytes head, window_.At(scan_.end_offset, kBlockHeaderBytes));
    const absl::StatusOr<BlockHeader> header = ParseBlockHeader(head, seed_);
    if (!header.ok()) return Reject(header.status());
    if (absl::Status follows = CheckFollows(scan_.position, *header); !follows.ok()) {
      return Reject(follows);
    }
    ASSIGN_OR_RETURN(const engine::Bytes block, window_.At(scan_.end_offset, StoredBytes(*header)));
    if (absl::Status complete = CheckBlock(*header, block); !complete.ok()) {
      return Reject(complete);
    }
    if (!IsZero(block.subspan(kBlockHeaderBytes + header->payload_bytes))) {
      scan_.padding_not_zero.push_back(scan_.end_offset);
    }
    Accept(*header);
    return true;
  }

  bool Reject(const absl::Status& reason) {
    scan_.break_reason = std::string(reason.message());
    return false;
  }

  static absl::Status CheckBlock(const BlockHeader& header, engine::Bytes block) {
    if (block.size() < StoredBytes(header)) {
      return absl::DataLossError(absl::StrCat("the file ends inside block ", header.block_number));
    }
    return CheckPayload(header, block.subspan(kBlockHeaderBytes, header.payload_bytes));
  }

  void Accept(const BlockHeader& header) {
    if (header.kind == BlockKind::kData) scan_.blocks.push_back(EntryOf(header, scan_.end_offset));
    NoteWatermark(header);
    scan_.position = PositionAfter(header);
    scan_.end_offset += StoredBytes(header);
    scan_.raw_bytes += header.raw_bytes;
    scan_.sealed = header.kind == BlockKind::kSeal;
  }

  void NoteWatermark(const BlockHeader& header) {
    scan_.durable_block = std::max(scan_.durable_block, header.durable_block);
    scan_.durable_sequence =
        std::max(scan_.durable_sequence, engine::SequenceNumber(header.durable_sequence));
  }

  absl::StatusOr<bool> AddIsland(const BlockHeader& header, uint64_t offset) {
    NoteWatermark(header);
    if (header.block_number < scan_.position.next_block) return false;
    scan_.tail_last_sequence =
        std::max(scan_.tail_last_sequence,
                 engine::SequenceNumber(header.first_sequence + header.record_count - 1));
    const uint64_t bytes = std::min(StoredBytes(header), scan_.file_bytes - offset);
    if (payload_bytes_left_ < bytes) return false;
    payload_bytes_left_ -= std::min(payload_bytes_left_, bytes);
    scan_.tail_bytes_hashed += bytes;
    ASSIGN_OR_RETURN(const engine::Bytes block, window_.At(offset, StoredBytes(header)));
    if (!CheckBlock(header, block).ok()) return false;
    scan_.tail_not_zero = true;
    scan_.islands.push_back(EntryOf(header, offset));
    return true;
  }

  const File& file_;
  FileWindow window_;
  const uint64_t seed_;
  uint64_t payload_bytes_left_ = 0;
  SegmentScan scan_;
};

}  // namespace

BlockEntry EntryOf(const BlockHeader& header, uint64_t offset) {
  return {.number = header.block_number,
          .offset = offset,
          .first_sequence = engine::SequenceNumber(header.first_sequence),
          .first_timestamp = engine::Timestamp::FromNanos(header.first_timestamp),
          .last_timestamp = engine::Timestamp::FromNanos(header.last_timestamp),
          .record_count = header.record_count,
          .stored_bytes = static_cast<uint32_t>(StoredBytes(header))};
}

absl::Status CheckFollows(const LogPosition& position, const BlockHeader& header) {
  const uint32_t incarnation = position.incarnation + (header.kind == BlockKind::kRecovery ? 1 : 0);
  if (header.block_number != position.next_block) {
    return absl::DataLossError(
        absl::StrFormat("block number %d, expected %d", header.block_number, position.next_block));
  }
  if (header.previous_block_hash != position.last_block_hash) {
    return absl::DataLossError(
        absl::StrFormat("block %d follows a block with hash %016x, expected %016x",
                        header.block_number, header.previous_block_hash, position.last_block_hash));
  }
  if (header.incarnation != incarnation) {
    return absl::DataLossError(absl::StrFormat("block %d is of incarnation %d, expected %d",
                                               header.block_number, header.incarnation,
                                               incarnation));
  }
  if (header.first_sequence != position.next_sequence.value()) {
    return absl::DataLossError(absl::StrFormat("block %d begins with sequence %d, expected %d",
                                               header.block_number, header.first_sequence,
                                               position.next_sequence.value()));
  }
  if (header.first_timestamp < position.last_timestamp.nanos()) {
    return absl::DataLossError(
        absl::StrFormat("block %d begins before the end of the one before", header.block_number));
  }
  return absl::OkStatus();
}

LogPosition PositionAfter(const BlockHeader& header) {
  const bool replaces = header.replaced_block != 0;
  return {.next_block = (replaces ? header.replaced_block : header.block_number) + 1,
          .next_sequence = engine::SequenceNumber(header.first_sequence + header.record_count),
          .last_timestamp = engine::Timestamp::FromNanos(header.last_timestamp),
          .last_block_hash = replaces ? header.replaced_hash : header.header_hash,
          .incarnation = header.incarnation};
}

LogPosition PositionBefore(const Preamble& preamble) {
  return {.next_block = preamble.first_block,
          .next_sequence = preamble.first_sequence,
          .last_timestamp = preamble.previous_timestamp,
          .last_block_hash = preamble.previous_block_hash,
          .incarnation = preamble.incarnation};
}

Preamble PreambleAt(const LogPosition& position) {
  Preamble preamble;
  preamble.first_sequence = position.next_sequence;
  preamble.first_block = position.next_block;
  preamble.incarnation = position.incarnation;
  preamble.previous_block_hash = position.last_block_hash;
  preamble.previous_timestamp = position.last_timestamp;
  return preamble;
}

absl::StatusOr<std::optional<BlockHeader>> HeaderAt(const File& file, uint64_t seed,
                                                    uint64_t offset) {
  std::array<std::byte, kBlockHeaderBytes> bytes;
  ASSIGN_OR_RETURN(const size_t size, file.Read(offset, bytes));
  const auto header = ParseBlockHeader(engine::Bytes(bytes).first(size), seed);
  return header.ok() ? std::optional(*header) : std::nullopt;
}

absl::StatusOr<std::optional<BlockHeader>> NextHeader(const File& file, uint64_t seed,
                                                      const LogPosition& position,
                                                      uint64_t offset) {
  ASSIGN_OR_RETURN(std::optional<BlockHeader> header, HeaderAt(file, seed, offset));
  if (header.has_value() && !CheckFollows(position, *header).ok()) header.reset();
  return header;
}

absl::StatusOr<StoredBlock> ReadNextBlock(FileWindow& window, uint64_t seed,
                                          const LogPosition& position, uint64_t offset) {
  ASSIGN_OR_RETURN(const engine::Bytes head, window.At(offset, kBlockHeaderBytes));
  ASSIGN_OR_RETURN(const BlockHeader header, ParseBlockHeader(head, seed));
  RETURN_IF_ERROR(CheckFollows(position, header));
  ASSIGN_OR_RETURN(const engine::Bytes block, window.At(offset, StoredBytes(header)));
  if (block.size() < StoredBytes(header)) return absl::DataLossError("the file ends inside it");
  const engine::Bytes payload = block.subspan(kBlockHeaderBytes, header.payload_bytes);
  RETURN_IF_ERROR(CheckPayload(header, payload));
  return StoredBlock{.header = header, .payload = payload};
}

absl::StatusOr<StoredBlock> ReadKnownBlock(FileWindow& window, uint64_t seed,
                                           const BlockEntry& entry, absl::string_view known_as) {
  ASSIGN_OR_RETURN(const engine::Bytes block, window.At(entry.offset, entry.stored_bytes));
  ASSIGN_OR_RETURN(const BlockHeader header, ParseBlockHeader(block, seed));
  if (header.kind != BlockKind::kData || EntryOf(header, entry.offset) != entry ||
      StoredBytes(header) != block.size()) {
    return absl::DataLossError(absl::StrCat("it is another block than ", known_as));
  }
  return StoredBlock{.header = header,
                     .payload = block.subspan(kBlockHeaderBytes, header.payload_bytes)};
}

absl::StatusOr<SegmentScan> ScanSegment(const File& file, const Preamble& preamble) {
  return Scanner(file, preamble).Walk();
}

absl::StatusOr<uint64_t> DurableBlockAfter(const File& file, const Preamble& preamble,
                                           uint64_t offset, uint64_t bytes) {
  ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
  const uint64_t end = std::min(file_bytes, offset + bytes);
  FileWindow window(file);
  uint64_t durable_block = 0;
  for (; offset < end; offset += kAlignment) {
    ASSIGN_OR_RETURN(const engine::Bytes head, window.At(offset, kBlockHeaderBytes));
    const auto header = ParseBlockHeader(head, SeedOf(preamble.segment_uuid));
    if (header.ok()) durable_block = std::max(durable_block, header->durable_block);
  }
  return durable_block;
}

absl::StatusOr<bool> HasTraceOfBlocks(const File& file) {
  ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
  if (file_bytes > 2 * kPreambleBytesMax) return true;
  FileWindow window(file);
  for (uint64_t offset = 0; offset < file_bytes; offset += kAlignment) {
    ASSIGN_OR_RETURN(const engine::Bytes page, window.At(offset, kAlignment));
    if (page.size() >= sizeof(BlockHeader::kMagic) &&
        engine::LoadLittleEndian<uint32_t>(page.data()) == BlockHeader::kMagic) {
      return true;
    }
  }
  return false;
}

}  // namespace journal
