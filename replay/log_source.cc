#include "replay/log_source.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"

namespace replay {
namespace {

constexpr uint64_t kReservedMax = 1 << 20;

}  // namespace

absl::Status JournalSource::Seek(engine::SequenceNumber sequence) {
  rest_ = {};
  return reader_.SeekToSequence(sequence);
}

// Copies the rows, because a run may span several of the reader's batches.
void JournalSource::Take(const journal::Batch& batch, size_t count) {
  const journal::Batch part = batch.Part(0, count);
  rows_.insert(rows_.end(), part.rows.begin(), part.rows.end());
  for (const journal::AttachmentView& view : part.attachments) {
    // These bytes stay where they are when the list of attachments grows.
    const auto& bytes = attachment_bytes_.emplace_back(view.bytes.begin(), view.bytes.end());
    attachments_.push_back({.sequence = view.sequence, .bytes = bytes});
  }
  rest_ = batch.Part(count);
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
    if (rows_.empty()) wanted = journal::LeftOfRun(rest_.rows.front().sequence);
    Take(rest_, std::min(rest_.rows.size(), wanted - rows_.size()));
  }
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
  const size_t end =
      std::min(log_.size(), next_ + journal::LeftOfRun(engine::SequenceNumber(next_ + 1)));
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

absl::StatusOr<journal::Batch> TimedSource::NextRun() {
  if (out_of_time_ && out_of_time_()) return absl::DeadlineExceededError("time is up");
  return source_.NextRun();
}

absl::StatusOr<Log> LoadLog(LogSource& source, engine::SequenceNumber last) {
  RETURN_IF_ERROR(source.Seek(engine::SequenceNumber::First()));
  Log log;
  // Capped, because the last sequence number of a damaged journal may be wrong.
  log.reserve(std::min<uint64_t>(last.value(), kReservedMax));
  while (log.size() < last.value()) {
    ASSIGN_OR_RETURN(const journal::Batch batch, source.NextRun());
    if (batch.empty()) break;
    const journal::Batch part = batch.Part(0, last.value() - log.size());
    for (size_t i = 0; i < part.rows.size(); ++i) log.push_back(FirstOf(part.Part(i, 1)));
  }
  return log;
}

LogEntry FirstOf(const journal::Batch& batch) {
  LogEntry entry{.row = batch.rows.front()};
  std::span<const journal::AttachmentView> attachments = batch.attachments;
  const engine::Bytes bytes = journal::TakeAttachment(attachments, entry.row.sequence);
  if (!bytes.empty()) {
    entry.attachment = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  }
  return entry;
}

}  // namespace replay
