// A log that can be read repeatedly, in runs of 4096 records: from a journal or from memory.

#ifndef REPLAY_LOG_SOURCE_H_
#define REPLAY_LOG_SOURCE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/record.h"

namespace replay {

// A record in memory. A regular value type; copies share the attachment.
struct LogEntry {
  journal::Row row;
  std::shared_ptr<const std::vector<std::byte>> attachment = nullptr;  // Null: none.

  engine::Bytes bytes() const { return attachment == nullptr ? engine::Bytes() : *attachment; }
  journal::Record record() const { return {.row = &row, .attachment = bytes()}; }
};

// Records in order. As a log of its own, the record at index i has sequence number i + 1.
using Log = std::vector<LogEntry>;

// Not thread-safe.
class LogSource {
 public:
  virtual ~LogSource() = default;

  virtual engine::SequenceNumber last() const = 0;

  // Positions the source so that the next batch begins with `sequence`.
  virtual absl::Status Seek(engine::SequenceNumber sequence) = 0;

  // Returns the records from the next one to the end of its run of 4096; empty at the end of the
  // log. Valid until the next call. Errors: the reader's.
  virtual absl::StatusOr<journal::Batch> NextRun() = 0;
};

// `reader` outlives it and may be at any position.
class JournalSource final : public LogSource {
 public:
  explicit JournalSource(journal::Reader& reader) : reader_(reader) {}

  engine::SequenceNumber last() const override { return reader_.info().last_sequence; }
  absl::Status Seek(engine::SequenceNumber sequence) override;
  absl::StatusOr<journal::Batch> NextRun() override;

 private:
  void Take(const journal::Batch& batch, size_t count);

  journal::Reader& reader_;
  journal::Batch rest_;  // The part of the reader's batch that was not returned yet.
  std::vector<journal::Row> rows_;
  std::vector<std::vector<std::byte>> attachment_bytes_;
  std::vector<journal::AttachmentView> attachments_;
};

// `log` outlives it. Its records are numbered from 1.
class MemorySource final : public LogSource {
 public:
  explicit MemorySource(std::span<const LogEntry> log) : log_(log) {}

  engine::SequenceNumber last() const override { return engine::SequenceNumber(log_.size()); }
  absl::Status Seek(engine::SequenceNumber sequence) override;
  absl::StatusOr<journal::Batch> NextRun() override;

 private:
  const std::span<const LogEntry> log_;
  size_t next_ = 0;
  std::vector<journal::Row> rows_;
  std::vector<journal::AttachmentView> attachments_;
};

// Another source until time is up; then NextRun() returns DEADLINE_EXCEEDED. Both arguments outlive
// it. `out_of_time` is called before each run; null: there is no limit.
class TimedSource final : public LogSource {
 public:
  TimedSource(LogSource& source, const std::function<bool()>& out_of_time)
      : source_(source), out_of_time_(out_of_time) {}

  engine::SequenceNumber last() const override { return source_.last(); }
  absl::Status Seek(engine::SequenceNumber sequence) override { return source_.Seek(sequence); }
  absl::StatusOr<journal::Batch> NextRun() override;

 private:
  LogSource& source_;
  const std::function<bool()>& out_of_time_;
};

// Returns the records up to and including `last`, in memory. Errors: the source's.
absl::StatusOr<Log> LoadLog(LogSource& source, engine::SequenceNumber last);

// Returns a copy of the first record of `batch`, which is not empty.
LogEntry FirstOf(const journal::Batch& batch);

}  // namespace replay

#endif  // REPLAY_LOG_SOURCE_H_
