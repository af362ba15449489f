// Measures Kalshi's API of a venue, beside what bounds it: OpenSSL, and a server that only
// verifies. DESIGN.md explains the results.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "bench/kalshi_run.h"
#include "bench/kalshi_stages.h"
#include "bench/latency_histogram.h"
#include "bench/ping_pong.h"
#include "bench/provenance.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/exit_code.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/descriptor_limit.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

struct Arguments {
  std::string ticktape;
  std::vector<std::string> modes = {"orders", "stages", "feed", "idle"};
  size_t connections = 16;
  size_t orders = 20'000;
  size_t sessions = 1'000;
  std::vector<size_t> markets = {1'000, 50};
  size_t subscribed = 50;
  double rate = 100'000;
  double seconds = 5;
  size_t idle = 10'000;
  int runs = 3;
  bool json = false;
};

double Micros(uint64_t nanos) { return static_cast<double>(nanos) / 1e3; }

// Prints what was measured, for people or as one JSON object a line.
class Report {
 public:
  explicit Report(bool is_json) : is_json_(is_json) {}

  void Begin(absl::string_view mode, int run) {
    text_ = absl::StrCat(mode, ", run ", run + 1, "\n");
    json_ = absl::StrCat(R"({"schema":"ticktape.kalshi_bench/1","mode":")", mode, R"(","run":)",
                         run + 1);
  }
  void Add(const std::string& name, double value, const std::string& unit) {
    std::array<char, 128> line;
    std::snprintf(line.data(), line.size(), "  %-36s %12.2f %s\n", name.c_str(), value,
                  unit.c_str());
    text_ += line.data();
    std::snprintf(line.data(), line.size(), ",\"%s_%s\":%.2f", name.c_str(), unit.c_str(), value);
    json_ += line.data();
  }
  void End() const {
    std::printf("%s", is_json_ ? absl::StrCat(json_, "}\n").c_str() : text_.c_str());
    std::fflush(stdout);
  }

