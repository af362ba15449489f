// Compares a replay from a file with the engine alone, in one run: both with all digests, and both
// without. DESIGN.md explains the results.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/apply_run.h"
#include "bench/contenders.h"
#include "bench/provenance.h"
#include "bench/recorded_workload.h"
#include "bench/replay_run.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/output_folder.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

struct Arguments {
  std::vector<std::string> workloads = {"static",   "normal",      "swing_25",
                                        "swing_40", "flash_crash", "hft"};
  std::vector<std::string> journals;
  std::string folder;
  uint32_t seed = 1;
  uint32_t runs = 7;
  bool smoke = false;
};

// The rows of the table, in nanoseconds per command, one value per run.
enum Row : size_t { kEngine, kUndigested, kDigestedEngine, kReplayed, kRowCount };
constexpr const char* kRowNames[] = {"engine, commands in memory", "decoded from the file, engine",
                                     "engine and digests", "replay: decoded, engine, digests"};

class Table {
 public:
  void Add(Row row, double seconds, size_t commands) {
    nanos_[row].push_back(1e9 * seconds / static_cast<double>(commands));
  }

  void Print() {
    for (std::vector<double>& row : nanos_) std::sort(row.begin(), row.end());
    for (size_t row = 0; row < kRowCount; ++row) {
      std::printf("  %-34s median %6.1f ns   fastest %6.1f ns", kRowNames[row], Median(row),
                  nanos_[row].front());
      if (row == kUndigested || row == kReplayed) {
        const size_t own = row - 1;
        std::printf("   %3.0f %% of the engine's own speed, fastest %3.0f %%",
                    100 * Median(own) / Median(row),
                    100 * nanos_[own].front() / nanos_[row].front());
      }
      std::printf("\n");
    }
    std::printf(
        "  replay with all digests, of the engine without any: %3.0f %%, fastest %3.0f %%\n",
        100 * Median(kEngine) / Median(kReplayed),
        100 * nanos_[kEngine].front() / nanos_[kReplayed].front());
  }

 private:
  double Median(size_t row) const { return nanos_[row][nanos_[row].size() / 2]; }

  std::array<std::vector<double>, kRowCount> nanos_;
};

absl::Status Differ(const std::string& name, const char* what) {
  return absl::DataLossError(absl::StrCat(name, ": ", what, " differs from the engine's"));
}

// Uses a separate thread, because TimedRun pins its thread and threads that it starts inherit that.
absl::StatusOr<TimedResult> TimedApart(Contender contender, const RecordedWorkload& workload) {
  TimedResult result;
  absl::Status status;
  {
    const tools::Thread thread("engine",
                               [&] { result = TimedRun(contender, Mode::kSame, workload, {}); });
    status = thread.status();
  }
  RETURN_IF_ERROR(status);
  return result;
}

// The four alternate, so that other load on the machine affects all of them.
absl::Status Measure(const std::string& name, const RecordedWorkload& workload, uint32_t runs) {
  std::printf("%s: %zu commands, log digest %s\n", name.c_str(), workload.commands.size(),
              workload.log_digest.ToString().c_str());
  Table table;
  const size_t count = workload.commands.size();
  for (uint32_t run = 0; run < runs; ++run) {
    ASSIGN_OR_RETURN(const TimedResult fast, TimedApart(Contender::kFast, workload));
    ASSIGN_OR_RETURN(const ReplayResult undigested, RunUndigested(workload.path));
    ASSIGN_OR_RETURN(const TimedResult digested, TimedApart(Contender::kDigested, workload));
    ASSIGN_OR_RETURN(const ReplayResult replayed, RunReplay(workload.path));
    if (undigested.digests.state != fast.state) return Differ(name, "the state without digests");
    if (replayed.digests != digested.digests) return Differ(name, "what was replayed");
    table.Add(kEngine, fast.seconds, count);
    table.Add(kUndigested, undigested.seconds, count);
    table.Add(kDigestedEngine, digested.seconds, count);
    table.Add(kReplayed, replayed.seconds, count);
  }
  table.Print();
  return absl::OkStatus();
}

absl::Status RunAll(const Arguments& arguments) {
  for (const std::string& path : arguments.journals) {
    ASSIGN_OR_RETURN(const RecordedWorkload workload, ReadWorkload(path, 0));
    RETURN_IF_ERROR(Measure(path, workload, arguments.runs));
  }
  if (!arguments.journals.empty()) return absl::OkStatus();
  std::unique_ptr<tools::TemporaryDirectory> temporary;
  if (arguments.smoke) {
    ASSIGN_OR_RETURN(temporary, tools::TemporaryDirectory::Make());
  }
  const std::string kept = arguments.folder.empty() ? DefaultCacheFolder() : arguments.folder;
  const std::string folder = temporary == nullptr ? kept : temporary->path();
  for (const std::string& name : arguments.workloads) {
    ASSIGN_OR_RETURN(
        RecordedWorkload workload,
        RecordOrReadWorkload(folder, name, arguments.seed,
                             arguments.smoke ? WorkloadSize::kSmoke : WorkloadSize::kFull));
    workload.warm_up_count = 0;  // A replay begins with the first command.
    RETURN_IF_ERROR(Measure(name, workload, arguments.runs));
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("Compares a replay from a file with the engine's own speed.");
  app.footer("Example: bazel run --config=native //bench:replay_bench -- hft swing_40");
  app.add_option("workloads", arguments.workloads, "By name; see apply_bench --list");
  app.add_option("--journal", arguments.journals, "Of journals instead, by their folders");
  app.add_option("--folder", arguments.folder,
                 "Where the workloads' journals are kept; in the cache");
  app.add_option("--seed", arguments.seed, "Of the workloads");
  app.add_option("--runs", arguments.runs, "So many of each, alternating")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--smoke", arguments.smoke,
               "A hundredth of everything, and nothing kept: for tests");
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::printf("%s, %s, commit %s\n", provenance.build.c_str(), provenance.machine.c_str(),
              provenance.commit.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "replay_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
