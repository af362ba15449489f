// Measures the hot path of a live client: from a frame of the venue's feed to the bytes of the
// signed request that it causes, on one thread and on two. The yardstick of the first is simdjson's
// On-Demand alone, which finds the members of the same frames and makes nothing of them; that of
// the second is the way of a word between the cores.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "bench/hot_path_client.h"
#include "bench/hot_path_run.h"
#include "bench/hot_path_scene.h"
#include "bench/latency_histogram.h"
#include "bench/ping_pong.h"
#include "bench/provenance.h"
#include "engine/base/status_macros.h"
#include "tools/client/signatures/signature_table.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/measuring.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

struct Arguments {
  size_t frames = 300'000;
  uint64_t seed = 1;
  int runs = 3;
};

void PrintRow(absl::string_view name, const LatencyHistogram& nanos, absl::string_view remark) {
  absl::PrintF("  %-20s %9d %7d %7d %9d   %s\n", name, nanos.count(), nanos.Percentile(500'000),
               nanos.Percentile(990'000), nanos.max(), remark);
}

std::string AllocationsEach(uint64_t allocations, uint64_t count) {
  return absl::StrFormat("%.2f allocations each",
                         static_cast<double>(allocations) / static_cast<double>(count));
}

double Ratio(uint64_t a, uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

void Print(int run, const HotPathTimes& times) {
  absl::PrintF("run %d, decisions %s\n  %-20s %9s %7s %7s %9s\n", run + 1, times.trace.ToString(),
               "ns", "frames", "p50", "p99", "max");
  LatencyHistogram all;
  LatencyHistogram requests;
  for (size_t i = 0; i < kHotPathRequestCount; ++i) {
    const HotPathTimes::Frames& frames = times.frames[i];
    all.Add(frames.nanos);
    const auto request = static_cast<HotPathRequest>(i);
    if (request != HotPathRequest::kNone) requests.Add(frames.nanos);
    if (frames.nanos.count() == 0) continue;
    PrintRow(NameOf(request), frames.nanos,
             AllocationsEach(frames.allocations, frames.nanos.count()));
  }
  PrintRow("any request", requests, "");
  PrintRow("all frames", all, "");
  PrintRow("on-demand alone", times.yardstick, "");
  absl::PrintF("  p50 of all: %.2f x on-demand (goal 1); p99 of all: %.2f x their p50 (goal 3)\n",
               Ratio(all.Percentile(500'000), times.yardstick.Percentile(500'000)),
               Ratio(all.Percentile(990'000), all.Percentile(500'000)));
  uint64_t ticks = 0;
  for (const HotPathTimes::Stage& stage : times.stages) ticks += stage.ticks;
  for (size_t i = 0; i < kHotPathStageCount; ++i) {
    const HotPathTimes::Stage& stage = times.stages[i];
    if (stage.nanos.count() == 0) continue;
    PrintRow(NameOf(static_cast<HotPathStage>(i)), stage.nanos,
             absl::StrFormat("%2.0f %% of the time, %s", 100 * Ratio(stage.ticks, ticks),
                             AllocationsEach(stage.allocations, stage.nanos.count())));
  }
  std::fflush(stdout);
}

void Print(const HotPathThreads& threads, double one_way) {
  const auto row = [](absl::string_view name, const HotPathThreads::Pass& pass) {
    PrintRow(name, pass.nanos, absl::StrFormat("%.2f M frames/s", pass.frames_per_second / 1e6));
  };
  row("one thread", threads.one);
  row("two threads", threads.two);
  const double more = static_cast<double>(threads.two.nanos.Percentile(500'000)) -
                      static_cast<double>(threads.one.nanos.Percentile(500'000));
  absl::PrintF(
      "  two threads: p50 %+.0f ns, one way between the cores %.0f (goal: not more); %.2f x the "
      "frames/s of one (goal 1.5)\n",
      more, one_way, threads.two.frames_per_second / threads.one.frames_per_second);
  std::fflush(stdout);
}

absl::Status Run(const Arguments& arguments) {
  const HotPathScene scene = MakeHotPathScene(arguments.frames, arguments.seed);
  ASSIGN_OR_RETURN(const tools::PrivateKey key, tools::PrivateKey::Generate(tools::KeyKind::kRsa));
  client::SignatureTable signatures(key, {.paths_max = 1 + 2 * scene.order_ids.size()});
  KeepSignatures(scene, signatures);
  const std::vector<int> cores = tools::UsableCores();
  tools::PinThisThread(cores.back());
  const tools::TickClock clock = tools::TickClock::Calibrate();
  size_t bytes = 0;
  for (const std::string& frame : scene.frames) bytes += frame.size();
  absl::PrintF("%d markets, frames of %.1f bytes\n", scene.tickers.size(),
               Ratio(bytes, scene.frames.size()));
  for (int run = 0; run < arguments.runs; ++run) {
    Print(run, MeasureHotPath(scene, signatures, clock));
    if (cores.size() == 1) continue;
    const double before = PingPongNanos(cores.back(), cores.front());
    const HotPathThreads threads =
        MeasureHotPathThreads(scene, signatures, clock, cores.front(), cores.back());
    const double after = PingPongNanos(cores.back(), cores.front());
    absl::PrintF("  ping-pong between cores %d and %d: %.0f ns before, %.0f after (%s)\n",
                 cores.front(), cores.back(), before, after,
                 std::max(before, after) < kNearNanos ? "near" : "far");
    Print(threads, std::min(before, after) / 2);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("From a frame of the feed to the bytes of a signed request.");
  app.footer("Example: bazel run -c opt //bench:hot_path_bench");
  app.add_option("--frames", arguments.frames, "The first tenth warms up")
      ->check(CLI::Range(1'000, 3'000'000));
  app.add_option("--seed", arguments.seed, "Of the frames");
  app.add_option("--runs", arguments.runs)->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  absl::PrintF("%s, commit %s, %s\n", provenance.build, provenance.commit, provenance.machine);
  if (const absl::Status status = bench::Run(arguments); !status.ok()) {
    absl::FPrintF(stderr, "hot_path_bench: %s\n", status.ToString());
    return 1;
  }
  return 0;
}
