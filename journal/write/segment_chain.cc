#include "journal/write/segment_chain.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/file_operations.h"

namespace journal {
namespace {

// An upper bound of the bytes that sealing takes: SEAL block, one index entry per block, trailer.
uint64_t SealBytes(uint64_t block_count) {
  return 2 * kAlignment + AlignUp(block_count * 64 + 256);
}

}  // namespace

absl::Status SegmentChain::Begin(Preamble preamble) {
  std::string time_zone = std::move(preamble.metadata.time_zone);
  preamble.metadata = metadata_;
  if (metadata_.time_zone.empty()) preamble.metadata.time_zone = std::move(time_zone);
  ASSIGN_OR_RETURN(
      segment_, SegmentWriter::Create(directory_, std::move(preamble), std::exchange(spare_, {})));
  ++segments_begun_;
  began_at_ = 0;
  is_sealed_ = false;
  return absl::OkStatus();
}

void SegmentChain::Continue(std::unique_ptr<File> file, const SegmentState& state) {
  segment_ = std::make_unique<SegmentWriter>(std::move(file), state);
  began_at_ = segment_->end_offset();
}

absl::Status SegmentChain::BeginAfter(const Preamble& previous, const LogPosition& position,
                                      const LogDigests& digests, engine::Timestamp created) {
  Preamble preamble = PreambleAt(position);
  preamble.journal_uuid = previous.journal_uuid;
  preamble.segment_index = previous.segment_index + 1;
  preamble.log_chain = digests.chain;
  preamble.created = created;
  preamble.metadata.time_zone = previous.metadata.time_zone;  // The journal keeps it.
  return Begin(std::move(preamble));
}

bool SegmentChain::HasRoomFor(uint64_t stored_bytes) const {
  return segment_->block_count() == 0 ||
         segment_->end_offset() + stored_bytes + SealBytes(segment_->block_count() + 1) <=
             options_.segment_bytes;
}

absl::Status SegmentChain::Roll(const LogDigests& digests, engine::Timestamp created) {
  RETURN_IF_ERROR(AnnounceNext());
  RETURN_IF_ERROR(Seal(digests));
  // Copies, because BeginAfter() replaces segment_.
  return BeginAfter(Preamble(segment_->preamble()), LogPosition(segment_->position()), digests,
                    created);
}

absl::Status SegmentChain::Seal(const LogDigests& digests) {
  RETURN_IF_ERROR(segment_->Seal(digests));
  sealed_bytes_ += segment_->end_offset() - began_at_;
  is_sealed_ = true;
  if (segment_->is_sparse()) sparse_.push_back(segment_->Sealed(digests));
  return absl::OkStatus();
}

absl::Status SegmentChain::Finish(const LogDigests& digests) {
  if (spare_.file != nullptr) {
    // Durably removed before the SEAL block: after it, the file would mean that a segment follows.
    spare_ = {};
    RETURN_IF_ERROR(directory_.Remove(kSpareFileName));
    RETURN_IF_ERROR(directory_.Sync());
  }
  return Seal(digests);
}

absl::Status SegmentChain::RemoveSpare() {
  const absl::Status removed = directory_.Remove(kSpareFileName);
  return absl::IsNotFound(removed) ? absl::OkStatus() : removed;
}

absl::Status SegmentChain::AnnounceNext() {
  if (spare_.file == nullptr) RETURN_IF_ERROR(OpenSpare());
  return directory_.Sync();
}

absl::Status SegmentChain::OpenSpare() {
  absl::StatusOr<std::unique_ptr<File>> file = directory_.Create(kSpareFileName);
  if (absl::IsAlreadyExists(file.status())) {
    // Truncated, never removed: a follower may look for the name at any moment.
    file = directory_.OpenForWrite(kSpareFileName);
    RETURN_IF_ERROR(file.status());
    RETURN_IF_ERROR((*file)->Truncate(0));
  }
  RETURN_IF_ERROR(file.status());
  spare_ = {.file = *std::move(file)};
  return absl::OkStatus();
}

uint64_t SegmentChain::reserved_bytes() const {
  const uint64_t seal_bytes = SealBytes(segment_->block_count() + 1);
  // The bytes that sealing will take do not count.
  const uint64_t here = segment_->zero_end() - segment_->end_offset();
  // In the next segment its preambles and its seal do not count, nor the rest of this segment that
  // is too short for the next block.
  const uint64_t there_taken =
      segment_->preamble().blocks_offset() + seal_bytes + BlockBytesMax(options_);
  const uint64_t there = spare_.zero_bytes;
  return (here > seal_bytes ? here - seal_bytes : 0) +
         (there > there_taken ? there - there_taken : 0);
}

absl::Status SegmentChain::ExtendReserve(uint64_t bytes) {
  const uint64_t zero_end = segment_->zero_end();
  if (zero_end >= options_.segment_bytes) return ExtendSpare(bytes);
  return segment_->ZeroUpTo(std::min(options_.segment_bytes, zero_end + bytes));
}

absl::Status SegmentChain::ExtendSpare(uint64_t bytes) {
  if (spare_.file == nullptr) RETURN_IF_ERROR(OpenSpare());
  const uint64_t end = spare_.zero_bytes + bytes;
  RETURN_IF_ERROR(WriteZeros(*spare_.file, spare_.zero_bytes, end));
  // Its own sync, so that no command waits for a sync of these zeros.
  RETURN_IF_ERROR(spare_.file->Sync());
  spare_.zero_bytes = end;
  return absl::OkStatus();
}

}  // namespace journal
