#include "journal/maintenance/bulk_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/recovery/segment_scan.h"
#include "journal/write/open_block.h"
#include "journal/write/segment_writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

constexpr uint32_t kAttachmentBytesOfABlock = 1 << 20;
// A smaller block wastes more of its last page, and is put together with its neighbours.
constexpr uint32_t kKeptBlockRecords = 1024;
// Fast, and ranks masks in the same order as the slow levels.
constexpr int kTrialLevel = 1;

// A block that is being filled, and its encoded form, which is as small as possible: it stores as
// differences those words that shrink it.
//
// The best words depend on the data: order numbers of cancels may ascend with the log, or jump. One
// pass over the words, with trial encodings of the block itself. Reuses its memory.
struct PendingBlock {
  explicit PendingBlock(uint32_t records_max) : open(records_max, kAttachmentBytesOfABlock) {}

  void Encode(int zstd_level) {
    const engine::Bytes body = open.Body();
    header = open.Header();
    const auto stored_with = [&](uint8_t delta_mask, int level) {
      BlockEncoder(level, delta_mask).Encode(body, header, encoded);
      return header.payload_bytes;
    };
    uint32_t best = stored_with(best_mask, kTrialLevel);
    for (int word = 0; word < 8; ++word) {
      const auto mask = static_cast<uint8_t>(best_mask ^ 1 << word);
      const uint32_t stored = stored_with(mask, kTrialLevel);
      if (stored >= best) continue;
      best = stored;
      best_mask = mask;
    }
    stored_with(best_mask, zstd_level);
  }

  OpenBlock open;
  uint8_t best_mask = kDefaultDeltaMask;  // Of the previous block: the start of the next search.
  BlockHeader header;
  AlignedBuffer encoded{kRowsOffsetInBlock};
};

class BulkWriterImpl final : public BulkWriter {
 public:
  BulkWriterImpl(Directory& to, std::unique_ptr<DirectoryLock> lock, BulkOrigin origin,
                 BulkOptions options)
      : to_(to), lock_(std::move(lock)), origin_(origin), options_(std::move(options)) {
    position_.next_sequence = origin_.first_sequence;
    position_.last_timestamp = origin_.previous_timestamp;
    next_ = origin_.first_sequence;
    if (origin_.first_sequence == SequenceNumber::First()) {
      digest_.emplace();
    } else if (origin_.log_chain.has_value()) {
      digest_.emplace(origin_.first_sequence - 1, *origin_.log_chain);
    }
    for (size_t i = 0; i < options_.blocks_in_parallel; ++i) {
      pending_.push_back(std::make_unique<PendingBlock>(options_.block_records));
    }
  }

  absl::Status SetMetadata(const JournalMetadata& metadata, Timestamp created) override {
    RETURN_IF_ERROR(status_);
    if (segment_ != nullptr && metadata_ == metadata) return absl::OkStatus();
    RETURN_IF_ERROR(Flush());
    if (segment_ != nullptr) RETURN_IF_ERROR(Seal());
    metadata_ = metadata;
    return status_ = Begin(created);
  }

  absl::Status Append(Batch batch) override {
    RETURN_IF_ERROR(status_);
    CheckFollows(batch);
    while (!batch.empty()) {
      OpenBlock& open = pending_[filling_]->open;
      next_ = next_ + open.Fill(batch);
      if (open.is_full() && ++filling_ == pending_.size()) RETURN_IF_ERROR(Flush());
    }
    return absl::OkStatus();
  }

  absl::Status AppendBlock(const TakenBlock& block, Batch records) override {
    RETURN_IF_ERROR(status_);
    CheckFollows(records);
    CHECK_EQ(records.rows.size(), block.header().record_count);
    RETURN_IF_ERROR(Flush());
    const engine::Bytes payload = block.payload();
    const uint64_t stored_bytes = StoredBytes(block.header());
    kept_.Reserve(stored_bytes);
    const engine::MutableBytes after_header = kept_.first(stored_bytes).subspan(kBlockHeaderBytes);
    std::ranges::copy(payload, after_header.begin());
    std::ranges::fill(after_header.subspan(payload.size()), std::byte{0});
    next_ = next_ + records.rows.size();
    return status_ = WriteDataBlock(block.header(), kept_, records);
  }

  absl::Status Close() override {
    RETURN_IF_ERROR(status_);
    RETURN_IF_ERROR(Flush());
    if (segment_ != nullptr) RETURN_IF_ERROR(status_ = Seal());
    status_ = absl::FailedPreconditionError("the journal is closed");
    return absl::OkStatus();
  }

  SequenceNumber next_sequence() const override { return next_; }
  uint64_t stored_bytes() const override { return stored_bytes_; }
  engine::Digest log_digest() const override { return digests().log; }

 private:
  void CheckFollows(Batch batch) const {
    CHECK(segment_ != nullptr);
    for (SequenceNumber expected = next_; const Row& row : batch.rows) {
      CHECK_EQ(row.sequence, expected) << "(J1)";
      expected = expected.Next();
    }
  }

  LogDigests digests() const { return digest_.has_value() ? digest_->digests() : LogDigests(); }

  absl::Status Begin(Timestamp created) {
    Preamble preamble = PreambleAt(position_);
    preamble.journal_uuid = origin_.journal_uuid;
    preamble.segment_index = origin_.segment_index + segments_begun_++;
    preamble.log_chain = digests().chain;
    preamble.created = created;
    preamble.metadata = metadata_;
    ASSIGN_OR_RETURN(segment_, SegmentWriter::Create(to_, std::move(preamble)));
    return absl::OkStatus();
  }

