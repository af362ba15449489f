// What the whole path sustains, and how long a command takes to its events: beside the disk's own
// 4 KiB append and fdatasync, in the same run. DESIGN.md says how to read it.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/end_to_end_run.h"
#include "bench/latency_histogram.h"
#include "bench/provenance.h"
#include "bench/workload/catalogue.h"
#include "engine/base/status_macros.h"
#include "journal/ack_policy.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/storage_facts.h"
#include "tools/os/temporary_directory.h"

namespace bench {
namespace {

// Thousands of syncs; more says the same.
constexpr double kSecondsOfLoad = 2;

struct Arguments {
  std::string folder;
  std::vector<std::string> workloads = {"static",   "normal",      "swing_25",
                                        "swing_40", "flash_crash", "hft"};
  uint32_t seed = 1;
  uint32_t runs = 3;
  uint64_t reserve_mebibytes = 16;
  uint32_t block_records = 1024;
  bool direct = false;
  bool smoke = false;
};

LatencyHistogram HistogramOf(const std::vector<uint64_t>& values) {
  LatencyHistogram histogram;
  for (const uint64_t value : values) histogram.Record(value);
  return histogram;
}

double Ratio(const LatencyHistogram& histogram, const LatencyHistogram& disk,
             uint64_t per_million) {
  return static_cast<double>(histogram.Percentile(per_million)) /
         static_cast<double>(std::max<uint64_t>(1, disk.Percentile(per_million)));
}

void PrintLatency(const char* what, const LatencyHistogram& histogram,
                  const LatencyHistogram& disk) {
  const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1e3; };
  std::printf("  %-28s p50 %8.1f us (%.2f x)   p99 %8.1f us (%.2f x)   max %8.1f us   n %lu\n",
              what, micros(histogram.Percentile(500'000)), Ratio(histogram, disk, 500'000),
              micros(histogram.Percentile(990'000)), Ratio(histogram, disk, 990'000),
              micros(histogram.max()), static_cast<unsigned long>(histogram.count()));
}

class Bench {
 public:
  Bench(const Arguments& arguments, std::string folder)
      : arguments_(arguments), folder_(std::move(folder)) {}

  absl::Status Measure(const std::string& name) {
    ASSIGN_OR_RETURN(const Workload workload,
                     MakeWorkload(name, arguments_.seed,
                                  arguments_.smoke ? WorkloadSize::kSmoke : WorkloadSize::kFull));
    std::printf("%s, seed %u: %zu commands\n", name.c_str(), arguments_.seed,
                workload.commands.size() - workload.warm_up_count);
    ASSIGN_OR_RETURN(const double rate, MeasureThroughput(workload));
    return MeasureLatency(workload, rate);
  }

  // The figures that a promise is about.
  void PrintWorst() const {
    std::printf(
        "worst of all   --ack=disk %.2f M commands/s, %.0f %% of none   p99 at 10 %% load %.2f x, "
        "at "
        "50 %% load %.2f x the disk's   a lone command %.2f x\n",
        worst_.rate / 1e6, 100 * worst_.of_none, worst_.p99[0], worst_.p99[1], worst_.lone);
  }

 private:
  EndToEndOptions Options(journal::AckPolicy ack) {
    EndToEndOptions options;
    options.folder = absl::StrCat(folder_, "/run-", ++run_count_);
    options.ack = ack;
    options.io = arguments_.direct ? journal::FileIo::kDirect : journal::FileIo::kBuffered;
    options.writer.reserve_bytes = arguments_.reserve_mebibytes << 20;
    options.writer.block_records = arguments_.block_records;
    return options;
  }

  // The policies take turns, so that what else the machine does meets all of them.
  absl::StatusOr<double> MeasureThroughput(const Workload& workload) {
    constexpr journal::AckPolicy kPolicies[] = {
        journal::AckPolicy::kNone, journal::AckPolicy::kWritten, journal::AckPolicy::kDisk};
    const char* const names[] = {"none", "written", "disk"};
    double best[3] = {};
    EndToEndResult results[3];
    for (uint32_t run = 0; run < arguments_.runs; ++run) {
      for (size_t i = 0; i < 3; ++i) {
        ASSIGN_OR_RETURN(EndToEndResult result, RunEndToEnd(workload, Options(kPolicies[i])));
        if (result.rate() > best[i]) {
          best[i] = result.rate();
          results[i] = result;
        }
      }
    }
    for (size_t i = 0; i < 3; ++i) {
      std::printf(
          "  --ack=%-8s %6.2f M commands/s (%3.0f %% of none)   %5.2f bytes a command"
          "   %lu syncs   of a core: sequence and apply %.0f ns, write %.0f ns\n",
          names[i], best[i] / 1e6, 100 * best[i] / best[0], results[i].bytes_per_command(),
          static_cast<unsigned long>(results[i].syncs), results[i].sequencing_nanos_per_command(),
          results[i].writing_nanos_per_command());
    }
    worst_.rate = std::min(worst_.rate, best[2]);
    worst_.of_none = std::min(worst_.of_none, best[2] / best[0]);
    return best[2];
  }

  absl::Status MeasureLatency(const Workload& workload, double rate) {
    const uint64_t count = arguments_.smoke ? 50 : 2000;
    ASSIGN_OR_RETURN(const std::vector<uint64_t> before, tools::MeasureSyncs(folder_, count));
    EndToEndOptions lone = Options(journal::AckPolicy::kDisk);
    lone.rate = 1000;
    lone.commands_max = count;
    ASSIGN_OR_RETURN(const EndToEndResult alone, RunEndToEnd(workload, lone));
    LatencyHistogram latencies[2];
    const double loads[] = {0.1, 0.5};
    for (size_t i = 0; i < 2; ++i) {
      EndToEndOptions options = Options(journal::AckPolicy::kDisk);
      options.rate = loads[i] * rate;
      options.commands_max = static_cast<size_t>(std::max(1.0, *options.rate * kSecondsOfLoad));
      ASSIGN_OR_RETURN(const EndToEndResult result, RunEndToEnd(workload, options));
      latencies[i] = result.latency;
    }
    ASSIGN_OR_RETURN(const std::vector<uint64_t> after, tools::MeasureSyncs(folder_, count));
    LatencyHistogram disk = HistogramOf(before);
    disk.Add(HistogramOf(after));
    for (size_t i = 0; i < 2; ++i) {
      worst_.p99[i] = std::max(worst_.p99[i], Ratio(latencies[i], disk, 990'000));
    }
    worst_.lone = std::max(worst_.lone, Ratio(alone.latency, disk, 500'000));
    PrintLatency("4 KiB append + fdatasync", disk, disk);
    PrintLatency("a lone command", alone.latency, disk);
    PrintLatency("at 10 % load", latencies[0], disk);
    PrintLatency("at 50 % load", latencies[1], disk);
    return absl::OkStatus();
  }

  struct Worst {
    double rate = std::numeric_limits<double>::infinity();
    double of_none = std::numeric_limits<double>::infinity();
    double p99[2] = {};  // As multiples of the disk's; the lone command's is the median.
    double lone = 0;
  };

  const Arguments& arguments_;
  const std::string folder_;
  Worst worst_;
  int run_count_ = 0;
};

absl::Status RunAll(const Arguments& arguments) {
  std::unique_ptr<tools::TemporaryDirectory> temporary;
  if (arguments.folder.empty()) {
    ASSIGN_OR_RETURN(temporary, tools::TemporaryDirectory::Make());
  }
  Bench bench(arguments, temporary == nullptr ? arguments.folder : temporary->path());
  for (const std::string& name : arguments.workloads) RETURN_IF_ERROR(bench.Measure(name));
  bench.PrintWorst();
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("Commands in memory to events released: throughput by ack policy, and latency.");
  app.footer("Example: bazel run --config=native //bench:end_to_end_bench -- --folder /data hft");
  app.add_option("workloads", arguments.workloads, "By name; see apply_bench --list");
  app.add_option("--folder", arguments.folder, "Where journals are written; a temporary one");
  app.add_option("--seed", arguments.seed, "Of the workloads");
  app.add_option("--runs", arguments.runs, "The best of so many counts")->check(CLI::Range(1, 100));
  app.add_option("--block-records", arguments.block_records, "Records in a block, at most");
  app.add_option("--reserve", arguments.reserve_mebibytes, "MiB of space taken ahead; 0: none");
  app.add_flag("--direct", arguments.direct, "Write past the page cache (O_DIRECT)");
  app.add_flag("--smoke", arguments.smoke, "A hundredth of everything: for tests");
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::printf("%s, %s\n", provenance.build.c_str(), provenance.machine.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "end_to_end_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
