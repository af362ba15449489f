#include "journal/writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/aligned_buffer.h"
#include "journal/block_codec.h"
#include "journal/block_header.h"
#include "journal/format.h"
#include "journal/journal_state.h"
#include "journal/open_block.h"
#include "journal/preamble.h"
#include "journal/recovery.h"
#include "journal/repair.h"
#include "journal/segment_writer.h"
#include "journal/takeover.h"

namespace journal {

using engine::SequenceNumber;
using engine::Timestamp;

namespace {

absl::Status CheckOptions(const WriterOptions& options) {
  if (options.segment_bytes < (64 << 10) || options.segment_bytes > uint64_t{16} << 30) {
    return absl::InvalidArgumentError("segment_bytes must be 64 KiB to 16 GiB");
  }
  if (options.block_records < 1 || options.block_records > kBlockRecordsMax) {
    return absl::InvalidArgumentError("block_records must be 1 to 65536");
  }
  if (options.block_attachment_bytes < 1 ||
      options.block_attachment_bytes > kBlockAttachmentBytesMax) {
    return absl::InvalidArgumentError("block_attachment_bytes must be 1 to 4 MiB");
  }
  if (options.zstd_level < 1 || options.zstd_level > 19) {
    return absl::InvalidArgumentError("zstd_level must be 1 to 19");
  }
  return absl::OkStatus();
}

// The command line differs from run to run, and does not change what the records mean.
bool IsSameApplication(JournalMetadata a, const JournalMetadata& b) {
  a.created_by = b.created_by;
  return a == b;
}

// An upper bound of what sealing takes: the SEAL block, an index entry per block, the trailer.
uint64_t SealBytes(uint64_t block_count) {
  return 2 * kAlignment + AlignUp(block_count * 64 + 256);
}

}  // namespace

class Writer::Impl {
 public:
  Impl(Directory& directory, std::unique_ptr<DirectoryLock> lock, JournalMetadata metadata,
       WriterOptions options)
      : directory_(directory),
        lock_(std::move(lock)),
        metadata_(std::move(metadata)),
        options_(options),
        open_(options.block_records),
        encoder_(options.compression == Compression::kZstd ? std::optional(options.zstd_level)
                                                           : std::nullopt) {}

  absl::Status Begin(const Uuid& uuid, Timestamp created) {
    Preamble preamble;
    preamble.journal_uuid = uuid;
    preamble.first_sequence = SequenceNumber::First();
    preamble.first_block = 1;
    preamble.created = created;
    return BeginSegment(std::move(preamble));
  }

  absl::Status Recover(const Uuid& uuid, Timestamp created) {
    ASSIGN_OR_RETURN(const JournalState state, InspectForTakeover(directory_));
    recovery_.torn = state.verdict == Verdict::kTorn;
    for (const Finding& finding : state.findings) {
      if (finding.verdict == Verdict::kTorn && finding.first_sequence.value() != 0) {
        recovery_.records_dropped += finding.last_sequence - finding.first_sequence + 1;
      }
    }
    // The segment to go on from: the last, or the one before a file that never became one.
    const SegmentState* last = &state.segments.back();
    const bool never_began = last->recovery_case->action == RecoveryAction::kSetSegmentAside;
    const SegmentState* aside = never_began ? last : nullptr;
    if (never_began) last = state.segments.size() > 1 ? last - 1 : nullptr;
    if (last != nullptr) {
      RETURN_IF_ERROR(CheckRowSchema(*last));
      RETURN_IF_ERROR(ResumeLogDigest(directory_, *last, digest_));
    }
    if (aside != nullptr) {
      ASSIGN_OR_RETURN(recovery_.bytes_set_aside, SetSegmentAside(directory_, *aside));
    }
    if (last == nullptr) return Begin(uuid, created);
    RETURN_IF_ERROR(TrimSidecar(directory_, *last));
    RETURN_IF_ERROR(GoOn(*last, created));
    recovery_.last_sequence = next_ - 1;
    return absl::OkStatus();
  }

  absl::Status Append(const Row& row, engine::Bytes attachment) {
    if (!status_.ok()) return status_;
    CHECK_EQ(row.sequence, next_);
    CHECK_GE(row.timestamp, last_timestamp_);
    if (attachment.size() > kMaxAttachmentBytes) {
      return absl::InvalidArgumentError(absl::StrCat("attachment of ", attachment.size(),
                                                     " bytes; at most ", kMaxAttachmentBytes,
                                                     " are allowed"));
    }
    open_.Add(row, attachment);
    stats_.attachment_bytes += attachment.size();
    next_ = next_.Next();
    last_timestamp_ = row.timestamp;
    if (open_.row_count() < options_.block_records &&
        open_.attachment_bytes() < options_.block_attachment_bytes) {
      return absl::OkStatus();
    }
    return Write();
  }

  absl::Status Write() {
    if (status_.ok() && !open_.empty()) status_ = CloseBlock();
    return status_;
  }

  absl::Status Sync() {
    RETURN_IF_ERROR(Write());
    if (!segment_->all_durable()) {
      status_ = segment_->Sync();
      ++stats_.syncs;
    }
    return status_;
  }

