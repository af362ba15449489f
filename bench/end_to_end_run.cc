#include "bench/end_to_end_run.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/direct_storage.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/schema.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_vocabulary.h"
#include "replay/machine.h"
#include "replay/recorder.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr size_t kRingEvents = 1 << 16;
constexpr size_t kWaitingMax = 1 << 16;
// Commands submitted between two calls of ReleaseAcknowledged() when there is no rate.
constexpr size_t kCommandsBetweenPolls = 256;
constexpr uint32_t kSpinCount = 2'000;

// Returns the CPU time of the calling thread: the cost of its work, independent of other load on
// the machine.
int64_t ThreadCpuNanos() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The due time of each command: at equal intervals from a start.
class Schedule {
 public:
  Schedule(int64_t start, double rate) : start_(start), nanos_(1e9 / rate) {}
  int64_t DueNanos(uint64_t index) const {
    return start_ + static_cast<int64_t>(static_cast<double>(index) * nanos_);
  }

 private:
  int64_t start_;
  double nanos_;
};

// Receives the released events; with a schedule, records each command's latency from its due time.
class Ring final : public engine::EventListener {
 public:
  void OnEvents(const engine::Command&, std::span<const engine::Event> events) override {
    for (const engine::Event& event : events) events_[event_count_++ % kRingEvents] = event;
    ++released_;
    if (schedule_.has_value()) {
      latency_.Record(static_cast<uint64_t>(
          std::max<int64_t>(0, NowNanos() - schedule_->DueNanos(released_ - untimed_ - 1))));
    }
  }

  void StartTiming() {
    untimed_ = released_;
    event_count_ = 0;
  }
  // From now on, latencies are measured from the schedule's due times. REQUIRES: StartTiming().
  void SetSchedule(const Schedule& schedule) { schedule_ = schedule; }
  uint64_t event_count() const { return event_count_; }
  const LatencyHistogram& latency() const { return latency_; }

 private:
  std::vector<engine::Event> events_ = std::vector<engine::Event>(kRingEvents);
  uint64_t event_count_ = 0;
  uint64_t released_ = 0;
  uint64_t untimed_ = 0;
  std::optional<Schedule> schedule_;
  LatencyHistogram latency_;
};

class Run {
 public:
  Run(const Workload& workload, const EndToEndOptions& options)
      : workload_(workload), options_(options) {}

  absl::StatusOr<EndToEndResult> Measure() {
    RETURN_IF_ERROR(Begin());
    ASSIGN_OR_RETURN(EndToEndResult result, MeasureWithThread());
    result.writing_nanos = writing_nanos_.load();
    result.written_count = writer_->stats().records;
    return result;
  }

 private:
  absl::StatusOr<EndToEndResult> MeasureWithThread() {
    const tools::Thread thread(
        "journal",
        [this] {
          writer_->RunBackground(steady_clock_);
          writing_nanos_.store(ThreadCpuNanos());
        },
        [this] { writer_->StopBackground(); }, options_.writing_core);
    RETURN_IF_ERROR(thread.status());
    tools::PinThisThread(options_.sequencing_core);
    RETURN_IF_ERROR(Submit(0, workload_.warm_up_count));
    RETURN_IF_ERROR(recorder_->Commit());
    const journal::WriterStats before = writer_->stats();
    ring_.StartTiming();

    EndToEndResult result;
    const size_t end =
        workload_.warm_up_count +
        std::min(options_.commands_max, workload_.commands.size() - workload_.warm_up_count);
    const int64_t start = NowNanos();
    const int64_t start_cpu = ThreadCpuNanos();
    RETURN_IF_ERROR(options_.rate.has_value() ? SubmitWhenDue(end, start)
                                              : Submit(workload_.warm_up_count, end));
    result.sequencing_nanos = ThreadCpuNanos() - start_cpu;
    while (recorder_->has_waiting()) RETURN_IF_ERROR(recorder_->Poll());
    result.seconds = static_cast<double>(NowNanos() - start) / 1e9;
    RETURN_IF_ERROR(writer_->Write());
    const journal::WriterStats after = writer_->stats();
    result.command_count = end - workload_.warm_up_count;
    result.event_count = ring_.event_count();
    result.stored_bytes = after.stored_bytes - before.stored_bytes;
    result.syncs = after.syncs - before.syncs;
    result.latency = ring_.latency();
    ASSIGN_OR_RETURN(const journal::Checkpoint last, recorder_->Finish());
    result.trace = last.trace.value_or(engine::Digest());
    return result;
  }

