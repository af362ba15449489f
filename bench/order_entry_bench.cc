// Measures order entry by the native protocol and by OUCH, beside a TCP echo of the same frames.
// DESIGN.md explains the results.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/latency_histogram.h"
#include "bench/order_entry_run.h"
#include "bench/ping_pong.h"
#include "bench/provenance.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/descriptor_limit.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr uint32_t kMedian = 500'000;
constexpr uint32_t k99Percent = 990'000;

struct Arguments {
  OrderEntryOptions run;
  size_t round_trips = 20'000;
  size_t orders = 2'000'000;
  int runs = 3;
};

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void PrintPingPong() {
  const std::vector<int> cores = tools::UsableCores();
  if (cores.size() < 2) return;
  tools::Thread("ping",
                [&] { std::printf("ping-pong %.0f ns\n", PingPongNanos(cores[0], cores[1])); });
}

void PrintLatency(const std::string& what, const LatencyHistogram& histogram) {
  std::printf("  %-32s p50 %9lu ns   p99 %9lu ns   max %9lu ns\n", what.c_str(),
              static_cast<unsigned long>(histogram.Percentile(kMedian)),
              static_cast<unsigned long>(histogram.Percentile(k99Percent)),
              static_cast<unsigned long>(histogram.max()));
}

double Ratio(const LatencyHistogram& a, const LatencyHistogram& b, uint32_t share) {
  return static_cast<double>(a.Percentile(share)) /
         static_cast<double>(std::max<uint64_t>(b.Percentile(share), 1));
}

// The echo before and after, since the machine changes.
absl::Status PrintRoundTrips(const Arguments& arguments, const char* where) {
  std::printf("%s, one order at a time, %zu round trips\n", where, arguments.round_trips);
  std::vector<double> medians;
  std::vector<double> tails;
  for (int run = 0; run < arguments.runs; ++run) {
    ASSIGN_OR_RETURN(LatencyHistogram echo,
                     MeasureEchoRoundTrips(arguments.run, arguments.round_trips / 2));
    ASSIGN_OR_RETURN(const NativeRoundTrips venue,
                     MeasureNativeRoundTrips(arguments.run, arguments.round_trips));
    ASSIGN_OR_RETURN(const LatencyHistogram after,
                     MeasureEchoRoundTrips(arguments.run, arguments.round_trips / 2));
    echo.Add(after);
    PrintLatency("TCP echo", echo);
    PrintLatency(absl::StrCat("native, --ack ", arguments.run.ack), venue.round_trips);
    PrintLatency("  of it, waited in the venue", venue.waited);
    PrintLatency("  of it, the engine", venue.engine);
    medians.push_back(Ratio(venue.round_trips, echo, kMedian));
    tails.push_back(Ratio(venue.round_trips, echo, k99Percent));
    std::fflush(stdout);
  }
  std::printf("  native / echo, median of %d runs   p50 %.2f   p99 %.2f\n", arguments.runs,
              Median(medians), Median(tails));
  return absl::OkStatus();
}

absl::Status PrintThroughput(const Arguments& arguments) {
  std::vector<double> native;
  std::vector<double> ouch;
  LatencyHistogram engine;
  for (int run = 0; run < arguments.runs; ++run) {
    ASSIGN_OR_RETURN(const Throughput one,
                     MeasureNativeThroughput(arguments.run, arguments.orders));
    native.push_back(one.orders_per_second);
    engine.Add(one.engine);
    ASSIGN_OR_RETURN(const Throughput two, MeasureOuchThroughput(arguments.run, arguments.orders));
    ouch.push_back(two.orders_per_second);
  }
  std::printf("one connection, %zu orders and cancels, median of %d runs\n", arguments.orders,
              arguments.runs);
  std::printf("  %-32s %10.0f orders/s\n", "native", Median(native));
  std::printf("  %-32s %10.0f orders/s\n", "OUCH", Median(ouch));
  PrintLatency("engine, native", engine);
  return absl::OkStatus();
}

absl::Status RunAll(Arguments& arguments) {
  const uint64_t files = 3 * arguments.run.idle + 128;
  if (tools::RaiseDescriptorLimit(files) < arguments.run.idle + 64) {
    return absl::ResourceExhaustedError(
        absl::StrCat("this user may not open ", arguments.run.idle, " connections (ulimit -n)"));
  }
  PrintPingPong();
  if (arguments.run.idle > 0) std::printf("beside %zu idle connections\n", arguments.run.idle);
  const std::vector<int> cores = tools::UsableCores();
  if (cores.size() > 1) {
    arguments.run.server_core = cores[0];
    arguments.run.client_core = cores[1];
    RETURN_IF_ERROR(PrintRoundTrips(arguments, "two cores"));
  }
  arguments.run.server_core = arguments.run.client_core = cores[0];
  RETURN_IF_ERROR(PrintRoundTrips(arguments, "one core"));
  arguments.run.server_core = arguments.run.client_core = std::nullopt;
  RETURN_IF_ERROR(PrintThroughput(arguments));
  PrintPingPong();
  return absl::OkStatus();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("Order entry over TCP on this machine: round trips beside an echo, and throughput.");
  app.footer("Example: bazel run -c opt //bench:order_entry_bench -- --idle 10000");
  app.add_option("--ticktape", arguments.run.ticktape, "The program that serves")->required();
  app.add_option("--ack", arguments.run.ack, "Its policy")
      ->check(CLI::IsMember({"none", "written", "disk"}));
  app.add_flag("--busy", arguments.run.is_busy, "It spins for input");
  app.add_option("--round-trips", arguments.round_trips, "Of one order at a time")
      ->check(CLI::Range(20, 10'000'000));
  app.add_option("--orders", arguments.orders, "And cancels, of one connection in flight")
      ->check(CLI::Range(1, 8'000'000));
  app.add_option("--idle", arguments.run.idle, "Connections beside it that are logged in")
      ->check(CLI::Range(0, 50'000));
  app.add_option("--runs", arguments.runs, "Of what is compared")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::printf("%s, commit %s, %s\n", provenance.build.c_str(), provenance.commit.c_str(),
              provenance.machine.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "order_entry_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