  // Encodes the filled blocks, perhaps in parallel, and writes them in order.
  absl::Status Flush() {
    size_t count = filling_;
    if (count < pending_.size() && !pending_[count]->open.empty()) ++count;
    options_.parallel(
        count, [this](size_t i) { pending_[i]->Encode(options_.zstd_level); }, [] {});
    for (size_t i = 0; i < count; ++i) {
      PendingBlock& pending = *pending_[i];
      if (status_.ok()) {
        status_ = WriteDataBlock(pending.header, pending.encoded, pending.open.AsBatch());
      }
      pending.open.Clear();
    }
    filling_ = 0;
    return status_;
  }

  // `block` has room for the header, then the payload and zeros.
  absl::Status WriteDataBlock(const BlockHeader& header, AlignedBuffer& block, Batch records) {
    if (segment_->block_count() > 0 &&
        segment_->end_offset() + StoredBytes(header) > options_.segment_bytes) {
      RETURN_IF_ERROR(Seal());
      RETURN_IF_ERROR(Begin(position_.last_timestamp));
    }
    segment_->Stage(header, block);
    RETURN_IF_ERROR(segment_->WriteStaged());
    if (digest_.has_value()) digest_->Add(records.rows, records.attachments);
    return absl::OkStatus();
  }

  absl::Status Seal() {
    RETURN_IF_ERROR(segment_->Seal(digests()));
    position_ = segment_->position();
    stored_bytes_ += segment_->end_offset();
    segment_.reset();
    return absl::OkStatus();
  }

  Directory& to_;
  const std::unique_ptr<DirectoryLock> lock_;
  const BulkOrigin origin_;
  const BulkOptions options_;
  absl::Status status_;  // Sticky.

  std::vector<std::unique_ptr<PendingBlock>> pending_;
  AlignedBuffer kept_{kRowsOffsetInBlock};  // A block that is kept as it is.
  size_t filling_ = 0;   // Index of the block being filled; those before it are full.
  SequenceNumber next_;  // After the last record appended.
  std::optional<LogDigest> digest_;

  JournalMetadata metadata_;
  std::unique_ptr<SegmentWriter> segment_;
  LogPosition position_;  // Before segment_.
  uint64_t segments_begun_ = 0;
  uint64_t stored_bytes_ = 0;  // Of the sealed segments.
};

}  // namespace

absl::StatusOr<std::unique_ptr<BulkWriter>> BulkWriter::Create(Directory& to, BulkOrigin origin,
                                                               BulkOptions options) {
  if (options.block_records < 1 || options.block_records > kBlockRecordsMax) {
    return absl::InvalidArgumentError("block_records must be 1 to 65536");
  }
  if (options.zstd_level < 1 || options.zstd_level > 19) {
    return absl::InvalidArgumentError("zstd_level must be 1 to 19");
  }
  if (options.blocks_in_parallel < 1) {
    return absl::InvalidArgumentError("blocks_in_parallel must be at least 1");
  }
  ASSIGN_OR_RETURN(std::unique_ptr<DirectoryLock> lock, to.Lock());
  RETURN_IF_ERROR(CheckHasNoJournal(to));
  return std::make_unique<BulkWriterImpl>(to, std::move(lock), origin, std::move(options));
}

namespace {

// A segment's metadata names the build and rules of its records, and stays with them.
absl::Status KeepMetadata(const Reader& reader, BulkWriter& writer) {
  const std::vector<SegmentInfo>& segments = reader.info().segments;
  const auto segment =
      std::ranges::lower_bound(segments, writer.next_sequence(), {}, &SegmentInfo::last_sequence);
  CHECK(segment != segments.end());
  return writer.SetMetadata(segment->metadata, segment->created);
}

}  // namespace

absl::Status CopyRecords(Reader& reader, SequenceNumber last, BulkWriter& writer,
                         absl::FunctionRef<void(SequenceNumber)> copied) {
  while (writer.next_sequence() <= last) {
    ASSIGN_OR_RETURN(const Batch batch, reader.NextBatch());
    if (batch.empty()) break;
    RETURN_IF_ERROR(KeepMetadata(reader, writer));
    RETURN_IF_ERROR(writer.Append(batch.Part(0, last - writer.next_sequence() + 1)));
    copied(writer.next_sequence() - 1);
  }
  return absl::OkStatus();
}

absl::Status CopyBlocks(Reader& reader, SequenceNumber last, BulkWriter& writer,
                        absl::FunctionRef<void(SequenceNumber)> copied) {
  TakenBlock block;
  DecodingRoom room;
  while (writer.next_sequence() <= last) {
    ASSIGN_OR_RETURN(const bool more, reader.TakeBlock(block));
    if (!more) break;
    ASSIGN_OR_RETURN(const Batch batch, block.Decode(room));
    const Batch wanted = batch.Part(0, last - writer.next_sequence() + 1);
    RETURN_IF_ERROR(KeepMetadata(reader, writer));
    const bool is_whole = wanted.rows.size() == block.header().record_count;
    RETURN_IF_ERROR(is_whole && wanted.rows.size() >= kKeptBlockRecords
                        ? writer.AppendBlock(block, wanted)
                        : writer.Append(wanted));
    copied(writer.next_sequence() - 1);
  }
  return absl::OkStatus();
}

}  // namespace journal
