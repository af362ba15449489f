#include "journal/follower.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/format/watermark_file.h"
#include "journal/record.h"
#include "journal/recovery/file_window.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/segment_scan.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Only a later block can show that a block is damaged and not just late. The follower searches for
// one after this many polls without a new record, and reports damage only if the next search finds
// it again, because names and pages may become visible out of order. Callers poll ten times a
// second or more, so damage is reported within a second.
constexpr uint64_t kPollsBetweenSearches = 4;
// A search covers this many bytes; the whole tail if the number of polls is a power of two.
constexpr uint64_t kSearchedBytes = 1 << 20;
// After this many polls without a new record, and each time that number has doubled, the whole
// journal is inspected.
constexpr uint64_t kPollsBeforeInspection = 1024;

bool IsPowerOfTwo(uint64_t number) { return (number & (number - 1)) == 0; }

// After every so many polls without a new record the follower reopens the segment by name, because
// the name may belong to a new file.
constexpr uint64_t kPollsBeforeReopening = 16;

// A position between two blocks of a segment, and the block before it.
struct Cursor {
  LogPosition position;
  uint64_t offset = 0;
  uint64_t previous_offset = 0;  // 0: the segment's first block comes next.
};

void MoveAfter(const BlockHeader& header, Cursor& cursor) {
  cursor.position = PositionAfter(header);
  cursor.previous_offset = cursor.offset;
  cursor.offset += StoredBytes(header);
}

class FollowerImpl final : public Follower {
 public:
  FollowerImpl(const Directory& directory, FollowOptions options)
      : directory_(directory), options_(options), next_(options.from) {}

