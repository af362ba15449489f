#include "journal/writer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/log_digest.h"
#include "journal/write/ack_gate.h"
#include "journal/write/block_ring.h"
#include "journal/write/open_block.h"
#include "journal/write/segment_chain.h"
#include "journal/write/space_account.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

// Without a second thread the only block is the one that is being filled.
constexpr size_t kBlocksOfOneThread = 1;
constexpr int64_t kWaitNanos = 1'000'000'000;

class WriterImpl final : public Writer {
 public:
  WriterImpl(Directory& directory, std::unique_ptr<DirectoryLock> lock, JournalMetadata metadata,
             const WriterOptions& options)
      : directory_(directory),
        lock_(std::move(lock)),
        metadata_(std::move(metadata)),
        options_(options),
        threads_(options.threads),
        ring_(threads_ == nullptr ? kBlocksOfOneThread : options.blocks_in_flight,
              options.block_records, options.block_attachment_bytes),
        chain_(directory, metadata_, options_),
        back_(directory, ring_, chain_, options_) {}

  absl::Status Begin(const Uuid& uuid, Timestamp created) {
    Preamble preamble = PreambleAt(LogPosition());
    preamble.journal_uuid = uuid;
    preamble.created = created;
    digest_.emplace();
    RETURN_IF_ERROR(chain_.Begin(std::move(preamble)));
    return Start();
  }

  absl::Status Recover(const Uuid& uuid, Timestamp created, const Restore& restore) {
    RETURN_IF_ERROR(TakeOver(directory_, metadata_, created, restore, chain_, digest_, recovery_));
    if (!digest_.has_value()) return Begin(uuid, created);
    return Start();
  }

  absl::Status Append(const Row& row, engine::Bytes attachment, Space space) override {
    RETURN_IF_ERROR(status());
    CHECK_EQ(row.sequence, next_);
    CHECK_GE(row.timestamp, last_timestamp_);
    if (attachment.size() > kMaxAttachmentBytes) {
      return absl::InvalidArgumentError(absl::StrCat("attachment of ", attachment.size(),
                                                     " bytes; at most ", kMaxAttachmentBytes,
                                                     " are allowed"));
    }
    if (options_.reserve_bytes != 0) {
      RETURN_IF_ERROR(FindSpace(SpaceAccount::BytesOfRecord(attachment), space));
    }
    if (!ring_.has_free()) RETURN_IF_ERROR(Await([&] { return ring_.has_free(); }));
    OpenBlock& open = ring_.filling().records;
    open.Add(row, attachment);
    space_.AddRecord(attachment);
    next_ = next_.Next();
    last_timestamp_ = row.timestamp;
    if (!open.is_full()) return absl::OkStatus();
    CloseBlock();
    return status();
  }

  bool HasRoom() const override { return threads_ == nullptr || ring_.free_count() >= 2; }

  absl::Status HandOver() override {
    RETURN_IF_ERROR(status());
    if (threads_ == nullptr || open_is_empty() || !ring_.all_freed()) return absl::OkStatus();
    if (gate_.waits_for_disk() && back_.durable_sequence() != back_.written_sequence()) {
      return absl::OkStatus();
    }
    CloseBlock();
    return absl::OkStatus();
  }

  absl::Status Write() override {
    RETURN_IF_ERROR(status());
    if (!open_is_empty()) CloseBlock();
    return Await([&] { return ring_.all_freed(); });
  }

  absl::Status Sync() override {
    RETURN_IF_ERROR(status());
    if (!open_is_empty()) CloseBlock();
    const uint64_t request = back_.RequestSync();
    WakeWritingThread();
    return Await([&] { return back_.syncs_served() >= request; });
  }

  absl::Status Heartbeat() override {
    RETURN_IF_ERROR(status());
    if (threads_ == nullptr && open_is_empty()) back_.WriteHeartbeat();
    return status();
  }

