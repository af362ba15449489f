#include "journal/write/segment_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/file_operations.h"

namespace journal {

absl::StatusOr<std::unique_ptr<SegmentWriter>> SegmentWriter::Create(Directory& directory,
                                                                     Preamble preamble,
                                                                     PreparedFile prepared) {
  preamble.segment_uuid =
      DeriveSegmentUuid(preamble.journal_uuid, preamble.segment_index, preamble.incarnation);
  ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, EncodePreamble(preamble));
  const std::string name = SegmentFileName(preamble.segment_index);
  const bool is_new = prepared.file == nullptr;
  if (is_new) {
    ASSIGN_OR_RETURN(prepared.file, directory.Create(name));
  }
  RETURN_IF_ERROR(prepared.file->Write(0, bytes));
  // Synced before the rename: a prepared file gets a segment's name only with a preamble.
  RETURN_IF_ERROR(prepared.file->Sync());
  if (!is_new) RETURN_IF_ERROR(directory.Rename(kSpareFileName, name));
  RETURN_IF_ERROR(directory.Sync());
  const uint64_t zero_end = std::max<uint64_t>(prepared.zero_bytes, bytes.size());
  return std::make_unique<SegmentWriter>(std::move(prepared.file), std::move(preamble), zero_end);
}

SegmentWriter::SegmentWriter(std::unique_ptr<File> file, Preamble preamble, uint64_t zero_end)
    : file_(std::move(file)),
      preamble_(std::move(preamble)),
      seed_(SeedOf(preamble_.segment_uuid)),
      position_(PositionBefore(preamble_)),
      end_offset_(preamble_.blocks_offset()),
      zero_end_(zero_end),
      written_watermark_(preamble_.first_sequence - 1) {
  NoteAllWritten();
  NoteAllDurable();
}

SegmentWriter::SegmentWriter(std::unique_ptr<File> file, const SegmentState& state)
    : SegmentWriter(std::move(file), state.preamble->preamble, state.end_offset) {
  position_ = state.position;
  end_offset_ = state.end_offset;
  raw_bytes_ = state.raw_bytes;
  blocks_ = state.blocks;
  NoteAllWritten();
  NoteAllDurable();
}

void SegmentWriter::NoteAllWritten() {
  written_end_ = end_offset_;
  written_sequence_ = position_.next_sequence - 1;
}

void SegmentWriter::NoteAllDurable() {
  durable_block_ = position_.next_block - 1;
  durable_block_hash_ = position_.last_block_hash;
  durable_sequence_ = position_.next_sequence - 1;
}

void SegmentWriter::Complete(BlockHeader& header, AlignedBuffer& block) {
  header.block_number = position_.next_block;
  header.first_sequence = position_.next_sequence.value();
  header.incarnation = position_.incarnation;
  header.durable_block = durable_block_;
  header.durable_sequence = durable_sequence_.value();
  header.previous_block_hash = position_.last_block_hash;
  SignBlockHeader(header, seed_);
  std::memcpy(block.data(), &header, kBlockHeaderBytes);
  const uint64_t stored_bytes = StoredBytes(header);
  parts_.push_back(std::as_const(block).first(stored_bytes));

  position_ = PositionAfter(header);
  end_offset_ += stored_bytes;
  written_watermark_ = durable_sequence_;
}

void SegmentWriter::Stage(BlockHeader header, AlignedBuffer& block) {
  header.kind = BlockKind::kData;
  const uint64_t offset = end_offset_;
  Complete(header, block);
  raw_bytes_ += header.raw_bytes;
  blocks_.push_back(EntryOf(header, offset));
}

void SegmentWriter::StageWithoutRecords(BlockKind kind, AlignedBuffer& block, uint64_t control) {
  BlockHeader header;
  header.kind = kind;
  header.control = control;
  StageHeader(header, block);
}

void SegmentWriter::StageHeader(BlockHeader header, AlignedBuffer& block) {
  header.first_timestamp = header.last_timestamp = position_.last_timestamp.nanos();
  header.payload_hash = Hash64({});
  if (header.kind == BlockKind::kRecovery) ++position_.incarnation;
  block.Reserve(kAlignment);
  std::memset(block.data(), 0, kAlignment);
  Complete(header, block);
}

absl::Status SegmentWriter::WriteStaged() {
  if (parts_.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(file_->WriteParts(written_end_, parts_));
  parts_.clear();
  zero_end_ = std::max(zero_end_, end_offset_);
  NoteAllWritten();
  return absl::OkStatus();
}

absl::Status SegmentWriter::WriteBlockWithoutRecords(BlockKind kind) {
  CHECK(parts_.empty());
  StageWithoutRecords(kind, empty_block_);
  return WriteStaged();
}

absl::Status SegmentWriter::ZeroUpTo(uint64_t end) {
  RETURN_IF_ERROR(WriteZeros(*file_, zero_end_, end));
  zero_end_ = std::max(zero_end_, end);
  return absl::OkStatus();
}

absl::Status SegmentWriter::Sync() {
  CHECK(parts_.empty());
  RETURN_IF_ERROR(file_->Sync());
  NoteAllDurable();
  return absl::OkStatus();
}

absl::Status SegmentWriter::Seal(const LogDigests& digests,
                                 const std::optional<LogPosition>& replaced) {
  RETURN_IF_ERROR(WriteStaged());
  if (!all_durable()) RETURN_IF_ERROR(Sync());
  BlockHeader seal;
  seal.kind = BlockKind::kSeal;
  if (replaced.has_value()) {
    seal.replaced_block = replaced->next_block - 1;
    seal.replaced_hash = replaced->last_block_hash;
  }
  StageHeader(seal, empty_block_);
  RETURN_IF_ERROR(WriteStaged());
  RETURN_IF_ERROR(Sync());
  return WriteFooter(digests);
}

absl::Status SegmentWriter::WriteFooter(const LogDigests& digests) {
  const std::vector<std::byte> footer = EncodeFooter(
      {.blocks = blocks_, .end = position_, .digests = digests, .raw_bytes = raw_bytes_},
      end_offset_, seed_);
  // The trailer must end the file: remove zeros that were written ahead.
  if (zero_end_ > end_offset_ + footer.size()) {
    RETURN_IF_ERROR(file_->Truncate(end_offset_ + footer.size()));
  }
  RETURN_IF_ERROR(file_->Write(end_offset_, footer));
  end_offset_ += footer.size();
  RETURN_IF_ERROR(file_->Sync());
  return file_->Close();
}

SealedSegment SegmentWriter::Sealed(const LogDigests& digests) const {
  return {.segment_index = preamble_.segment_index,
          .file_bytes = end_offset_,
          .end = position_,
          .digests = digests};
}

}  // namespace journal