  // Opens the segment that holds, or will hold, the first record to show.
  absl::Status Start() {
    ASSIGN_OR_RETURN(const std::vector<uint64_t> indexes, ListSegments(directory_));
    if (next_ == SequenceNumber()) {
      if (indexes.empty()) return absl::OkStatus();
      ASSIGN_OR_RETURN(const bool opened, OpenSegment(indexes.front()));
      if (opened) next_ = segment_->preamble.first_sequence;
      return absl::OkStatus();
    }
    for (auto index = indexes.rbegin(); index != indexes.rend(); ++index) {
      ASSIGN_OR_RETURN(const bool opened, OpenSegment(*index));
      if (opened && segment_->preamble.first_sequence <= next_) return absl::OkStatus();
    }
    if (segment_.has_value()) {
      return absl::OutOfRangeError(absl::StrCat(directory_.path(), ": sequence ", next_.value(),
                                                " is not in the journal, which begins at ",
                                                segment_->preamble.first_sequence.value()));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Batch> Poll() override {
    RETURN_IF_ERROR(status_);
    absl::StatusOr<Batch> batch = PollOnce();
    if (!batch.ok()) status_ = batch.status();
    return batch;
  }

  SequenceNumber next_sequence() const override { return next_; }
  SequenceNumber durable_sequence() const override { return durable_sequence_; }
  bool is_closed() const override { return is_closed_; }
  std::optional<Uuid> journal_uuid() const override {
    if (!segment_.has_value()) return std::nullopt;
    return segment_->preamble.journal_uuid;
  }

 private:
  struct Segment {
    Preamble preamble = {};
    std::string file_name;
    std::unique_ptr<File> file = nullptr;
    uint64_t seed = 0;
  };

  absl::StatusOr<Batch> PollOnce() {
    is_closed_ = false;
    if (!segment_.has_value()) {
      RETURN_IF_ERROR(Start());
      if (!segment_.has_value()) return Batch{};
    }
    uint64_t asked_for = 0;  // The block for which the file `watermark` was read.
    while (true) {
      if (IsSettled(shown_.position.next_block)) {
        ASSIGN_OR_RETURN(const bool moved, TakeBlock());
        if (moved && !batch_.empty()) return Show();
        if (moved) continue;
      }
      ASSIGN_OR_RETURN(const std::optional<BlockHeader> header, NextHeaderAt(shown_));
      if (header.has_value() && header->kind == BlockKind::kSeal) {
        ASSIGN_OR_RETURN(const bool rolled, Roll(*header));
        if (rolled) continue;
        ASSIGN_OR_RETURN(is_closed_, IsClosed());
        return Idle();
      }
      ASSIGN_OR_RETURN(const bool settled_more, ReadAhead());
      if (settled_more) continue;
      const uint64_t next = shown_.position.next_block;
      if (!header.has_value() || asked_for == next) return Idle();
      ASSIGN_OR_RETURN(const bool is_covered, IsCoveredByFile());
      if (!is_covered) return Idle();
      asked_for = next;
    }
  }

  bool IsSettled(uint64_t block_number) const {
    return options_.depth == FollowDepth::kWritten || block_number <= durable_block_ ||
           block_number == covered_.block_number;
  }

  Batch Show() {
    empty_polls_ = 0;
    missing_block_ = 0;
    next_ = batch_.rows.back().sequence.Next();
    return std::exchange(batch_, {});
  }

  // ---- Blocks

  // Moves past the block at `shown_` and leaves its records to show in batch_. False: the block is
  // not there yet, or it is the SEAL block.
  absl::StatusOr<bool> TakeBlock() {
    // Reads the header again after the watermark covered it: the window may be older.
    ASSIGN_OR_RETURN(const std::optional<BlockHeader> there, NextHeaderAt(shown_));
    const bool was_promised = shown_.position.next_block <= durable_block_;
    if (!was_promised && !(there.has_value() && MayShow(*there))) return false;
    absl::StatusOr<BlockHeader> header = ReadBlock();
    const bool is_old =
        header.ok() && there.has_value() && header->header_hash != there->header_hash;
    if (is_old || absl::IsDataLoss(header.status())) {
      window_->Forget();
      header = ReadBlock();
    }
    if (!header.ok()) {
      if (!absl::IsDataLoss(header.status())) return header.status();
      if (!was_promised) return false;
      return absl::DataLossError(absl::StrFormat(
          "%s: block %d at 0x%x, sequences from %d on, was durable and cannot be read: %s",
          segment_->file_name, shown_.position.next_block, shown_.offset,
          shown_.position.next_sequence.value(), std::string(header.status().message())));
    }
    if (header->kind == BlockKind::kSeal) return false;
    NoteWatermark(*header);
    MoveAfter(*header, shown_);
    return true;
  }

  // Whether a block that no later block's watermark covers may be shown.
  bool MayShow(const BlockHeader& there) const {
    return options_.depth == FollowDepth::kWritten || there.header_hash == covered_.header_hash;
  }

  absl::StatusOr<BlockHeader> ReadBlock() {
    batch_ = {};
    ASSIGN_OR_RETURN(const StoredBlock block,
                     ReadNextBlock(*window_, segment_->seed, shown_.position, shown_.offset));
    const SequenceNumber begin = SequenceNumber(block.header.first_sequence);
    if (block.header.kind == BlockKind::kData && begin + block.header.record_count > next_) {
      RETURN_IF_ERROR(decoder_.Decode(block.header, block.payload, decoded_));
      batch_ = decoded_.records();
      if (next_ > begin) batch_ = batch_.Part(next_ - begin);
    }
    return block.header;
  }

  // Reads the header from the file, not from the window. Nothing if there is no block that follows.
  absl::StatusOr<std::optional<BlockHeader>> NextHeaderAt(const Cursor& cursor) const {
    return NextHeader(*segment_->file, segment_->seed, cursor.position, cursor.offset);
  }

  // Whether the block before `cursor` is still the one that the cursor passed.
  absl::StatusOr<bool> StillThere(const Cursor& cursor) const {
    if (cursor.previous_offset == 0) return true;
    ASSIGN_OR_RETURN(const auto header,
                     HeaderAt(*segment_->file, segment_->seed, cursor.previous_offset));
    return header.has_value() && header->header_hash == cursor.position.last_block_hash;
  }

  // ---- The watermark

  // The watermark of a valid header is true even if the block's payload is lost.
  void NoteWatermark(const BlockHeader& header) {
    durable_block_ = std::max(durable_block_, header.durable_block);
    durable_sequence_ = std::max(durable_sequence_, SequenceNumber(header.durable_sequence));
  }

  // Whether the file `watermark` says that the next block is durable: the headers from there on
  // must lead to the block that it names. False if the file is missing or incomplete.
  absl::StatusOr<bool> IsCoveredByFile() {
    if (options_.depth == FollowDepth::kWritten) return false;
    const Watermark file_says = ReadWatermark(directory_).value_or(Watermark());
    if (file_says.journal_uuid != segment_->preamble.journal_uuid) return false;
    BlockHeader next;
    Cursor cursor = shown_;
    while (cursor.position.next_block <= file_says.durable_block) {
      ASSIGN_OR_RETURN(const std::optional<BlockHeader> header, NextHeaderAt(cursor));
      if (!header.has_value()) return false;
      if (cursor.offset == shown_.offset) next = *header;
      MoveAfter(*header, cursor);
    }
    const bool is_named = cursor.position.last_block_hash == file_says.block_hash;
    if (cursor.offset == shown_.offset || !is_named) return false;
    covered_ = next;
    durable_sequence_ = std::max(durable_sequence_, file_says.durable_sequence);
    return true;
  }

  // Reads headers after the last block shown, until one says that the next block is durable.
  absl::StatusOr<bool> ReadAhead() {
    if (options_.depth == FollowDepth::kWritten) return false;
    ASSIGN_OR_RETURN(const bool still_there, StillThere(ahead_));
    if (ahead_.position.next_block < shown_.position.next_block || !still_there) ahead_ = shown_;
    while (shown_.position.next_block > durable_block_) {
      ASSIGN_OR_RETURN(const std::optional<BlockHeader> header, NextHeaderAt(ahead_));
      if (!header.has_value()) return false;
      NoteWatermark(*header);
      MoveAfter(*header, ahead_);
    }
    return true;
  }

  // ---- Segments

  // False: the segment is not there, or its preamble is not complete yet.
  absl::StatusOr<bool> OpenSegment(uint64_t index) {
    Segment segment{.file_name = SegmentFileName(index)};
    absl::StatusOr<std::unique_ptr<File>> file = directory_.OpenForRead(segment.file_name);
    if (absl::IsNotFound(file.status())) return false;
    RETURN_IF_ERROR(file.status());
    absl::StatusOr<PreambleRead> read = ReadPreamble(**file);
    if (absl::IsDataLoss(read.status())) return false;
    if (!read.ok()) {
      return absl::Status(read.status().code(),
                          absl::StrCat(segment.file_name, ": ", read.status().message()));
    }
    segment.file = *std::move(file);
    segment.preamble = std::move(read->preamble);
    segment.seed = SeedOf(segment.preamble.segment_uuid);
    window_.reset();
    segment_ = std::move(segment);
    window_.emplace(*segment_->file);
    shown_ = {.position = PositionBefore(segment_->preamble),
              .offset = segment_->preamble.blocks_offset()};
    ahead_ = shown_;
    // The segment before was sealed and synced before this one was begun.
    durable_block_ = std::max(durable_block_, segment_->preamble.first_block - 1);
    durable_sequence_ = std::max(durable_sequence_, segment_->preamble.first_sequence - 1);
    return true;
  }

  // Continues in the next segment after the SEAL block; false if there is none yet.
  absl::StatusOr<bool> Roll(const BlockHeader& seal) {
    NoteWatermark(seal);
    const Uuid uuid = segment_->preamble.journal_uuid;
    LogPosition position = PositionAfter(seal);
    ASSIGN_OR_RETURN(const bool opened, OpenSegment(segment_->preamble.segment_index + 1));
    if (!opened) return false;
    empty_polls_ = 0;
    const LogPosition begins = PositionBefore(segment_->preamble);
    const bool continues =
        uuid == segment_->preamble.journal_uuid && begins.incarnation >= position.incarnation;
    position.incarnation = begins.incarnation;
    if (continues && begins == position) return true;
    return absl::DataLossError(
        absl::StrCat(segment_->file_name, ": the segment does not continue the one before it"));
  }

  // After a SEAL block: whether no segment follows and none is about to. A writer that rolls
  // creates `next.zeros` before it seals, and one rename turns that file into the next segment. So
  // the order matters: look for `next.zeros` first, then for the segment that it may have become.
  absl::StatusOr<bool> IsClosed() const {
    ASSIGN_OR_RETURN(const std::vector<std::string> names, directory_.List());
    if (std::ranges::count(names, kSpareFileName) != 0) return false;
    ASSIGN_OR_RETURN(const std::vector<uint64_t> indexes, ListSegments(directory_));
    return indexes.empty() || indexes.back() <= segment_->preamble.segment_index;
  }

  // ---- Nothing new

  absl::StatusOr<Batch> Idle() {
    if (empty_polls_ % kPollsBeforeReopening == kPollsBeforeReopening - 1) {
      RETURN_IF_ERROR(Reopen());
    }
    ASSIGN_OR_RETURN(const bool still_there, StillThere(shown_));
    if (!still_there) {
      return absl::DataLossError(absl::StrFormat(
          "%s: the block before sequence %d was shown, and is no longer there: recovery cut it off",
          segment_->file_name, next_.value()));
    }
    ++empty_polls_;
    if (empty_polls_ % kPollsBetweenSearches == 0) RETURN_IF_ERROR(SearchForDamage());
    if (empty_polls_ >= kPollsBeforeInspection && IsPowerOfTwo(empty_polls_)) {
      RETURN_IF_ERROR(Inspect());
    }
    return Batch{};
  }

  // Reopens the segment by name: a writer that takes over may have copied it to a new file.
  absl::Status Reopen() {
    absl::StatusOr<std::unique_ptr<File>> file = directory_.OpenForRead(segment_->file_name);
    if (absl::IsNotFound(file.status())) return absl::OkStatus();
    RETURN_IF_ERROR(file.status());
    window_.reset();
    segment_->file = *std::move(file);
    window_.emplace(*segment_->file);
    return absl::OkStatus();
  }

  // Searches after the first place without a following block for a header that says the missing
  // block was durable. Blocks are written in order: a block that is still missing after a later one
  // was seen is damaged. The blocks before it are then shown, and reading it is an error.
  absl::Status SearchForDamage() {
    const Cursor& end = options_.depth == FollowDepth::kWritten ? shown_ : ahead_;
    const uint64_t missing = end.position.next_block;
    const uint64_t bytes = IsPowerOfTwo(empty_polls_) ? UINT64_MAX - end.offset : kSearchedBytes;
    ASSIGN_OR_RETURN(const uint64_t durable,
                     DurableBlockAfter(*segment_->file, segment_->preamble, end.offset, bytes));
    ASSIGN_OR_RETURN(const std::optional<BlockHeader> header, NextHeaderAt(end));
    const bool is_missing = !header.has_value() && durable >= missing;
    if (!is_missing || std::exchange(missing_block_, missing) != missing) return absl::OkStatus();
    durable_block_ = std::max(durable_block_, durable);
    return absl::OkStatus();
  }

  // Inspects the whole journal. Damage is an error only if it stops this follower.
  absl::Status Inspect() const {
    ASSIGN_OR_RETURN(const std::vector<uint64_t> indexes, ListSegments(directory_));
    const uint64_t here = segment_->preamble.segment_index;
    if (!indexes.empty() && indexes.back() > here + 1 &&
        !std::ranges::binary_search(indexes, here + 1)) {
      return absl::DataLossError(
          absl::StrCat(directory_.path(), ": ", SegmentFileName(here + 1),
                       " is gone, and later segments are there; a hold would have kept it"));
    }
    ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory_, InspectDepth::kTail));
    if (state.verdict != Verdict::kDamaged ||
        state.durable_sequence < shown_.position.next_sequence) {
      return absl::OkStatus();
    }
    return absl::DataLossError(absl::StrCat(directory_.path(), ": ", state.VerdictReason()));
  }

  const Directory& directory_;
  const FollowOptions options_;
  SequenceNumber next_;
  absl::Status status_;  // Sticky.
  bool is_closed_ = false;
  uint64_t empty_polls_ = 0;

  std::optional<Segment> segment_;
  std::optional<FileWindow> window_;
  Cursor shown_;  // All blocks before it have been shown, or hold no record to show.
  Cursor ahead_;  // How far headers have been read.
  uint64_t durable_block_ = 0;
  SequenceNumber durable_sequence_;
  BlockHeader covered_;         // The block that the file `watermark` says is durable.
  uint64_t missing_block_ = 0;  // The block that one search has found missing.
  Batch batch_;
  BlockDecoder decoder_;
  DecodedBlock decoded_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Follower>> Follower::Open(const Directory& directory,
                                                         FollowOptions options) {
  auto follower = std::make_unique<FollowerImpl>(directory, options);
  RETURN_IF_ERROR(follower->Start());
  return follower;
}

}  // namespace journal
