#include "journal/reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/batch.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/recovery/segment_scan.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

// Returns `error` with the file, block, offset and sequences of `entry` in front of its message.
absl::Status AtBlock(std::string_view file_name, const BlockEntry& entry,
                     const absl::Status& error) {
  return {error.code(), absl::StrFormat("%s: block %d at 0x%x, sequences %d..%d: %s", file_name,
                                        entry.number, entry.offset, entry.first_sequence.value(),
                                        entry.next_sequence().value() - 1, error.message())};
}

// A body without attachments is exactly this long, and every other one is longer.
bool HasAttachments(const BlockHeader& header) {
  return header.raw_bytes != RowsOnlyBytes(header.record_count);
}

class ReaderImpl final : public Reader {
 public:
  ReaderImpl(const Directory& directory, JournalState state)
      : directory_(directory), state_(std::move(state)), info_(InfoOf(directory, state_)) {
    std::erase_if(state_.segments,
                  [](const SegmentState& s) { return !s.has_records_of_journal(); });
    expected_ = info_.first_sequence;
  }

  const JournalInfo& info() const override { return info_; }

  // The readable end is the journal's end unless durable records are missing.
  absl::Status CheckEnd() const override {
    if (info_.verdict != Verdict::kDamaged) return absl::OkStatus();
    const SequenceNumber first_missing = info_.last_readable.Next();
    if (info_.durable_sequence < first_missing) {
      return absl::DataLossError(absl::StrFormat(
          "%s: what follows sequence %d cannot be read, or is not of this journal; %s", info_.path,
          info_.last_readable.value(), info_.verdict_reason));
    }
    return absl::DataLossError(absl::StrFormat(
        "%s: sequences %d..%d, which were durable, cannot be read; %s", info_.path,
        first_missing.value(), info_.durable_sequence.value(), info_.verdict_reason));
  }

  absl::Status SeekToSequence(SequenceNumber sequence) override {
    if (sequence < info_.first_sequence || sequence > info_.last_sequence.Next()) {
      return absl::OutOfRangeError(absl::StrFormat(
          "%s: sequence %d is not in the journal, which has %d to %d", info_.path, sequence.value(),
          info_.first_sequence.value(), info_.last_sequence.value()));
    }
    // Finds the last segment that begins at or before `sequence`, and in it the first block that
    // ends at or after it.
    const auto& segments = state_.segments;
    const auto after =
        std::ranges::upper_bound(segments, sequence, {}, &SegmentState::first_sequence);
    const size_t segment = static_cast<size_t>(after - segments.begin()) - 1;
    const auto& blocks = segments[segment].blocks;
    const auto block = std::ranges::upper_bound(blocks, sequence, {}, &BlockEntry::next_sequence);
    MoveTo(segment, static_cast<size_t>(block - blocks.begin()), sequence);
    RETURN_IF_ERROR(CheckContinues(0));
    // The record is lost to damage: the next read returns the error.
    if (block == blocks.end() || sequence < block->first_sequence) return absl::OkStatus();
    RETURN_IF_ERROR(LoadBlock());
    rest_ = rest_.Part(sequence - rest_.rows.front().sequence);
    return absl::OkStatus();
  }

  absl::Status SeekToTime(Timestamp time) override {
    const auto& segments = state_.segments;
    SequenceNumber before = info_.first_sequence;  // The end of the blocks that end before `time`.
    for (size_t segment = 0; segment < segments.size(); ++segment) {
      const auto& blocks = segments[segment].blocks;
      if (blocks.empty()) continue;
      if (blocks.back().last_timestamp < time) {
        before = blocks.back().next_sequence();
        continue;
      }
      MoveTo(segment, 0, segments[segment].first_sequence());
      RETURN_IF_ERROR(CheckContinues(0));
      RETURN_IF_ERROR(OpenSegment());
      const auto block = std::ranges::lower_bound(blocks, time, {}, &BlockEntry::last_timestamp);
      if (block != blocks.begin()) before = std::prev(block)->next_sequence();
      MoveTo(segment, static_cast<size_t>(block - blocks.begin()), block->first_sequence);
      RETURN_IF_ERROR(LoadBlock());
      const auto row = std::ranges::lower_bound(rest_.rows, time, {}, &Row::timestamp);
      if (row == rest_.rows.begin()) {
        // A missing record may be the first one at that time.
        const SequenceNumber after = std::exchange(expected_, before);
        RETURN_IF_ERROR(CheckNothingMissing(segments[segment], *block));
        expected_ = after;
      }
      rest_ = rest_.Part(static_cast<size_t>(row - rest_.rows.begin()));
      return absl::OkStatus();
    }
    return SeekToSequence(info_.last_sequence.Next());
  }

  absl::StatusOr<std::optional<Record>> Next() override {
    ASSIGN_OR_RETURN(const bool more, HasRest());
    if (!more) return std::optional<Record>();
    const Row& row = rest_.rows.front();
    rest_.rows = rest_.rows.subspan(1);
    return std::optional(
        Record{.row = &row, .attachment = TakeAttachment(rest_.attachments, row.sequence)});
  }

