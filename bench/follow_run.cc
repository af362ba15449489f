#include "bench/follow_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/schema.h"
#include "journal/ack_policy.h"
#include "journal/journal_metadata.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/command_row.h"
#include "replay/exchange_vocabulary.h"
#include "tools/os/child_process.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

using engine::SequenceNumber;

constexpr int64_t kWaitNanos = 1'000'000'000;

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Records when the first line of each sequence number was read.
class ShownLines {
 public:
  explicit ShownLines(size_t sequences) : first_read_(sequences + 1) {}

  // Called by the thread that reads the follower's output; returns when the output ends.
  void Read(tools::ChildProcess& follower) {
    std::array<std::byte, 65536> bytes;
    while (true) {
      const absl::StatusOr<size_t> size = follower.Read(bytes);
      const int64_t now = NowNanos();
      if (!size.ok()) status_ = size.status();
      if (!size.ok() || *size == 0) break;
      for (const char c : engine::AsText(engine::Bytes(bytes).first(*size))) Take(c, now);
    }
    has_ended_.store(true, std::memory_order_release);
  }

  // Called by the appending thread.
  uint64_t last() const { return last_.load(std::memory_order_acquire); }
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }

  // Called after the reading thread has ended.
  const absl::Status& status() const { return status_; }
  int64_t read_nanos(uint64_t sequence) const { return first_read_[sequence]; }

 private:
  void Take(char c, int64_t now) {
    if (c == '\n') {
      is_in_number_ = true;
      number_ = 0;
    } else if (is_in_number_ && c >= '0' && c <= '9') {
      number_ = 10 * number_ + static_cast<uint64_t>(c - '0');
    } else if (is_in_number_) {
      is_in_number_ = false;
      if (number_ >= first_read_.size() || first_read_[number_] != 0) return;
      first_read_[number_] = now;
      last_.store(number_, std::memory_order_release);
    }
  }

  std::vector<int64_t> first_read_;  // By sequence number; 0: not read yet.
  bool is_in_number_ = true;
  uint64_t number_ = 0;
  absl::Status status_;
  std::atomic<uint64_t> last_ = 0;
  std::atomic<bool> has_ended_ = false;
};

// A journal writer with a second thread, under the policy kDisk.
class Journal {
 public:
  absl::Status Begin(const std::string& folder) {
    ASSIGN_OR_RETURN(directory_,
                     journal::OpenPosixDirectory(folder, journal::DirectoryMode::kCreate));
    journal::WriterOptions options;
    options.threads = &threads_;
    options.reserve_bytes = journal::ReserveBytesMin(options);
    journal::JournalMetadata metadata;
    metadata.application = replay::kExchangeApplication;
    metadata.row_schema_id = engine::CommandSchemaId();
    metadata.row_schema = engine::CompiledSchema();
    ASSIGN_OR_RETURN(
        writer_, journal::Writer::Create(*directory_, std::move(metadata),
                                         journal::Uuid::FromWords(1, 2), clock_.Now(), options));
    RETURN_IF_ERROR(writer_->SetAckPolicy(journal::AckPolicy::kDisk));
    thread_ = std::make_unique<tools::Thread>(
        "journal", [this] { writer_->RunBackground(steady_clock_); },
        [this] { writer_->StopBackground(); });
    return thread_->status();
  }

  journal::Writer& writer() { return *writer_; }

  absl::Status AwaitAcknowledged(SequenceNumber sequence) {
    while (writer_->acknowledged_sequence() < sequence) {
      RETURN_IF_ERROR(writer_->HandOver());
      sequencing_.Wait(kWaitNanos);
    }
    return absl::OkStatus();
  }

 private:
  tools::SystemClock clock_;
  tools::MonotonicClock steady_clock_;
  tools::FutexDoorbell sequencing_;
  tools::FutexDoorbell writing_;
  const journal::WriterThreads threads_{sequencing_, writing_};
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<tools::Thread> thread_;  // Last: it uses all of the above.
};

