// Measures how long a single command takes to reach another process that follows the journal, in
// the same run as the disk's own 4 KiB append and fdatasync. DESIGN.md explains the results.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/follow_run.h"
#include "bench/latency_histogram.h"
#include "bench/provenance.h"
#include "engine/base/status_macros.h"
#include "engine/workload/catalogue.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/machine_facts.h"
#include "tools/os/output_folder.h"

namespace bench {
namespace {

constexpr uint64_t kSyncs = 500;

struct Arguments {
  std::string ticktape;
  std::string folder;
  size_t count = 200;
  double pause_millis = 20;
};

void PrintLatency(const char* what, const LatencyHistogram& histogram) {
  const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1e3; };
  std::printf("  %-30s p50 %8.1f us   p90 %8.1f us   p99 %8.1f us   max %8.1f us\n", what,
              micros(histogram.Percentile(500'000)), micros(histogram.Percentile(900'000)),
              micros(histogram.Percentile(990'000)), micros(histogram.max()));
}

absl::Status PrintSyncs(const std::string& folder, uint64_t count) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> syncs, tools::MeasureSyncs(folder, count));
  LatencyHistogram histogram;
  for (const uint64_t nanos : syncs) histogram.Record(nanos);
  PrintLatency("4 KiB append + fdatasync", histogram);
  return absl::OkStatus();
}

absl::Status RunAll(const Arguments& arguments) {
  std::unique_ptr<tools::TemporaryDirectory> temporary;
  if (arguments.folder.empty()) {
    ASSIGN_OR_RETURN(temporary, tools::TemporaryDirectory::Make());
  }
  const std::string folder = temporary == nullptr ? arguments.folder : temporary->path();
  ASSIGN_OR_RETURN(const Workload workload, MakeWorkload("hft", 1, WorkloadSize::kSmoke));
  RETURN_IF_ERROR(PrintSyncs(folder, std::min<uint64_t>(kSyncs, 4 * arguments.count)));
  const std::vector<std::vector<std::string>> followers = {
      {"cat", "--follow", "--until-closed"},
      {"replay", "--follow", "--until-closed", "--emit", "-"},
      {"cat", "--follow=written", "--until-closed"}};
  for (const std::vector<std::string>& verb : followers) {
    FollowOptions options{.folder = absl::StrCat(folder, "/followed.tape"),
                          .follower = {arguments.ticktape},
                          .count = arguments.count,
                          .pause_nanos = static_cast<int64_t>(1e6 * arguments.pause_millis)};
    options.follower.insert(options.follower.end(), verb.begin(), verb.end());
    ASSIGN_OR_RETURN(const FollowResult result, RunFollow(workload, options));
    std::printf("%s %s, --ack=disk, %zu lone commands\n", verb[0].c_str(), verb[1].c_str(),
                static_cast<size_t>(result.after_sequenced.count()));
    PrintLatency("shown after it was sequenced", result.after_sequenced);
    PrintLatency("... after it was acknowledged", result.after_acknowledged);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("A lone command to another process that follows the journal: how long it takes.");
  app.footer("Example: bazel run --config=native //bench:follow_bench -- --folder /data");
  app.add_option("--ticktape", arguments.ticktape, "The program that follows")->required();
  app.add_option("--folder", arguments.folder, "Where journals are written; a temporary one");
  app.add_option("--count", arguments.count, "Of lone commands")->check(CLI::Range(1, 5000));
  app.add_option("--pause", arguments.pause_millis, "Before each, in milliseconds")
      ->check(CLI::Range(0.1, 10'000.0));
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::printf("%s, %s\n", provenance.build.c_str(), provenance.machine.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "follow_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