  absl::Status SetAckPolicy(AckPolicy policy) override {
    RETURN_IF_ERROR(status());
    const AckPolicy before = gate_.policy();
    if (policy == before) return absl::OkStatus();
    if (next_ == first_) {
      gate_ = AckGate(policy);
    } else {
      if (!open_is_empty()) CloseBlock();
      if (options_.reserve_bytes != 0) RETURN_IF_ERROR(FindSpace(0, Space::kReserve));
      gate_.Switch(next_ - 1, policy);
      RETURN_IF_ERROR(
          HandOverOther(ClosedBlock::Kind::kControl, EncodeAckPolicyChange(before, policy)));
    }
    back_.SyncAlways(threads_ != nullptr && gate_.waits_for_disk());
    WakeWritingThread();
    return status();
  }

  SequenceNumber acknowledged_sequence() override {
    const bool waited = gate_.waits_for_disk();
    const SequenceNumber acknowledged = gate_.Acknowledged({.sequenced = next_ - 1,
                                                            .written = back_.written_sequence(),
                                                            .durable = back_.durable_sequence()});
    if (waited && !gate_.waits_for_disk()) back_.SyncAlways(false);
    return acknowledged;
  }

  absl::Status Close() override {
    RETURN_IF_ERROR(status());
    if (!open_is_empty()) CloseBlock();
    RETURN_IF_ERROR(HandOverOther(ClosedBlock::Kind::kClose, 0));
    RETURN_IF_ERROR(Await([&] { return back_.closed(); }));
    is_closed_ = true;
    return absl::OkStatus();
  }

  void RunBackground(engine::SteadyClock& clock) override {
    CHECK(threads_ != nullptr);
    back_.Run(*threads_, clock);
  }
  void StopBackground() override {
    back_.Stop();
    if (threads_ != nullptr) threads_->writing.Ring();
  }
  BlockWriter& writing_half() override { return back_; }

  AckPolicy ack_policy() const override { return gate_.policy(); }
  const Uuid& journal_uuid() const override { return journal_uuid_; }
  SequenceNumber next_sequence() const override { return next_; }
  SequenceNumber written_sequence() const override { return back_.written_sequence(); }
  SequenceNumber durable_sequence() const override { return back_.durable_sequence(); }
  Timestamp last_timestamp() const override { return last_timestamp_; }
  engine::Digest log_digest() override {
    CatchUpDigest();
    return digest_->Value();
  }
  bool has_second_thread() const override { return threads_ != nullptr; }
  const RecoverySummary& recovery() const override { return recovery_; }

  absl::Status status() const override {
    if (is_closed_) return absl::FailedPreconditionError("the journal is closed");
    return back_.status();
  }
  WriterStats stats() const override { return back_.stats(); }

 private:
  // Initialises both halves. REQUIRES: the chain has a segment.
  absl::Status Start() {
    const SegmentWriter& segment = chain_.segment();
    journal_uuid_ = segment.preamble().journal_uuid;
    first_ = next_ = segment.position().next_sequence;
    last_timestamp_ = segment.position().last_timestamp;
    closed_digests_ = digest_->digests();
    back_.Start(closed_digests_);
    if (options_.reserve_bytes != 0) back_.ReserveAll();
    return back_.status();
  }

  bool open_is_empty() const {
    return !ring_.has_free() || ring_.filling().records.row_count() == 0;
  }

  // Part of the open block may be in digest_ already, because a caller asked for log_digest().
  void CatchUpDigest() {
    if (open_is_empty()) return;
    const Batch records = ring_.filling().records.AsBatch();
    const Batch rest = records.Part(digest_->last().Next() - records.rows.front().sequence);
    digest_->Add(rest.rows, rest.attachments);
  }

  // REQUIRES: the open block is not empty.
  void CloseBlock() {
    CatchUpDigest();
    ClosedBlock& block = ring_.filling();
    block.kind = ClosedBlock::Kind::kRecords;
    block.digests = closed_digests_ = digest_->digests();
    block.bytes_bound = space_.CloseBlock();
    HandOverFilled();
  }