class Run {
 public:
  Run(const Workload& workload, const FollowOptions& options)
      : workload_(workload),
        options_(options),
        end_(std::min(workload.commands.size(), workload.warm_up_count + options.count)),
        shown_(end_) {}

  absl::StatusOr<FollowResult> Measure() {
    RETURN_IF_ERROR(journal_.Begin(options_.folder));
    std::vector<std::string> command = options_.follower;
    command.push_back(options_.folder);
    ASSIGN_OR_RETURN(const std::unique_ptr<tools::ChildProcess> follower,
                     tools::ChildProcess::Start(command));
    {
      const tools::Thread reading("reading", [&] { shown_.Read(*follower); });
      RETURN_IF_ERROR(reading.status());
      const absl::Status appended = AppendAll();
      // Always closes the journal, which ends the follower and the thread that reads its output.
      RETURN_IF_ERROR(journal_.writer().Close());
      RETURN_IF_ERROR(appended);
    }
    RETURN_IF_ERROR(shown_.status());
    return Result();
  }

 private:
  struct Times {
    uint64_t sequence;
    int64_t sequenced;
    int64_t acknowledged;
  };

  absl::Status AppendAll() {
    for (size_t i = 0; i < workload_.warm_up_count; ++i) RETURN_IF_ERROR(Append(i));
    RETURN_IF_ERROR(AwaitShown(workload_.warm_up_count));
    for (size_t i = workload_.warm_up_count; i < end_; ++i) {
      pause_.Wait(options_.pause_nanos);
      const SequenceNumber sequence = workload_.commands[i].sequence;
      Times times{.sequence = sequence.value(), .sequenced = NowNanos(), .acknowledged = 0};
      RETURN_IF_ERROR(Append(i));
      RETURN_IF_ERROR(journal_.AwaitAcknowledged(sequence));
      times.acknowledged = NowNanos();
      times_.push_back(times);
    }
    return absl::OkStatus();
  }

  absl::Status Append(size_t index) {
    engine::Bytes attachment;
    if (next_attachment_ < workload_.attachments.size() &&
        workload_.attachments[next_attachment_].first == index) {
      attachment = workload_.attachments[next_attachment_++].second;
    }
    return journal_.writer().Append(replay::ToRow(workload_.commands[index]), attachment);
  }

  // Waits until the follower is running and has printed all records up to `sequence`.
  absl::Status AwaitShown(uint64_t sequence) {
    RETURN_IF_ERROR(journal_.AwaitAcknowledged(SequenceNumber(sequence)));
    while (shown_.last() < sequence && !shown_.has_ended()) {
      pause_.Wait(options_.pause_nanos);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<FollowResult> Result() const {
    FollowResult result;
    for (const Times& times : times_) {
      const int64_t read = shown_.read_nanos(times.sequence);
      if (read == 0) {
        return absl::DataLossError(absl::StrCat("the follower left out ", times.sequence));
      }
      const auto since = [&](int64_t begin) {
        return static_cast<uint64_t>(std::max<int64_t>(0, read - begin));
      };
      result.after_sequenced.Record(since(times.sequenced));
      result.after_acknowledged.Record(since(times.acknowledged));
    }
    return result;
  }

  const Workload& workload_;
  const FollowOptions& options_;
  const size_t end_;
  ShownLines shown_;
  Journal journal_;
  tools::FutexDoorbell pause_;  // Never rung; used to sleep.
  size_t next_attachment_ = 0;
  std::vector<Times> times_;
};

}  // namespace

absl::StatusOr<FollowResult> RunFollow(const Workload& workload, const FollowOptions& options) {
  const absl::Cleanup remove = [&] {
    std::error_code ignored;
    std::filesystem::remove_all(options.folder, ignored);
  };
  return Run(workload, options).Measure();
}

}  // namespace bench
