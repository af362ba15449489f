// Measures a venue as its clients see it, beside what bounds it: the shell on a pipe, and the echo
// of the same lines by the same network code. DESIGN.md explains the results.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "bench/latency_histogram.h"
#include "bench/ping_pong.h"
#include "bench/provenance.h"
#include "bench/text_bench_lines.h"
#include "bench/venue_run.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/descriptor_limit.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr size_t kRefusedOneIn = 10;

struct Arguments {
  std::string ticktape;
  size_t lines = 1'000'000;
  size_t round_trips = 20'000;
  size_t sessions = 1'000;
  std::vector<double> rates = {20'000, 100'000, 1'000'000};
  double seconds = 5;
  size_t idle = 10'000;
  int runs = 3;
};

std::string MakeLines(size_t count, bool with_refused) {
  TextBenchLines lines({});
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (with_refused && i % kRefusedOneIn == 0) {
      text += "REFUSE THIS LINE\n";
    } else {
      lines.Append(text);
    }
  }
  return text;
}

struct Flow {
  const char* what;
  bool is_shell;
  const char* ack;
  bool with_refused;
};

constexpr Flow kFlows[] = {{"shell on a pipe, none", true, "none", false},
                           {"venue, none", false, "none", false},
                           {"venue, none, a tenth refused", false, "none", true},
                           {"venue, disk", false, "disk", false},
                           {"venue, disk, a tenth refused", false, "disk", true}};

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

absl::Status PrintLinesPerSecond(const Arguments& arguments) {
  const std::string plain = MakeLines(arguments.lines, false);
  const std::string refused = MakeLines(arguments.lines, true);
  std::vector<std::vector<double>> rates(std::size(kFlows));
  for (int run = 0; run < arguments.runs; ++run) {
    for (size_t i = 0; i < std::size(kFlows); ++i) {
      const Flow& flow = kFlows[i];
      const VenueOptions options = {.ticktape = arguments.ticktape, .ack = flow.ack};
      const std::string& lines = flow.with_refused ? refused : plain;
      ASSIGN_OR_RETURN(rates[i].emplace_back(),
                       (flow.is_shell ? ShellLinesPerSecond : VenueLinesPerSecond)(
                           options, lines, arguments.lines));
    }
  }
  std::printf("one session, %zu lines in flight, medians of %d runs\n", arguments.lines,
              arguments.runs);
  for (size_t i = 0; i < std::size(kFlows); ++i) {
    const double rate = Median(rates[i]);
    std::printf("  %-30s %10.0f lines/s   %3.0f %% of the shell\n", kFlows[i].what, rate,
                100 * rate / Median(rates[0]));
  }
  return absl::OkStatus();
}

void PrintLatency(const std::string& what, const LatencyHistogram& histogram) {
  const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1e3; };
  std::printf("  %-30s p50 %8.1f us   p90 %8.1f us   p99 %8.1f us   max %8.1f us\n", what.c_str(),
              micros(histogram.Percentile(500'000)), micros(histogram.Percentile(900'000)),
              micros(histogram.Percentile(990'000)), micros(histogram.max()));
}

absl::Status PrintRoundTrips(const Arguments& arguments) {
  std::printf("one order at a time, %zu round trips\n", arguments.round_trips);
  for (int run = 0; run < arguments.runs; ++run) {
    ASSIGN_OR_RETURN(const LatencyHistogram echo, EchoRoundTrips(arguments.round_trips));
    PrintLatency("echo", echo);
    for (const char* const ack : {"none", "written"}) {
      const VenueOptions options = {.ticktape = arguments.ticktape, .ack = ack};
      ASSIGN_OR_RETURN(const LatencyHistogram venue,
                       VenueRoundTrips(options, arguments.round_trips));
      PrintLatency(absl::StrCat("venue, ", ack), venue);
    }
  }
  return absl::OkStatus();
}

absl::Status PrintOpenLoop(const Arguments& arguments) {
  const VenueOptions options = {.ticktape = arguments.ticktape, .sessions_max = arguments.sessions};
  for (const double rate : arguments.rates) {
    ASSIGN_OR_RETURN(const OpenLoopResult result, VenueOpenLoop(options, rate, arguments.seconds));
    std::printf("%zu sessions, --ack=none, %.0f orders/s due, %.0f achieved\n", arguments.sessions,
                rate, result.achieved_rate);
    PrintLatency("due until its reply was read", result.latency);
    const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1e3; };
    std::printf("  %-30s p50 %8.1f us   %19s p99 %8.1f us   max %8.1f us\n", "within the venue",
                micros(result.lag.p50_nanos), "", micros(result.lag.p99_nanos),
                micros(result.lag.max_nanos));
    std::fflush(stdout);
  }
  return absl::OkStatus();
}

absl::Status PrintIdle(const Arguments& arguments) {
  const VenueOptions options = {.ticktape = arguments.ticktape, .sessions_max = arguments.idle};
  ASSIGN_OR_RETURN(const IdleResult result, VenueIdle(options));
  std::printf("%zu idle sessions: %.1f MB, %.1f MB without them\n", arguments.idle,
              static_cast<double>(result.bytes_after) / 1e6,
              static_cast<double>(result.bytes_before) / 1e6);
  return absl::OkStatus();
}

void PrintPingPong() {
  const std::vector<int> cores = tools::UsableCores();
  if (cores.size() < 2) return;
  tools::Thread("ping",
                [&] { std::printf("ping-pong %.0f ns\n", PingPongNanos(cores[0], cores[1])); });
}

absl::Status RunAll(const Arguments& arguments) {
  PrintPingPong();
  RETURN_IF_ERROR(PrintLinesPerSecond(arguments));
  RETURN_IF_ERROR(PrintRoundTrips(arguments));
  RETURN_IF_ERROR(PrintOpenLoop(arguments));
  constexpr uint64_t kOtherFiles = 64;
  if (tools::RaiseDescriptorLimit(arguments.idle + kOtherFiles) < arguments.idle + kOtherFiles) {
    std::printf("idle sessions: not measured, this user may not open so many files\n");
  } else {
    RETURN_IF_ERROR(PrintIdle(arguments));
  }
  PrintPingPong();
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("A venue over TCP on this machine: lines a second, round trips, many sessions.");
  app.footer("Example: bazel run --config=native //bench:venue_bench -- --rates 20000,200000");
  app.add_option("--ticktape", arguments.ticktape, "The program that serves")->required();
  app.add_option("--lines", arguments.lines, "Of one session")->check(CLI::Range(1, 100'000'000));
  app.add_option("--round-trips", arguments.round_trips, "Of one order at a time")
      ->check(CLI::Range(10, 10'000'000));
  app.add_option("--sessions", arguments.sessions, "That trade at the same time")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--rates", arguments.rates, "Orders a second, of all of them")
      ->delimiter(',')
      ->check(CLI::Range(1.0, 1e8));
  app.add_option("--seconds", arguments.seconds, "For so long")->check(CLI::Range(0.01, 3600.0));
  app.add_option("--idle", arguments.idle, "Sessions that do nothing")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--runs", arguments.runs, "Of what is compared")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::printf("%s, commit %s, %s\n", provenance.build.c_str(), provenance.commit.c_str(),
              provenance.machine.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "venue_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