  absl::Status Begin() {
    ASSIGN_OR_RETURN(directory_, options_.direct
                                     ? CreateDirectDirectory(options_.folder)
                                     : journal::OpenPosixDirectory(
                                           options_.folder, journal::DirectoryMode::kCreate));
    journal::WriterOptions writer_options = options_.writer;
    writer_options.threads = &threads_;
    journal::JournalMetadata metadata;
    metadata.application = replay::kExchangeApplication;
    metadata.row_schema_id = engine::CommandSchemaId();
    metadata.row_schema = engine::CompiledSchema();
    ASSIGN_OR_RETURN(writer_, journal::Writer::Create(*directory_, std::move(metadata),
                                                      journal::Uuid::FromWords(1, 2), clock_.Now(),
                                                      writer_options));
    ASSIGN_OR_RETURN(sidecar_,
                     journal::SidecarWriter::Create(*directory_, writer_->journal_uuid()));
    recorder_ = std::make_unique<replay::Recorder>(
        *writer_, batch_clock_, *sidecar_, driver_, ring_,
        replay::Recorder::Options{.ack = options_.ack, .group_commands = kWaitingMax});
    return absl::OkStatus();
  }

  absl::Status SubmitOne(size_t index) {
    engine::Bytes attachment;
    if (next_attachment_ < workload_.attachments.size() &&
        workload_.attachments[next_attachment_].first == index) {
      attachment = workload_.attachments[next_attachment_++].second;
    }
    return recorder_->Submit(workload_.commands[index], attachment).status();
  }

  void Prefetch(size_t begin, size_t end) const {
    recorder_->Prefetch(std::span(workload_.commands).subspan(begin, end - begin));
  }

  absl::Status Submit(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (i % replay::kPrefetchBatch == 0) Prefetch(i, end);
      RETURN_IF_ERROR(SubmitOne(i));
      // Blocks fill up without Poll(); this only releases acknowledged events.
      if (i % kCommandsBetweenPolls == 0) RETURN_IF_ERROR(recorder_->ReleaseAcknowledged());
    }
    return recorder_->Poll();
  }

  absl::Status SubmitWhenDue(size_t end, int64_t start) {
    const size_t begin = workload_.warm_up_count;
    const Schedule schedule(start, *options_.rate);
    ring_.SetSchedule(schedule);
    for (size_t i = begin; i < end;) {
      batch_clock_.Restart();
      for (const int64_t now = NowNanos(); i < end && schedule.DueNanos(i - begin) <= now; ++i) {
        RETURN_IF_ERROR(SubmitOne(i));
      }
      RETURN_IF_ERROR(recorder_->Poll());
    }
    return absl::OkStatus();
  }

  const Workload& workload_;
  const EndToEndOptions& options_;
  tools::SystemClock clock_;
  tools::MonotonicClock steady_clock_;
  tools::BatchClock batch_clock_{clock_};
  tools::FutexDoorbell sequencing_{kSpinCount};
  tools::FutexDoorbell writing_{kSpinCount};
  const journal::WriterThreads threads_{sequencing_, writing_};
  Ring ring_;
  replay::ExchangeMachine machine_;
  replay::Driver driver_{machine_};
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  std::unique_ptr<replay::Recorder> recorder_;
  size_t next_attachment_ = 0;
  std::atomic<int64_t> writing_nanos_ = 0;
};

}  // namespace

absl::StatusOr<EndToEndResult> RunEndToEnd(const Workload& workload,
                                           const EndToEndOptions& options) {
  const absl::Cleanup remove = [&] {
    std::error_code ignored;
    std::filesystem::remove_all(options.folder, ignored);
  };
  return Run(workload, options).Measure();
}

}  // namespace bench
