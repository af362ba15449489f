#include "journal/write/open_block.h"

#include <utility>

namespace journal {

void OpenBlock::AddAttachment(engine::SequenceNumber sequence, engine::Bytes bytes) {
  attachments_.push_back(
      {.sequence = sequence, .begin = attachment_bytes_.size(), .bytes = bytes.size()});
  attachment_bytes_.insert(attachment_bytes_.end(), bytes.begin(), bytes.end());
}

size_t OpenBlock::Fill(Batch& batch) {
  size_t count = 0;
  for (; count < batch.rows.size() && !is_full(); ++count) {
    const Row& row = batch.rows[count];
    Add(row, TakeAttachment(batch.attachments, row.sequence));
  }
  batch.rows = batch.rows.subspan(count);
  return count;
}

Batch OpenBlock::AsBatch() {
  views_.clear();
  for (const Attachment& attachment : attachments_) {
    views_.push_back(
        {.sequence = attachment.sequence,
         .bytes = engine::Bytes(attachment_bytes_).subspan(attachment.begin, attachment.bytes)});
  }
  return {.rows = rows(), .attachments = views_};
}

BlockHeader OpenBlock::Header() const {
  BlockHeader header;
  header.record_count = static_cast<uint32_t>(row_count_);
  header.first_timestamp = rows().front().timestamp.nanos();
  header.last_timestamp = rows().back().timestamp.nanos();
  return header;
}

engine::Bytes OpenBlock::Body() {
  if (attachments_.empty()) {
    WriteRowsOnlyHead(row_count_, rows_.data());
    return std::as_const(rows_).first(RowsOnlyBytes(row_count_));
  }
  const size_t bytes = EncodeBatch(AsBatch(), message_);
  return std::as_const(message_).first(bytes);
}

void OpenBlock::Clear() {
  row_count_ = 0;
  attachments_.clear();
  attachment_bytes_.clear();
}

}  // namespace journal
