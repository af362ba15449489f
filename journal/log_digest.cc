#include "journal/log_digest.h"

#include <algorithm>
#include <array>

#include "engine/base/check.h"

namespace journal {
namespace {

engine::Digest DigestOfPair(const engine::Digest& first, const engine::Digest& second) {
  const std::array<engine::Digest, 2> pair = {first, second};
  return engine::DigestOf(std::as_bytes(std::span(pair)));
}

uint64_t RunPosition(engine::SequenceNumber last) { return last.value() % kCheckpointInterval; }

}  // namespace

LogDigest::LogDigest(engine::SequenceNumber last, const engine::Digest& chain)
    : chain_(chain), last_(last) {
  CHECK_EQ(RunPosition(last), 0u);
}

void LogDigest::Add(const Row& row, engine::Bytes attachment) {
  if (!attachment.empty()) AddAttachment(row.sequence, attachment);
  AddRows({&row, 1});
}

void LogDigest::Add(std::span<const Row> rows, std::span<const AttachmentView> attachments) {
  while (!rows.empty()) {
    const size_t count = std::min<size_t>(rows.size(), kCheckpointInterval - RunPosition(last_));
    const engine::SequenceNumber last = last_ + count;
    while (!attachments.empty() && attachments.front().sequence <= last) {
      AddAttachment(attachments.front().sequence, attachments.front().bytes);
      attachments = attachments.subspan(1);
    }
    AddRows(rows.first(count));
    rows = rows.subspan(count);
  }
}

void LogDigest::AddUpTo(engine::SequenceNumber last, std::span<const Row>& rows,
                        std::span<const AttachmentView>& attachments) {
  const size_t count = std::min<uint64_t>(rows.size(), last - last_);
  const engine::SequenceNumber end = rows[count - 1].sequence;
  size_t attachment_count = 0;
  while (attachment_count < attachments.size() && attachments[attachment_count].sequence <= end) {
    ++attachment_count;
  }
  Add(rows.first(count), attachments.first(attachment_count));
  rows = rows.subspan(count);
  attachments = attachments.subspan(attachment_count);
}

void LogDigest::AddAttachment(engine::SequenceNumber sequence, engine::Bytes bytes) {
  std::array<std::byte, 16> head;
  engine::StoreLittleEndian(sequence.value(), head.data());
  engine::StoreLittleEndian(uint64_t{bytes.size()}, head.data() + 8);
  attachments_.Add(head);
  attachments_.Add(bytes);
}

// REQUIRES: `rows` do not extend past the end of the current run.
void LogDigest::AddRows(std::span<const Row> rows) {
  CHECK_EQ(rows.front().sequence, last_.Next());
  rows_.Add(std::as_bytes(rows));
  last_ = last_ + rows.size();
  if (RunPosition(last_) != 0) return;
  chain_ = Extended();
  rows_.Reset();
  attachments_.Reset();
}

engine::Digest LogDigest::Extended() const {
  return DigestOfPair(chain_, DigestOfPair(rows_.Finish(), attachments_.Finish()));
}

engine::Digest LogDigest::Value() const { return RunPosition(last_) == 0 ? chain_ : Extended(); }

}  // namespace journal