  absl::Status Heartbeat() {
    RETURN_IF_ERROR(status_);
    if (!open_.empty() || !segment_->watermark_unwritten()) return absl::OkStatus();
    stats_.stored_bytes += kAlignment;
    return status_ = segment_->WriteBlockWithoutRecords(BlockKind::kHeartbeat);
  }

  absl::Status Close() {
    RETURN_IF_ERROR(Write());
    RETURN_IF_ERROR(status_ = Seal());
    status_ = absl::FailedPreconditionError("the journal is closed");
    lock_.reset();
    return absl::OkStatus();
  }

  engine::Digest LogDigestNow() {
    CatchUpDigest();
    return digest_->Value();
  }

  const Uuid& journal_uuid() const { return segment_->preamble().journal_uuid; }
  SequenceNumber next_sequence() const { return next_; }
  SequenceNumber written_sequence() const { return segment_->position().next_sequence - 1; }
  SequenceNumber durable_sequence() const { return segment_->durable_sequence(); }
  Timestamp last_timestamp() const { return last_timestamp_; }
  const WriterStats& stats() const { return stats_; }
  const RecoverySummary& recovery() const { return recovery_; }

 private:
  absl::Status CheckRowSchema(const SegmentState& last) const {
    const uint64_t found = last.preamble->preamble.metadata.row_schema_id;
    if (found == metadata_.row_schema_id) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(directory_.path(), ": rows have schema 0x",
                                                      absl::Hex(found), ", this program writes 0x",
                                                      absl::Hex(metadata_.row_schema_id)));
  }

  absl::Status GoOn(const SegmentState& last, Timestamp created) {
    next_ = last.position.next_sequence;
    last_timestamp_ = last.position.last_timestamp;
    const RecoveryAction action = last.recovery_case->action;
    if (action == RecoveryAction::kBeginNext || last.has_footer) {
      recovery_.was_sealed = true;
      return BeginNextSegment(last.preamble->preamble, last.position, created,
                              last.position.incarnation + 1);
    }
    ASSIGN_OR_RETURN(RepairedTail tail, CutTail(directory_, last));
    recovery_.bytes_set_aside += tail.bytes_set_aside;
    segment_ = std::make_unique<SegmentWriter>(std::move(tail.file), last);
    if (action == RecoveryAction::kFinishSeal || last.is_sealed) {
      recovery_.was_sealed = true;
      RETURN_IF_ERROR(segment_->WriteFooter(digest_->Value(), digest_->chain()));
      return BeginNextSegment(last.preamble->preamble, segment_->position(), created,
                              segment_->position().incarnation + 1);
    }
    stats_.stored_bytes += kAlignment;
    RETURN_IF_ERROR(segment_->WriteBlockWithoutRecords(BlockKind::kRecovery));
    RETURN_IF_ERROR(segment_->Sync());
    RETURN_IF_ERROR(directory_.Sync());
    if (IsSameApplication(metadata_, last.preamble->preamble.metadata)) return absl::OkStatus();
    return Roll(created);
  }

  absl::Status BeginSegment(Preamble preamble) {
    preamble.metadata = metadata_;
    preamble.segment_uuid =
        DeriveSegmentUuid(preamble.journal_uuid, preamble.segment_index, preamble.incarnation);
    if (!digest_.has_value()) digest_.emplace();
    preamble.log_chain = ClosedChain();
    next_ = preamble.first_sequence;
    ASSIGN_OR_RETURN(segment_, SegmentWriter::Create(directory_, std::move(preamble)));
    ++stats_.segments;
    stats_.stored_bytes += segment_->end_offset();
    return absl::OkStatus();
  }

  absl::Status BeginNextSegment(const Preamble& previous, const LogPosition& position,
                                Timestamp created, uint32_t incarnation) {
    Preamble preamble;
    preamble.journal_uuid = previous.journal_uuid;
    preamble.segment_index = previous.segment_index + 1;
    preamble.first_sequence = position.next_sequence;
    preamble.first_block = position.next_block;
    preamble.incarnation = incarnation;
    preamble.previous_block_hash = position.last_block_hash;
    preamble.previous_timestamp = position.last_timestamp;
    preamble.created = created;
    return BeginSegment(std::move(preamble));
  }

  absl::Status Seal() {
    const uint64_t begin = segment_->end_offset();
    RETURN_IF_ERROR(segment_->Seal(ClosedDigest(), ClosedChain()));
    stats_.stored_bytes += segment_->end_offset() - begin;
    return absl::OkStatus();
  }

  // The open block, if there is one, goes to the new segment.
  absl::Status Roll(Timestamp created) {
    RETURN_IF_ERROR(Seal());
    const SequenceNumber next = next_;
    const LogPosition position = segment_->position();
    RETURN_IF_ERROR(
        BeginNextSegment(segment_->preamble(), position, created, position.incarnation));
    next_ = next;
    return absl::OkStatus();
  }

