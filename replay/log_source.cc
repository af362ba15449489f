#include "replay/log_source.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"

namespace replay {
namespace {

constexpr uint64_t kReservedMax = 1 << 20;

// Records from `next` to the end of its run of 4096, both included.
size_t LeftOfRun(engine::SequenceNumber next) {
  return journal::kCheckpointInterval - (next.value() - 1) % journal::kCheckpointInterval;
}

}  // namespace

absl::Status JournalSource::Seek(engine::SequenceNumber sequence) {
  rest_ = {};
  return reader_.SeekToSequence(sequence);
}

// Copies the rows, because a run may span several of the reader's batches.
void JournalSource::Take(const journal::Batch& batch, size_t count) {
  const auto rows = batch.rows.first(count);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  size_t taken = 0;
  while (taken < batch.attachments.size() &&
         batch.attachments[taken].sequence <= rows.back().sequence) {
    const journal::AttachmentView& view = batch.attachments[taken++];
    attachment_bytes_.emplace_back(view.bytes.begin(), view.bytes.end());
    attachments_.push_back({.sequence = view.sequence, .bytes = {}});
  }
  rest_ = {.rows = batch.rows.subspan(count), .attachments = batch.attachments.subspan(taken)};
}

absl::StatusOr<journal::Batch> JournalSource::NextRun() {
  rows_.clear();
  attachment_bytes_.clear();
  attachments_.clear();
  size_t wanted = 1;
  while (rows_.size() < wanted) {
    if (rest_.empty()) {
      ASSIGN_OR_RETURN(rest_, reader_.NextBatch());
      if (rest_.empty()) break;
    }
    if (rows_.empty()) wanted = LeftOfRun(rest_.rows.front().sequence);
    Take(rest_, std::min(rest_.rows.size(), wanted - rows_.size()));
  }
  for (size_t i = 0; i < attachments_.size(); ++i) attachments_[i].bytes = attachment_bytes_[i];
  return journal::Batch{.rows = rows_, .attachments = attachments_};
}

absl::Status MemorySource::Seek(engine::SequenceNumber sequence) {
  CHECK(sequence >= engine::SequenceNumber::First() && sequence <= last().Next());
  next_ = sequence.value() - 1;
  return absl::OkStatus();
}

absl::StatusOr<journal::Batch> MemorySource::NextRun() {
  rows_.clear();
  attachments_.clear();
  const size_t end = std::min(log_.size(), next_ + LeftOfRun(engine::SequenceNumber(next_ + 1)));
  for (; next_ < end; ++next_) {
    const LogEntry& entry = log_[next_];
    const engine::SequenceNumber sequence(next_ + 1);
    rows_.push_back(entry.row);
    rows_.back().sequence = sequence;
    if (entry.attachment != nullptr) {
      attachments_.push_back({.sequence = sequence, .bytes = *entry.attachment});
    }
  }
  return journal::Batch{.rows = rows_, .attachments = attachments_};
}

absl::StatusOr<Log> LoadLog(LogSource& source, engine::SequenceNumber last) {
  RETURN_IF_ERROR(source.Seek(engine::SequenceNumber::First()));
  Log log;
  // Capped, because the last sequence number of a damaged journal may be wrong.
  log.reserve(std::min<uint64_t>(last.value(), kReservedMax));
  while (log.size() < last.value()) {
    ASSIGN_OR_RETURN(const journal::Batch batch, source.NextRun());
    if (batch.empty()) break;
    auto attachment = batch.attachments.begin();
    for (const journal::Row& row : batch.rows) {
      if (log.size() == last.value()) break;
      LogEntry& entry = log.emplace_back(LogEntry{.row = row});
      if (attachment != batch.attachments.end() && attachment->sequence == row.sequence) {
        const engine::Bytes bytes = (attachment++)->bytes;
        entry.attachment =
            std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
      }
    }
  }
  return log;
}

journal::Batch PartOf(const journal::Batch& batch, size_t index, size_t count) {
  count = std::min(count, batch.rows.size() - index);
  journal::Batch part = {.rows = batch.rows.subspan(index, count), .attachments = {}};
  if (part.empty()) return part;
  const auto sequence = &journal::AttachmentView::sequence;
  const auto first =
      std::ranges::lower_bound(batch.attachments, part.rows.front().sequence, {}, sequence);
  const auto end =
      std::ranges::upper_bound(batch.attachments, part.rows.back().sequence, {}, sequence);
  part.attachments = std::span(first, end);
  return part;
}

}  // namespace replay
