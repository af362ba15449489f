#include "journal/write/compactor.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/recovery/segment_scan.h"

namespace journal {
namespace {

// Blocks of the original that one step reads: 64 KiB if each block is one page.
constexpr int kBlocksOfAStep = 16;
// Small, because the reading thread also writes commands: such a read is much shorter than a sync.
constexpr size_t kWindowBytes = 64 << 10;

}  // namespace

absl::StatusOr<std::unique_ptr<SegmentCursor>> SegmentCursor::Open(const Directory& directory,
                                                                   absl::string_view file_name) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.OpenForRead(file_name));
  ASSIGN_OR_RETURN(PreambleRead read, ReadPreamble(*file));
  return std::make_unique<SegmentCursor>(std::string(file_name), std::move(file), std::move(read));
}

SegmentCursor::SegmentCursor(std::string file_name, std::unique_ptr<File> file, PreambleRead read)
    : file_name_(std::move(file_name)),
      file_(std::move(file)),
      read_(std::move(read)),
      seed_(SeedOf(read_.preamble.segment_uuid)),
      window_(*file_, kWindowBytes),
      position_(PositionBefore(read_.preamble)),
      offset_(read_.preamble.blocks_offset()) {}

absl::Status SegmentCursor::Next() {
  const absl::Status status = Read();
  if (!absl::IsDataLoss(status) && !absl::IsUnimplemented(status)) return status;
  return absl::Status(status.code(),
                      absl::StrFormat("%s: block %d at 0x%x: %s", file_name_, position_.next_block,
                                      offset_, std::string(status.message())));
}

absl::Status SegmentCursor::Read() {
  ASSIGN_OR_RETURN(const StoredBlock block, ReadNextBlock(window_, seed_, position_, offset_));
  if (block.header.kind == BlockKind::kData) {
    RETURN_IF_ERROR(decoder_.Decode(block.header, block.payload, decoded_));
  }
  header_ = block.header;
  position_ = PositionAfter(header_);
  offset_ += StoredBytes(header_);
  return absl::OkStatus();
}

absl::StatusOr<Compactor::State> Compactor::Step() {
  const absl::StatusOr<State> state = TakeStep();
  if (!state.ok() || *state == State::kKept) Abandon();
  if (state.ok() && *state == State::kReplaced) lock_.reset();
  return state;
}

void Compactor::Abandon() {
  copy_.reset();
  read_back_.reset();
  // If the file cannot be removed, the next Compactor removes it; it is not part of the journal.
  if (std::exchange(has_file_, false)) directory_.Remove(kCompactionFileName).IgnoreError();
  lock_.reset();
}

absl::StatusOr<Compactor::State> Compactor::TakeStep() {
  switch (phase_) {
    case Phase::kBegin:
      RETURN_IF_ERROR(Begin());
      phase_ = Phase::kCopy;
      return State::kWorking;
    case Phase::kCopy:
      RETURN_IF_ERROR(CopyBlocks());
      if (!saves_half()) return State::kKept;
      if (original_->is_sealed()) phase_ = Phase::kSync;
      return State::kWorking;
    case Phase::kSync:
      RETURN_IF_ERROR(copy_->Sync());
      phase_ = Phase::kSeal;
      return State::kWorking;
    case Phase::kSeal: {
      RETURN_IF_ERROR(copy_->Seal(segment_.digests, segment_.end));
      if (!saves_half()) return State::kKept;
      bytes_after_ = copy_->end_offset();
      ASSIGN_OR_RETURN(read_back_, SegmentCursor::Open(directory_, kCompactionFileName));
      phase_ = Phase::kCompare;
      return State::kWorking;
    }
    case Phase::kCompare:
      RETURN_IF_ERROR(CompareBlocks());
      if (read_back_->is_sealed()) phase_ = Phase::kReplace;
      return State::kWorking;
    case Phase::kReplace:
      RETURN_IF_ERROR(Replace());
      return State::kReplaced;
  }
  CHECK(false);
  __builtin_unreachable();
}