  // The digest of what has left the open block, which may be less than what has been digested.
  engine::Digest ClosedDigest() const {
    return digested_rows_ == 0 ? digest_->Value() : closed_digest_;
  }
  engine::Digest ClosedChain() const {
    return digested_rows_ == 0 ? digest_->chain() : closed_chain_;
  }

  void CatchUpDigest() {
    if (digested_rows_ == open_.row_count()) return;
    closed_digest_ = ClosedDigest();
    closed_chain_ = ClosedChain();
    digest_->Add(open_.rows().subspan(digested_rows_),
                 open_.AttachmentsFrom(digested_attachments_));
    digested_rows_ = open_.row_count();
    digested_attachments_ = open_.attachment_count();
  }

  absl::Status CloseBlock() {
    BlockHeader header;
    header.record_count = static_cast<uint32_t>(open_.row_count());
    header.first_timestamp = open_.rows().front().timestamp.nanos();
    header.last_timestamp = open_.rows().back().timestamp.nanos();
    encoder_.Encode(open_.Body(), header, block_);
    if (segment_->block_count() != 0 &&
        segment_->end_offset() + StoredBytes(header) + SealBytes(segment_->block_count() + 1) >
            options_.segment_bytes) {
      RETURN_IF_ERROR(Roll(segment_->position().last_timestamp));
    }
    RETURN_IF_ERROR(segment_->WriteDataBlock(header, block_));
    CatchUpDigest();
    CountBlock(header);
    open_.Clear();
    digested_rows_ = digested_attachments_ = 0;
    return absl::OkStatus();
  }

  void CountBlock(const BlockHeader& header) {
    stats_.records += header.record_count;
    ++stats_.blocks;
    if (header.codec != Codec::kNone) ++stats_.blocks_compressed;
    stats_.raw_bytes += header.raw_bytes;
    stats_.stored_bytes += StoredBytes(header);
  }

  // Constant after construction.
  Directory& directory_;
  std::unique_ptr<DirectoryLock> lock_;
  const JournalMetadata metadata_;
  const WriterOptions options_;

  absl::Status status_;  // Sticky; see the class comment.
  std::unique_ptr<SegmentWriter> segment_;
  std::optional<LogDigest> digest_;
  SequenceNumber next_ = SequenceNumber::First();
  Timestamp last_timestamp_;
  WriterStats stats_;
  RecoverySummary recovery_;

  // How much of the open block is in the digest already, because someone asked for it.
  OpenBlock open_;
  size_t digested_rows_ = 0;
  size_t digested_attachments_ = 0;
  engine::Digest closed_digest_;  // Of before the open block, once some of it has been digested.
  engine::Digest closed_chain_;

  // Scratch, kept for reuse.
  BlockEncoder encoder_;
  AlignedBuffer block_{kRowsOffsetInBlock};
};

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Writer::~Writer() = default;

absl::StatusOr<std::unique_ptr<Writer>> Writer::Create(Directory& directory,
                                                       JournalMetadata metadata, const Uuid& uuid,
                                                       Timestamp created, WriterOptions options) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DirectoryLock> lock, directory.Lock());
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  for (const std::string& name : names) {
    if (ParseSegmentFileName(name).has_value()) {
      return absl::AlreadyExistsError(absl::StrCat(directory.path(), ": a journal is there"));
    }
  }
  auto impl = std::make_unique<Impl>(directory, std::move(lock), std::move(metadata), options);
  RETURN_IF_ERROR(impl->Begin(uuid, created));
  return std::make_unique<Writer>(std::move(impl));
}

absl::StatusOr<std::unique_ptr<Writer>> Writer::Open(Directory& directory, JournalMetadata metadata,
                                                     const Uuid& uuid, Timestamp created,
                                                     WriterOptions options) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DirectoryLock> lock, directory.Lock());
  auto impl = std::make_unique<Impl>(directory, std::move(lock), std::move(metadata), options);
  RETURN_IF_ERROR(impl->Recover(uuid, created));
  return std::make_unique<Writer>(std::move(impl));
}

absl::Status Writer::Append(const Row& row, engine::Bytes attachment) {
  return impl_->Append(row, attachment);
}
absl::Status Writer::Write() { return impl_->Write(); }
absl::Status Writer::Sync() { return impl_->Sync(); }
absl::Status Writer::Heartbeat() { return impl_->Heartbeat(); }
absl::Status Writer::Close() { return impl_->Close(); }
const Uuid& Writer::journal_uuid() const { return impl_->journal_uuid(); }
SequenceNumber Writer::next_sequence() const { return impl_->next_sequence(); }
SequenceNumber Writer::written_sequence() const { return impl_->written_sequence(); }
SequenceNumber Writer::durable_sequence() const { return impl_->durable_sequence(); }
Timestamp Writer::last_timestamp() const { return impl_->last_timestamp(); }
engine::Digest Writer::log_digest() const { return impl_->LogDigestNow(); }
const WriterStats& Writer::stats() const { return impl_->stats(); }
const RecoverySummary& Writer::recovery() const { return impl_->recovery(); }

}  // namespace journal
