// Measures the throughput of the whole path and the latency from a command to its events, in the
// same run as the disk's own 4 KiB append and fdatasync. DESIGN.md explains the results.

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
#include "absl/strings/str_format.h"
#include "bench/end_to_end_run.h"
#include "bench/latency_histogram.h"
#include "bench/open_loop.h"
#include "bench/provenance.h"
#include "engine/base/status_macros.h"
#include "engine/workload/catalogue.h"
#include "journal/ack_policy.h"
#include "journal/writer_options.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/machine_facts.h"
#include "tools/os/output_folder.h"

namespace bench {
namespace {

// Durations of a round: each load lasts as long as the syncs it is compared with, and includes some
// hundred commands.
constexpr double kSecondsOfLoad = 0.4;
constexpr double kSecondsOfSyncs = 0.4;
constexpr double kSecondsOfCore = 0.4;
constexpr uint64_t kSyncs = 2000;
constexpr int kRounds = 7;

struct Arguments {
  std::string folder;
  std::vector<std::string> workloads = {"static",   "normal",      "swing_25",
                                        "swing_40", "flash_crash", "hft"};
  uint32_t seed = 1;
  uint32_t runs = 3;
  uint64_t reserve_mebibytes = 16;
  uint32_t block_records = journal::WriterOptions().block_records;
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

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void PrintLatency(const char* what, const LatencyHistogram& histogram, const std::string& ratio) {
  const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1e3; };
  std::printf("  %-26s p50 %8.1f us   p99 %8.1f us   max %8.1f us   n %-8lu %s\n", what,
              micros(histogram.Percentile(500'000)), micros(histogram.Percentile(990'000)),
              micros(histogram.max()), static_cast<unsigned long>(histogram.count()),
              ratio.c_str());
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

  // Prints the figures for which there are targets.
  void PrintWorst() const {
    std::printf(
        "worst of all   --ack=disk %.2f M commands/s, %.0f %% of none   p99 at 10 %% load %.2f x, "
        "at 50 %% load %.2f x the disk's open loop   a lone command %.2f x one sync\n",
        worst_.rate / 1e6, 100 * worst_.of_none, worst_.p99[0], worst_.p99[1], worst_.lone);
  }

 private:
  EndToEndOptions Options(journal::AckPolicy ack) {
    EndToEndOptions options;
    options.folder = absl::StrCat(folder_, "/run-", ++run_count_);
    options.ack = ack;
    options.direct = arguments_.direct;
    options.writer.reserve_bytes = arguments_.reserve_mebibytes << 20;
    options.writer.block_records = arguments_.block_records;
    return options;
  }

  // The policies alternate, so that other load on the machine affects all of them.
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

  // Measures in rounds. Each round's ratio is to the syncs right before and after it. A shared disk
  // stalls sometimes; the median over rounds discards a round in which only one side had a
  // stall.
  absl::Status MeasureLatency(const Workload& workload, double rate) {
    Phase lone{.what = "a lone command", .rate = 1000, .seconds = kSecondsOfSyncs};
    Phase loads[] = {{.what = "at 10 % load", .rate = 0.1 * rate, .seconds = kSecondsOfLoad},
                     {.what = "at 50 % load", .rate = 0.5 * rate, .seconds = kSecondsOfLoad}};
    LatencyHistogram disk;
    LatencyHistogram open_loop;
    LatencyHistogram core;
    ASSIGN_OR_RETURN(Syncs before, MeasureSyncs(disk, open_loop));
    for (int round = 0; round < (arguments_.smoke ? 1 : kRounds); ++round) {
      for (Phase* const phase : {&lone, &loads[0], &loads[1]}) {
        ASSIGN_OR_RETURN(const LatencyHistogram latency, Run(workload, *phase));
        ASSIGN_OR_RETURN(Syncs after, MeasureSyncs(disk, open_loop));
        const bool is_lone = phase == &lone;
        LatencyHistogram other = is_lone ? before.alone : before.open_loop;
        other.Add(is_lone ? after.alone : after.open_loop);
        phase->latency.Add(latency);
        phase->ratios.push_back(Ratio(latency, other, is_lone ? 500'000 : 990'000));
        LatencyHistogram alone = before.alone;
        alone.Add(after.alone);
        phase->closed_ratios.push_back(Ratio(latency, alone, 990'000));
        before = std::move(after);
      }
      ASSIGN_OR_RETURN(const LatencyHistogram stalls,
                       OpenLoopOfCore(EndToEndOptions().sequencing_core,
                                      arguments_.smoke ? kSecondsOfCore / 100 : kSecondsOfCore));
      core.Add(stalls);
    }
    PrintLatency("4 KiB append + fdatasync", disk, "");
    PrintLatency(lone.what, lone.latency, absl::StrFormat("p50 %.2f x", Median(lone.ratios)));
    PrintLatency("a core alone, open loop", core, "");
    PrintLatency("the disk alone, open loop", open_loop, "");
    worst_.lone = std::max(worst_.lone, Median(lone.ratios));
    for (size_t i = 0; i < 2; ++i) {
      const double ratio = Median(loads[i].ratios);
      worst_.p99[i] = std::max(worst_.p99[i], ratio);
      PrintLatency(loads[i].what, loads[i].latency,
                   absl::StrFormat("p99 %.2f x the disk's open loop, %.2f x its syncs' p99", ratio,
                                   Median(loads[i].closed_ratios)));
    }
    return absl::OkStatus();
  }

  struct Phase {
    const char* what;
    double rate = 0;
    double seconds = 0;
    LatencyHistogram latency = {};    // Over all rounds.
    std::vector<double> ratios = {};  // One per round.
    std::vector<double> closed_ratios = {};
  };

  absl::StatusOr<LatencyHistogram> Run(const Workload& workload, const Phase& phase) {
    EndToEndOptions options = Options(journal::AckPolicy::kDisk);
    options.rate = phase.rate;
    const double seconds = arguments_.smoke ? phase.seconds / 100 : phase.seconds;
    options.commands_max = static_cast<size_t>(std::max(1.0, phase.rate * seconds));
    ASSIGN_OR_RETURN(const EndToEndResult result, RunEndToEnd(workload, options));
    return result.latency;
  }

  struct Syncs {
    LatencyHistogram alone;
    LatencyHistogram open_loop;
  };

  absl::StatusOr<Syncs> MeasureSyncs(LatencyHistogram& all, LatencyHistogram& all_open_loop) {
    ASSIGN_OR_RETURN(const std::vector<uint64_t> nanos,
                     tools::MeasureSyncs(folder_, arguments_.smoke ? 25 : kSyncs));
    Syncs syncs{.alone = HistogramOf(nanos), .open_loop = OpenLoopOfSyncs(nanos)};
    all.Add(syncs.alone);
    all_open_loop.Add(syncs.open_loop);
    return syncs;
  }

  struct Worst {
    double rate = std::numeric_limits<double>::infinity();
    double of_none = std::numeric_limits<double>::infinity();
    double p99[2] = {};  // As multiples of the disk's. `lone` is the ratio of the medians.
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
  app.add_option("--reserve", arguments.reserve_mebibytes, "MiB of space reserved ahead; 0: none");
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