  absl::StatusOr<Batch> NextBatch() override {
    given_ = {};
    RETURN_IF_ERROR(HasRest().status());
    return given_ = std::exchange(rest_, {});
  }

  absl::StatusOr<Batch> NextBatchWithAttachments(SequenceNumber end) override {
    given_ = {};
    if (rest_.attachments.empty()) rest_ = {};
    while (rest_.empty()) {
      ASSIGN_OR_RETURN(const bool more, Step());
      if (!more || state_.segments[segment_].blocks[block_].first_sequence >= end) return Batch();
      ASSIGN_OR_RETURN(const bool passed, PassWithoutAttachments());
      if (!passed) RETURN_IF_ERROR(LoadBlock());
    }
    return std::exchange(rest_, {});
  }

  void GiveBack(size_t count) override {
    CHECK_LE(rest_.rows.size() + count, given_.rows.size());
    rest_ = given_.Part(given_.rows.size() - rest_.rows.size() - count);
  }

  absl::StatusOr<bool> TakeBlock(TakenBlock& block) override {
    SequenceNumber first;
    if (!rest_.empty()) {
      first = rest_.rows.front().sequence;
      --block_;  // A seek decoded the block; it is decoded again.
    } else {
      ASSIGN_OR_RETURN(const bool more, Step());
      if (!more) return false;
      first = expected_;
    }
    ASSIGN_OR_RETURN(const StoredBlock stored, ReadBlock());
    const SegmentState& segment = state_.segments[segment_];
    block.Fill(segment.file_name, segment.blocks[block_], stored.header, stored.payload, first);
    Pass();
    rest_ = {};
    return true;
  }

 private:
  void MoveTo(size_t segment, size_t block, SequenceNumber expected) {
    segment_ = segment;
    block_ = block;
    expected_ = expected;
    status_ = absl::OkStatus();
    previous_block_ = 0;
    previous_block_hash_ = 0;
    rest_ = {};
  }

  // Loads the next block if the records of the last one were read; false at the end of the journal.
  absl::StatusOr<bool> HasRest() {
    if (!rest_.empty()) return true;
    ASSIGN_OR_RETURN(const bool more, Step());
    if (more) RETURN_IF_ERROR(LoadBlock());
    return more;
  }

  // Moves to a later segment if this one has no more blocks; false at the end of the journal.
  absl::StatusOr<bool> Step() {
    RETURN_IF_ERROR(status_);
    const size_t from = segment_;
    while (segment_ < state_.segments.size() && block_ == state_.segments[segment_].blocks.size()) {
      ++segment_;
      block_ = 0;
    }
    RETURN_IF_ERROR(CheckContinues(from));
    if (segment_ == state_.segments.size()) {
      status_ = CheckEnd();
      RETURN_IF_ERROR(status_);
      return false;
    }
    return true;
  }

  // Checks that every segment after `from`, up to the current one, continues the log: if one does
  // not, its records may be another log's. A segment without blocks is checked too, because a
  // foreign preamble may hide its blocks. A segment after missing segments may be read: nothing
  // contradicts its place.
  absl::Status CheckContinues(size_t from) {
    for (size_t i = from + 1; i <= segment_ && i < state_.segments.size(); ++i) {
      const SegmentState& segment = state_.segments[i];
      if (segment.continues) continue;
      return status_ = absl::DataLossError(
                 absl::StrFormat("%s: it does not continue the segment before it: sequences from "
                                 "%d on may be those of "
                                 "another log",
                                 segment.file_name, segment.first_sequence().value()));
    }
    return absl::OkStatus();
  }

  absl::Status CheckNothingMissing(const SegmentState& segment, const BlockEntry& entry) {
    if (entry.first_sequence <= expected_) return absl::OkStatus();
    return status_ = absl::DataLossError(absl::StrFormat(
               "%s: before block %d at 0x%x: sequences %d..%d are missing or damaged%s%s",
               segment.file_name, entry.number, entry.offset, expected_.value(),
               entry.first_sequence.value() - 1, info_.verdict_reason.empty() ? "" : "; ",
               info_.verdict_reason));
  }

  absl::Status LoadBlock() {
    ASSIGN_OR_RETURN(const StoredBlock stored, ReadBlock());
    const absl::StatusOr<Batch> records = walk_->Decode(stored);
    if (!records.ok()) return AtThisBlock(records.status());
    Pass();
    rest_ = *records;
    return absl::OkStatus();
  }

  void Pass() { expected_ = state_.segments[segment_].blocks[block_++].next_sequence(); }

