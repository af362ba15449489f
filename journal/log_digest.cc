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

}  // namespace

void RecordsDigest::Add(const Batch& batch) {
  rows_.Add(std::as_bytes(batch.rows));
  for (const AttachmentView& attachment : batch.attachments) {
    std::array<std::byte, 16> head;
    engine::StoreLittleEndian(attachment.sequence.value(), head.data());
    engine::StoreLittleEndian(uint64_t{attachment.bytes.size()}, head.data() + 8);
    attachments_.Add(head);
    attachments_.Add(attachment.bytes);
  }
}

engine::Digest RecordsDigest::Finish() const {
  return DigestOfPair(rows_.Finish(), attachments_.Finish());
}

void RecordsDigest::Reset() {
  rows_.Reset();
  attachments_.Reset();
}

LogDigest::LogDigest(engine::SequenceNumber last, const engine::Digest& chain)
    : chain_(chain), last_(last) {
  CHECK(EndsRun(last)) << last;
}

void LogDigest::Add(const Row& row, engine::Bytes attachment) {
  const AttachmentView view{.sequence = row.sequence, .bytes = attachment};
  AddToRun({.rows = {&row, 1}, .attachments = {&view, attachment.empty() ? size_t{0} : 1}});
}

void LogDigest::Add(std::span<const Row> rows, std::span<const AttachmentView> attachments) {
  Batch batch{.rows = rows, .attachments = attachments};
  AddUpTo(last_ + rows.size(), batch);
}

void LogDigest::AddUpTo(engine::SequenceNumber last, Batch& batch) {
  while (!batch.empty() && last_ < last) {
    const uint64_t count = std::min({batch.rows.size(), last - last_, LeftOfRun(last_.Next())});
    AddToRun(batch.Part(0, count));
    batch = batch.Part(count);
  }
}

// REQUIRES: the records of `part` do not extend past the end of the current run.
void LogDigest::AddToRun(const Batch& part) {
  CHECK_EQ(part.rows.front().sequence, last_.Next());
  run_.Add(part);
  last_ = last_ + part.rows.size();
  if (!EndsRun(last_)) return;
  chain_ = Extended();
  run_.Reset();
}

engine::Digest LogDigest::Extended() const { return DigestOfPair(chain_, run_.Finish()); }

engine::Digest LogDigest::Value() const { return EndsRun(last_) ? chain_ : Extended(); }

}  // namespace journal