absl::Status Compactor::Begin() {
  ASSIGN_OR_RETURN(lock_, directory_.LockForMaintenance());
  // An interrupted Compactor may have left the file.
  const absl::Status removed = directory_.Remove(kCompactionFileName);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  ASSIGN_OR_RETURN(original_,
                   SegmentCursor::Open(directory_, SegmentFileName(segment_.segment_index)));
  Preamble preamble = original_->preamble();
  preamble.format_minor = kCompactedMinor;
  preamble.segment_uuid = DeriveCompactedUuid(preamble.segment_uuid);
  ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, EncodePreamble(preamble));
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory_.Create(kCompactionFileName));
  has_file_ = true;
  RETURN_IF_ERROR(file->Write(0, bytes));
  copy_ = std::make_unique<SegmentWriter>(std::move(file), std::move(preamble), bytes.size());
  return absl::OkStatus();
}

absl::Status Compactor::CopyBlocks() {
  const uint64_t before = copy_->end_offset();
  for (int i = 0; i < kBlocksOfAStep && copy_->end_offset() == before; ++i) {
    RETURN_IF_ERROR(original_->Next());
    switch (original_->header().kind) {
      case BlockKind::kData:
        RETURN_IF_ERROR(CopyRecords());
        break;
      case BlockKind::kHeartbeat:
        break;  // Its watermark is not needed: the whole segment is durable.
      case BlockKind::kRecovery:
      case BlockKind::kControl:
        RETURN_IF_ERROR(WriteOpenBlock());
        copy_->StageWithoutRecords(original_->header().kind, encoded_, original_->header().control);
        RETURN_IF_ERROR(copy_->WriteStaged());
        break;
      case BlockKind::kSeal:
        RETURN_IF_ERROR(WriteOpenBlock());
        return CheckEnd(*original_);
    }
  }
  return absl::OkStatus();
}

absl::Status Compactor::CopyRecords() {
  Batch records = original_->records();
  digest_of_original_.Add(records);
  while (!records.empty()) {
    open_.Fill(records);
    if (open_.is_full()) RETURN_IF_ERROR(WriteOpenBlock());
  }
  return absl::OkStatus();
}

absl::Status Compactor::WriteOpenBlock() {
  if (open_.empty()) return absl::OkStatus();
  BlockHeader header = open_.Header();
  encoder_.Encode(open_.Body(), header, encoded_);
  copy_->Stage(header, encoded_);
  open_.Clear();
  return copy_->WriteStaged();
}

absl::Status Compactor::CompareBlocks() {
  for (int i = 0; i < 2; ++i) {
    RETURN_IF_ERROR(read_back_->Next());
    if (read_back_->is_sealed()) break;
    digest_of_copy_.Add(read_back_->records());
  }
  if (!read_back_->is_sealed()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckEnd(*read_back_));
  if (read_back_->has_damaged_preamble() ||
      digest_of_copy_.Finish() != digest_of_original_.Finish()) {
    return absl::DataLossError(absl::StrCat(kCompactionFileName,
                                            ": the copy read back differs from ",
                                            SegmentFileName(segment_.segment_index)));
  }
  return ReadFooter(read_back_->file(), bytes_after_, read_back_->seed()).status();
}

// The original and the copy must end at the same position, so that the next segment follows both.
absl::Status Compactor::CheckEnd(const SegmentCursor& cursor) const {
  if (cursor.position() == segment_.end) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(SegmentFileName(segment_.segment_index),
                   ": its blocks do not end where its index or the next segment says"));
}

absl::Status Compactor::Replace() {
  const std::string name = SegmentFileName(segment_.segment_index);
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory_.OpenForRead(name));
  ASSIGN_OR_RETURN(const PreambleRead there, ReadPreamble(*file));
  if (there.preamble.segment_uuid != original_->preamble().segment_uuid) {
    return absl::AbortedError(absl::StrCat(name, ": it was replaced while it was compacted"));
  }
  RETURN_IF_ERROR(directory_.Replace(kCompactionFileName, name));
  has_file_ = false;
  return directory_.Sync();
}

}  // namespace journal