  // Returns the next block as stored.
  absl::StatusOr<StoredBlock> ReadBlock() {
    RETURN_IF_ERROR(OpenSegment());
    const SegmentState& segment = state_.segments[segment_];
    const BlockEntry& entry = segment.blocks[block_];
    RETURN_IF_ERROR(CheckNothingMissing(segment, entry));
    absl::StatusOr<StoredBlock> stored = walk_->ReadStored(entry, "the index says");
    if (!stored.ok()) return AtThisBlock(stored.status());
    RETURN_IF_ERROR(CheckFollowsLast(stored->header));
    return stored;
  }

  // Passes over the next block if its header shows that it has no attachments. A header that is not
  // the index's passes nothing: loading the block then says what is wrong.
  absl::StatusOr<bool> PassWithoutAttachments() {
    RETURN_IF_ERROR(OpenSegment());
    const SegmentState& segment = state_.segments[segment_];
    const BlockEntry& entry = segment.blocks[block_];
    RETURN_IF_ERROR(CheckNothingMissing(segment, entry));
    ASSIGN_OR_RETURN(const std::optional<BlockHeader> header, walk_->HeaderOf(entry));
    if (!header.has_value() || HasAttachments(*header)) return false;
    RETURN_IF_ERROR(CheckFollowsLast(*header));
    Pass();
    return true;
  }

  absl::Status CheckFollowsLast(const BlockHeader& header) {
    if (header.block_number == previous_block_ + 1 &&
        header.previous_block_hash != previous_block_hash_) {
      return AtThisBlock(absl::DataLossError("it does not follow the block before it"));
    }
    previous_block_ = header.block_number;
    previous_block_hash_ = header.header_hash;
    return absl::OkStatus();
  }

  absl::Status AtThisBlock(const absl::Status& error) {
    const SegmentState& segment = state_.segments[segment_];
    return status_ = AtBlock(segment.file_name, segment.blocks[block_], error);
  }

  // Opens the file of the current segment. If compaction has replaced it, finds the new block that
  // holds the next record.
  absl::Status OpenSegment() {
    if (open_segment_ == segment_) return absl::OkStatus();
    open_segment_.reset();
    SegmentState& segment = state_.segments[segment_];
    absl::StatusOr<std::unique_ptr<BlockWalk>> walk = BlockWalk::Open(directory_, segment);
    if (!walk.ok()) return status_ = walk.status();
    walk_ = *std::move(walk);
    open_segment_ = segment_;
    if (!walk_->replacement().has_value()) return absl::OkStatus();
    segment = *std::move(walk_->replacement());
    const auto block =
        std::ranges::upper_bound(segment.blocks, expected_, {}, &BlockEntry::next_sequence);
    block_ = static_cast<size_t>(block - segment.blocks.begin());
    return absl::OkStatus();
  }

  const Directory& directory_;
  JournalState state_;
  const JournalInfo info_;

  // The position: the next records are rest_, then those of block_.
  size_t segment_ = 0;
  size_t block_ = 0;
  SequenceNumber expected_;  // The first record of block_, if none is missing.
  Batch rest_;
  Batch given_;                  // By the last NextBatch().
  absl::Status status_;          // Sticky until a seek.
  uint64_t previous_block_ = 0;  // The last block read, to check the chain.
  uint64_t previous_block_hash_ = 0;

  std::optional<size_t> open_segment_;
  std::unique_ptr<BlockWalk> walk_;  // Of open_segment_.
};

}  // namespace

void TakenBlock::Fill(std::string_view file_name, const BlockEntry& entry,
                      const BlockHeader& header, engine::Bytes payload, SequenceNumber first) {
  file_name_ = file_name;
  entry_ = entry;
  header_ = header;
  first_ = first;
  payload_.Reserve(payload.size());
  std::memcpy(payload_.data(), payload.data(), payload.size());
}

absl::StatusOr<Batch> TakenBlock::Decode(DecodingRoom& room) {
  const engine::Bytes payload = std::as_const(payload_).first(header_.payload_bytes);
  absl::Status status = CheckPayload(header_, payload);
  if (status.ok()) status = room.Decode(header_, payload, decoded_);
  if (!status.ok()) return AtBlock(file_name_, entry_, status);
  const Batch all = decoded_.records();
  const SequenceNumber begin = all.rows.front().sequence;
  return first_ <= begin ? all : all.Part(first_ - begin);
}

absl::StatusOr<std::unique_ptr<Reader>> Reader::Open(const Directory& directory) {
  ASSIGN_OR_RETURN(JournalState state, InspectJournal(directory, InspectDepth::kTail));
  const bool is_readable = std::ranges::any_of(state.segments, &SegmentState::is_readable);
  if (!is_readable && state.verdict == Verdict::kDamaged) {
    return absl::DataLossError(absl::StrCat(directory.path(), ": ", state.VerdictReason()));
  }
  if (!is_readable) {
    return absl::NotFoundError(absl::StrCat(
        directory.path(), ": no journal there yet: its writer stopped before the first segment"));
  }
  return std::make_unique<ReaderImpl>(directory, std::move(state));
}

}  // namespace journal
