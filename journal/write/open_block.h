// The block that a writer is filling: records in memory, in the layout of the block's body.

#ifndef JOURNAL_WRITE_OPEN_BLOCK_H_
#define JOURNAL_WRITE_OPEN_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/batch.h"
#include "journal/format/block_header.h"
#include "journal/record.h"

namespace journal {

// Not thread-safe: owned by its caller. Reuses its memory: it stops allocating once the buffers
// have reached the size of the largest block.
class OpenBlock {
 public:
  // It is full once it has `records_max` records or `attachment_bytes_max` bytes of attachments.
  OpenBlock(uint32_t records_max, uint32_t attachment_bytes_max)
      : records_max_(records_max), attachment_bytes_max_(attachment_bytes_max) {
    rows_.Reserve(RowsOnlyBytes(records_max));
  }

  // REQUIRES: it is not full.
  void Add(const Row& row, engine::Bytes attachment) {
    std::memcpy(rows_.data() + RowsOnlyBytes(row_count_), &row, sizeof(row));
    ++row_count_;
    if (!attachment.empty()) AddAttachment(row.sequence, attachment);
  }

  // Moves records from the front of `batch` into the block until it is full or none is left.
  // Returns how many.
  size_t Fill(Batch& batch);

  bool empty() const { return row_count_ == 0; }
  bool is_full() const {
    return row_count_ >= records_max_ || attachment_bytes_.size() >= attachment_bytes_max_;
  }
  size_t row_count() const { return row_count_; }

  // The records; valid until the next non-const call.
  Batch AsBatch();

  // The fields of the block's header that are known of its records. REQUIRES: it is not empty.
  BlockHeader Header() const;
  // The encoded body; valid until the next non-const call.
  engine::Bytes Body();

  void Clear();

 private:
  struct Attachment {
    engine::SequenceNumber sequence;
    size_t begin = 0;
    size_t bytes = 0;
  };

  std::span<const Row> rows() const {
    return {reinterpret_cast<const Row*>(rows_.data() + kRowsOffset), row_count_};
  }
  void AddAttachment(engine::SequenceNumber sequence, engine::Bytes bytes);

  const uint32_t records_max_;
  const uint32_t attachment_bytes_max_;
  AlignedBuffer rows_{kRowsOffset};  // The rows, after room for the head of a rows-only body.
  size_t row_count_ = 0;
  std::vector<Attachment> attachments_;
  std::vector<std::byte> attachment_bytes_;

  // Scratch memory, reused.
  AlignedBuffer message_{kRowsOffset};
  std::vector<AttachmentView> views_;
};

}  // namespace journal

#endif  // JOURNAL_WRITE_OPEN_BLOCK_H_