 private:
  const bool is_json_;
  std::string text_;
  std::string json_;
};

absl::Status RunOrders(const Arguments& arguments, int run, Report& report) {
  for (const auto& [key, name] :
       {std::pair(tools::KeyKind::kRsa, "rsa"), std::pair(tools::KeyKind::kEd25519, "ed25519")}) {
    ASSIGN_OR_RETURN(const KalshiOrdersResult result,
                     MeasureKalshiOrders({.ticktape = arguments.ticktape,
                                          .key = key,
                                          .connections = arguments.connections,
                                          .orders = arguments.orders}));
    report.Begin(absl::StrCat("orders_", name), run);
    report.Add("openssl", result.verified, "per_second");
    report.Add("verifying_server", result.constants, "per_second");
    report.Add("venue", result.orders, "per_second");
    report.Add("venue_of_verifying_server", 100 * result.orders / result.constants, "percent");
    report.Add("verifying_server_of_core", result.constants_of_core, "per_second");
    report.Add("venue_of_core", result.orders_of_core, "per_second");
    report.Add("venue_of_verifying_server_of_core",
               100 * result.orders_of_core / result.constants_of_core, "percent");
    report.Add("venue_of_all_cores", result.orders_of_cores, "per_second");
    report.Add("venue_of_openssl", 100 * result.orders / result.verified, "percent");
    report.End();
  }
  return absl::OkStatus();
}

absl::Status RunStages(const Arguments& arguments, int run, Report& report) {
  ASSIGN_OR_RETURN(const KalshiTimes times, MeasureKalshiStages(arguments.orders));
  constexpr uint32_t kMedian = 500'000;
  report.Begin("stages", run);
  report.Add("read_to_reply_p50", Micros(times.unwritten.Percentile(kMedian)), "micros");
  report.Add("read_to_reply_p99", Micros(times.unwritten.Percentile(990'000)), "micros");
  report.Add("read_to_written_p50", Micros(times.whole.Percentile(kMedian)), "micros");
  uint64_t sum = 0;
  for (const LatencyHistogram& stage : times.stages) sum += stage.Percentile(kMedian);
  for (size_t i = 0; i < kKalshiStageCount; ++i) {
    const uint64_t nanos = times.stages[i].Percentile(kMedian);
    const std::string name(NameOf(static_cast<KalshiStage>(i)));
    report.Add(absl::StrCat(name, "_p50"), Micros(nanos), "micros");
    report.Add(name,
               100 * static_cast<double>(nanos) / static_cast<double>(std::max<uint64_t>(sum, 1)),
               "percent");
  }
  report.End();
  return absl::OkStatus();
}

absl::Status RunFeedAt(const Arguments& arguments, size_t markets, double rate, int run,
                       Report& report) {
  ASSIGN_OR_RETURN(const KalshiFeedResult result,
                   MeasureKalshiFeed({.sessions = arguments.sessions,
                                      .markets = markets,
                                      .subscribed = std::min(arguments.subscribed, markets),
                                      .connections = arguments.connections,
                                      .rate = rate,
                                      .seconds = arguments.seconds}));
  report.Begin(absl::StrCat(rate == 0 ? "feed_full_" : "feed_paced_", markets, "_markets"), run);
  report.Add("frames", result.frames, "per_second");
  report.Add("frames_of_core", result.frames_of_core, "per_second");
  const LatencyHistogram& latency = result.applied_to_written;
  report.Add("applied_to_written_p50", Micros(latency.Percentile(500'000)), "micros");
  report.Add("applied_to_written_p99", Micros(latency.Percentile(990'000)), "micros");
  report.Add("applied_to_written_max", Micros(latency.max()), "micros");
  report.End();
  return absl::OkStatus();
}

absl::Status RunFeed(const Arguments& arguments, int run, Report& report) {
  for (const size_t markets : arguments.markets) {
    for (const double rate : {0.0, arguments.rate}) {
      RETURN_IF_ERROR(RunFeedAt(arguments, markets, rate, run, report));
    }
  }
  return absl::OkStatus();
}

absl::Status RunIdle(const Arguments& arguments, int run, Report& report) {
  if (run != 0) return absl::OkStatus();
  constexpr uint64_t kOtherFiles = 64;
  if (tools::RaiseDescriptorLimit(arguments.idle + kOtherFiles) < arguments.idle + kOtherFiles) {
    return absl::FailedPreconditionError("idle: this user may not open so many files");
  }
  ASSIGN_OR_RETURN(const KalshiIdleResult result,
                   MeasureKalshiIdle(arguments.ticktape, arguments.idle));
  report.Begin("idle", run);
  report.Add("connections", static_cast<double>(arguments.idle), "count");
  report.Add("without_connections", static_cast<double>(result.bytes_before) / 1e6, "MB");
  report.Add("after_a_request_each", static_cast<double>(result.bytes_requests) / 1e6, "MB");
  report.Add("as_websocket_sessions", static_cast<double>(result.bytes_sockets) / 1e6, "MB");
  report.End();
  return absl::OkStatus();
}

void PrintPingPong(Report& report) {
  const std::vector<int> cores = tools::UsableCores();
  if (cores.size() < 2) return;
  report.Begin("ping_pong", 0);
  tools::Thread("ping",
                [&] { report.Add("ping_pong", PingPongNanos(cores[0], cores[1]), "nanos"); });
  report.End();
}

absl::Status RunMode(absl::string_view mode, const Arguments& arguments, int run, Report& report) {
  if (mode == "orders") return RunOrders(arguments, run, report);
  if (mode == "stages") return RunStages(arguments, run, report);
  if (mode == "feed") return RunFeed(arguments, run, report);
  return RunIdle(arguments, run, report);
}

absl::Status RunAll(const Arguments& arguments) {
  Report report(arguments.json);
  PrintPingPong(report);
  // In turns, so that a slow minute of the machine is not all of one mode's.
  for (int run = 0; run < arguments.runs; ++run) {
    for (const std::string& mode : arguments.modes) {
      RETURN_IF_ERROR(RunMode(mode, arguments, run, report));
    }
  }
  PrintPingPong(report);
  return absl::OkStatus();
}

void AddOptions(Arguments& arguments, CLI::App& app) {
  app.footer("Example: bazel run --config=native //bench:kalshi_bench -- --mode stages --runs 5");
  app.add_option("--ticktape", arguments.ticktape, "The program that serves")->required();
  app.add_option("--mode", arguments.modes, "What is measured; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember({"orders", "stages", "feed", "idle"}));
  app.add_option("--connections", arguments.connections, "That order, one order in flight on each")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--orders", arguments.orders, "Of orders and of stages")
      ->check(CLI::Range(10, 100'000'000));
  app.add_option("--sessions", arguments.sessions, "Of the feed")->check(CLI::Range(1, 10'000));
  app.add_option("--markets", arguments.markets, "Of the feed's venues")
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000));
  app.add_option("--subscribed", arguments.subscribed, "Markets of each session; at most as many")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--rate", arguments.rate, "Frames a second of the paced feed")
      ->check(CLI::Range(1.0, 1e8));
  app.add_option("--seconds", arguments.seconds, "Of the feed")->check(CLI::Range(0.01, 3600.0));
  app.add_option("--idle", arguments.idle, "Connections that do nothing")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--runs", arguments.runs, "Of each mode but idle")->check(CLI::Range(1, 1000));
  app.add_flag("--json", arguments.json, "One object a line");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("Kalshi's API of a venue over TCP on this machine.");
  bench::AddOptions(arguments, app);
  CLI11_PARSE(app, argc, argv);
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  std::fprintf(arguments.json ? stderr : stdout, "%s, commit %s, %s\n", provenance.build.c_str(),
               provenance.commit.c_str(), provenance.machine.c_str());
  if (const absl::Status status = bench::RunAll(arguments); !status.ok()) {
    std::fprintf(stderr, "kalshi_bench: %s\n", std::string(status.message()).c_str());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
