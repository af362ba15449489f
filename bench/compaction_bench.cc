// Measures single commands, one at a time, to a journal on a real disk: how many bytes each takes
// after its segment is compacted, and whether compaction delays the commands that arrive meanwhile.
//
//   command ─► block of its own ─► written, or synced ─► acknowledged │ pause │ command …
//                                                                       └ steps of compaction
//
// Alternates runs with and without compaction; prints latencies and bytes of both.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/latency_histogram.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "journal/ack_policy.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/command_row.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/output_folder.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

using engine::SequenceNumber;

constexpr int64_t kWaitNanos = 1'000'000'000;
// Compacting the last sealed segment may continue after the last command.
constexpr int kSettleSeconds = 60;

struct Options {
  std::string directory;
  uint64_t count = 20'000;
  int64_t pause_micros = 500;
  uint64_t segment_bytes = 16 << 20;
  int turns = 3;
  bool synced = false;
};

struct Result {
  LatencyHistogram latencies;  // Nanoseconds, from append to acknowledgement.
  uint64_t sealed_bytes = 0;
  uint64_t sealed_records = 0;
  uint64_t segments_compacted = 0;
};

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

absl::Status AppendAll(const Options& options, const Workload& workload, engine::Clock& clock,
                       journal::Writer& writer, tools::FutexDoorbell& sequencing, Result& result) {
  for (uint64_t i = 0; i < options.count; ++i) {
    ::usleep(static_cast<useconds_t>(options.pause_micros));
    journal::Row row = replay::ToRow(workload.commands[i % workload.commands.size()]);
    row.sequence = writer.next_sequence();
    row.timestamp = std::max(clock.Now(), writer.last_timestamp());
    const int64_t begin = NowNanos();
    RETURN_IF_ERROR(writer.Append(row));
    while (writer.acknowledged_sequence() < row.sequence) {
      RETURN_IF_ERROR(writer.HandOver());
      sequencing.Wait(kWaitNanos);
    }
    result.latencies.Record(static_cast<uint64_t>(NowNanos() - begin));
  }
  return absl::OkStatus();
}

// Whether all sealed segments are compacted.
bool IsCompacted(const journal::Writer& writer) {
  return writer.stats().segments_compacted + 1 >= writer.stats().segments;
}

absl::StatusOr<Result> Measure(const Options& options, const Workload& workload, bool compact,
                               const std::string& folder) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(folder, journal::DirectoryMode::kCreate));
  tools::SystemClock clock;
  tools::MonotonicClock steady_clock;
  tools::FutexDoorbell sequencing;
  tools::FutexDoorbell writing;
  const journal::WriterThreads threads{sequencing, writing};
  journal::WriterOptions writer_options;
  writer_options.segment_bytes = options.segment_bytes;
  writer_options.threads = &threads;
  writer_options.compact = compact;
  ASSIGN_OR_RETURN(
      const std::unique_ptr<journal::Writer> writer,
      journal::Writer::Create(*directory, journal::JournalMetadata(),
                              journal::Uuid::FromWords(1, 2), clock.Now(), writer_options));
  RETURN_IF_ERROR(writer->SetAckPolicy(options.synced ? journal::AckPolicy::kDisk
                                                      : journal::AckPolicy::kWritten));
  Result result;
  {
    const tools::Thread thread(
        "journal", [&] { writer->RunBackground(steady_clock); }, [&] { writer->StopBackground(); });
    RETURN_IF_ERROR(thread.status());
    RETURN_IF_ERROR(AppendAll(options, workload, clock, *writer, sequencing, result));
    for (int i = 0; compact && i < kSettleSeconds && !IsCompacted(*writer); ++i) {
      ::sleep(1);
    }
  }
  result.segments_compacted = writer->stats().segments_compacted;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                   journal::Reader::Open(*directory));
  for (const journal::SegmentInfo& segment : reader->info().segments) {
    if (!segment.sealed) continue;
    result.sealed_bytes += segment.file_bytes;
    result.sealed_records += segment.record_count();
  }
  return result;
}

void Print(const char* what, const Result& result) {
  const auto micros = [&](uint64_t per_million) {
    return static_cast<double>(result.latencies.Percentile(per_million)) / 1000;
  };
  std::printf("%s\n",
              absl::StrFormat("%-18s p50 %7.1f  p90 %7.1f  p99 %7.1f  p99.9 %8.1f  max %8.1f us"
                              "   %9.2f bytes a command at rest, %d segments compacted",
                              what, micros(500'000), micros(900'000), micros(990'000),
                              micros(999'000), static_cast<double>(result.latencies.max()) / 1000,
                              static_cast<double>(result.sealed_bytes) /
                                  static_cast<double>(std::max<uint64_t>(1, result.sealed_records)),
                              result.segments_compacted)
                  .c_str());
  std::fflush(stdout);
}

absl::Status Run(const Options& options) {
  ASSIGN_OR_RETURN(const Workload workload, MakeWorkload("normal", 1, WorkloadSize::kSmoke));
  std::unique_ptr<tools::TemporaryDirectory> temporary;
  std::string parent = options.directory;
  if (parent.empty()) {
    ASSIGN_OR_RETURN(temporary, tools::TemporaryDirectory::Make());
    parent = temporary->path();
  }
  for (int turn = 0; turn < options.turns; ++turn) {
    for (const bool compact : {false, true}) {
      const std::string folder = absl::StrCat(parent, "/", turn, compact ? ".compacted" : ".plain");
      ASSIGN_OR_RETURN(const Result result, Measure(options, workload, compact, folder));
      Print(compact ? "with compaction" : "without", result);
    }
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Lone commands, with compaction and without");
  app.add_option("--directory", options.directory, "Where the journals are written");
  app.add_option("--count", options.count, "Commands of a run");
  app.add_option("--pause-us", options.pause_micros, "Between two commands");
  app.add_option("--segment", options.segment_bytes, "Bytes of a segment");
  app.add_option("--turns", options.turns, "Runs of each kind");
  app.add_flag("--synced", options.synced, "Each command waits for the disk");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(options);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return bench::Main(argc, argv); }