  absl::Status HandOverOther(ClosedBlock::Kind kind, uint64_t control) {
    RETURN_IF_ERROR(Await([&] { return ring_.has_free(); }));
    ClosedBlock& block = ring_.filling();
    block.kind = kind;
    block.control = control;
    block.digests = closed_digests_;
    block.bytes_bound = space_.AddBlockWithoutRecords();
    HandOverFilled();
    return status();
  }

  void HandOverFilled() {
    ring_.HandOver();
    WakeWritingThread();
  }

  // Wakes the writing half; without a second thread, runs it here.
  void WakeWritingThread() {
    if (threads_ != nullptr) {
      threads_->writing.Ring();
      return;
    }
    back_.Work();
    if (options_.reserve_bytes != 0 && !back_.disk_full()) back_.ReserveAll();
  }

  template <typename Condition>
  absl::Status Await(Condition holds) {
    while (!holds()) {
      RETURN_IF_ERROR(status());
      CHECK(threads_ != nullptr) << "one thread waits for itself";
      threads_->sequencing.Wait(kWaitNanos);
    }
    return status();
  }

  bool HasSpace(uint64_t bytes) const {
    const uint64_t freed = back_.freed_bytes();
    return space_.Unwritten(freed) + bytes <= back_.reserve();
  }

  absl::Status FindSpace(uint64_t bytes, Space space) {
    if (threads_ == nullptr && back_.disk_full()) back_.ReserveAll();
    // The disk is not full and the reserve has no space: the reserve is still being written.
    while (!back_.disk_full() && !HasSpace(bytes)) {
      RETURN_IF_ERROR(status());
      if (threads_ == nullptr) {
        if (!open_is_empty()) CloseBlock();
        back_.ReserveAll();
      } else {
        threads_->sequencing.Wait(kWaitNanos);
      }
    }
    RETURN_IF_ERROR(status());
    if (!back_.disk_full() || (space == Space::kReserve && HasSpace(bytes))) {
      return absl::OkStatus();
    }
    return absl::ResourceExhaustedError(absl::StrCat(
        directory_.path(), ": the disk is full; ", back_.reserve(),
        space == Space::kReserve
            ? " bytes are left of the journal's reserve, too few for one more record"
            : " bytes are left of the journal's reserve, for cancels only until there is space"));
  }

  // Constant once Start() has been called.
  Directory& directory_;
  std::unique_ptr<DirectoryLock> lock_;
  const JournalMetadata metadata_;
  const WriterOptions options_;
  const WriterThreads* const threads_;
  Uuid journal_uuid_;
  SequenceNumber first_;  // The first record that this writer appends.
  RecoverySummary recovery_;

  // The sequencing half's state.
  bool is_closed_ = false;
  std::optional<LogDigest> digest_;
  LogDigests closed_digests_;  // Of all records before the open block.
  SequenceNumber next_ = SequenceNumber::First();
  Timestamp last_timestamp_;
  AckGate gate_{AckPolicy::kNone};
  SpaceAccount space_;

  // The writing half, and the ring between the two halves.
  BlockRing ring_;
  SegmentChain chain_;
  BlockWriter back_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Writer>> Writer::Create(Directory& directory,
                                                       JournalMetadata metadata, const Uuid& uuid,
                                                       Timestamp created, WriterOptions options) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DirectoryLock> lock, directory.Lock());
  RETURN_IF_ERROR(CheckHasNoJournal(directory));
  auto writer =
      std::make_unique<WriterImpl>(directory, std::move(lock), std::move(metadata), options);
  RETURN_IF_ERROR(writer->Begin(uuid, created));
  return writer;
}

absl::StatusOr<std::unique_ptr<Writer>> Writer::Open(Directory& directory, JournalMetadata metadata,
                                                     const Uuid& uuid, Timestamp created,
                                                     WriterOptions options,
                                                     const Restore& restore) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(std::unique_ptr<DirectoryLock> lock, directory.Lock());
  auto writer =
      std::make_unique<WriterImpl>(directory, std::move(lock), std::move(metadata), options);
  RETURN_IF_ERROR(writer->Recover(uuid, created, restore));
  return writer;
}

}  // namespace journal
