#include "journal/segment_writer.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/status_macros.h"
#include "journal/format.h"
#include "journal/hash64.h"

namespace journal {

absl::StatusOr<std::unique_ptr<SegmentWriter>> SegmentWriter::Create(Directory& directory,
                                                                     Preamble preamble) {
  ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, EncodePreamble(preamble));
  ASSIGN_OR_RETURN(std::unique_ptr<File> file,
                   directory.Create(SegmentFileName(preamble.segment_index)));
  RETURN_IF_ERROR(file->Write(0, bytes));
  RETURN_IF_ERROR(file->Sync());
  RETURN_IF_ERROR(directory.Sync());
  return std::make_unique<SegmentWriter>(std::move(file), std::move(preamble));
}

SegmentWriter::SegmentWriter(std::unique_ptr<File> file, Preamble preamble)
    : file_(std::move(file)),
      preamble_(std::move(preamble)),
      seed_(SeedOf(preamble_.segment_uuid)),
      position_(PositionBefore(preamble_)),
      end_offset_(preamble_.blocks_offset()),
      durable_block_(position_.next_block - 1),
      durable_sequence_(position_.next_sequence - 1),
      written_watermark_(durable_sequence_) {}

SegmentWriter::SegmentWriter(std::unique_ptr<File> file, const SegmentState& state)
    : file_(std::move(file)),
      preamble_(state.preamble->preamble),
      seed_(SeedOf(preamble_.segment_uuid)),
      position_(state.position),
      end_offset_(state.end_offset),
      raw_bytes_(state.raw_bytes),
      blocks_(state.blocks),
      durable_block_(position_.next_block - 1),
      durable_sequence_(position_.next_sequence - 1),
      written_watermark_(preamble_.first_sequence - 1) {}

absl::Status SegmentWriter::WriteBlock(BlockHeader& header, AlignedBuffer& block) {
  header.block_number = position_.next_block;
  header.first_sequence = position_.next_sequence.value();
  header.incarnation = position_.incarnation;
  header.durable_block = durable_block_;
  header.durable_sequence = durable_sequence_.value();
  header.previous_block_hash = position_.last_block_hash;
  SignBlockHeader(header, seed_);
  std::memcpy(block.data(), &header, kBlockHeaderBytes);
  const uint64_t stored_bytes = StoredBytes(header);
  RETURN_IF_ERROR(file_->Write(end_offset_, block.first(stored_bytes)));

  position_.next_block += 1;
  position_.next_sequence = position_.next_sequence + header.record_count;
  position_.last_timestamp = engine::Timestamp::FromNanos(header.last_timestamp);
  position_.last_block_hash = header.header_hash;
  end_offset_ += stored_bytes;
  written_watermark_ = durable_sequence_;
  return absl::OkStatus();
}

absl::Status SegmentWriter::WriteDataBlock(BlockHeader header, AlignedBuffer& block) {
  header.kind = BlockKind::kData;
  const uint64_t offset = end_offset_;
  RETURN_IF_ERROR(WriteBlock(header, block));
  raw_bytes_ += header.raw_bytes;
  blocks_.push_back({.number = header.block_number,
                     .offset = offset,
                     .first_sequence = engine::SequenceNumber(header.first_sequence),
                     .first_timestamp = engine::Timestamp::FromNanos(header.first_timestamp),
                     .last_timestamp = engine::Timestamp::FromNanos(header.last_timestamp),
                     .record_count = header.record_count,
                     .stored_bytes = static_cast<uint32_t>(StoredBytes(header))});
  return absl::OkStatus();
}

absl::Status SegmentWriter::WriteBlockWithoutRecords(BlockKind kind) {
  BlockHeader header;
  header.kind = kind;
  header.first_timestamp = header.last_timestamp = position_.last_timestamp.nanos();
  header.payload_hash = Hash64({});
  if (kind == BlockKind::kRecovery) ++position_.incarnation;
  empty_block_.Reserve(kAlignment);
  return WriteBlock(header, empty_block_);
}

absl::Status SegmentWriter::Sync() {
  RETURN_IF_ERROR(file_->Sync());
  durable_block_ = position_.next_block - 1;
  durable_sequence_ = position_.next_sequence - 1;
  return absl::OkStatus();
}

absl::Status SegmentWriter::Seal(const engine::Digest& log_digest,
                                 const engine::Digest& log_chain) {
  if (!all_durable()) RETURN_IF_ERROR(Sync());
  RETURN_IF_ERROR(WriteBlockWithoutRecords(BlockKind::kSeal));
  RETURN_IF_ERROR(Sync());
  return WriteFooter(log_digest, log_chain);
}

absl::Status SegmentWriter::WriteFooter(const engine::Digest& log_digest,
                                        const engine::Digest& log_chain) {
  const SegmentIndex index{.blocks = blocks_,
                           .next_sequence = position_.next_sequence,
                           .next_block = position_.next_block,
                           .seal_hash = position_.last_block_hash,
                           .incarnation = position_.incarnation,
                           .last_timestamp = position_.last_timestamp,
                           .log_digest = log_digest,
                           .log_chain = log_chain,
                           .raw_bytes = raw_bytes_};
  const std::vector<std::byte> footer = EncodeFooter(index, end_offset_, seed_);
  RETURN_IF_ERROR(file_->Write(end_offset_, footer));
  end_offset_ += footer.size();
  RETURN_IF_ERROR(file_->Sync());
  return file_->Close();
}

}  // namespace journal
