// Measures a live client at a venue, from a tick to the trade that it causes, beside an echo of
// HTTP. DESIGN.md explains the results.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "bench/ping_pong.h"
#include "bench/provenance.h"
#include "bench/tick_to_trade_report.h"
#include "bench/tick_to_trade_run.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/files.h"
#include "tools/os/child_process.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/measuring.h"
#include "tools/os/network/testing/link_model.h"
#include "tools/os/network/testing/netem.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

struct Profile {
  const char* name;
  tools::LinkTerms link;
  size_t fewer_ticks;  // By so much, since each takes longer.
};
constexpr std::array<Profile, 4> kProfiles = {
    {{"none", {}, 1},
     {"lan", {.delay_nanos = 100'000, .jitter_nanos = 20'000}, 2},
     {"wan", {.delay_nanos = 10'000'000, .jitter_nanos = 1'000'000}, 20},
     {"lossy",
      {.delay_nanos = 10'000'000, .jitter_nanos = 2'000'000, .loss_per_million = 10'000},
      20}}};

// Each alone, by the option of this program.
struct Setting {
  const char* name;
  const char* option;  // Null: none.
};
constexpr std::array<Setting, 6> kSettings = {{{"none", nullptr},
                                               {"core", "--pin"},
                                               {"SCHED_FIFO", "--fifo"},
                                               {"mlockall", "--lock-memory"},
                                               {"huge pages", "--huge-pages"},
                                               {"busy polling", "--spin"}}};

struct Arguments {
  TickToTradeOptions run;
  std::vector<std::string> profiles = {"none"};
  std::string key = "rsa";
  bool pins = false;
  bool measures_settings = false;
  int runs = 3;
  bool json = false;
  std::string html;
};

std::string PingPong() {
  const std::vector<int> cores = tools::UsableCores();
  if (cores.size() < 2) return "one core";
  double nanos = 0;
  {
    const tools::Thread ping("ping", [&] { nanos = PingPongNanos(cores[0], cores[1]); });
  }
  return absl::StrFormat("ping-pong %.0f ns", nanos);
}

// What is printed of a row, and kept of all.
class Rows {
 public:
  explicit Rows(bool json) : json_(json) {}

  void Add(TickToTradeRow row) {
    if (json_) absl::PrintF("%s\n", ToJson(row));
    if (!json_) Print(row);
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }
  const std::vector<TickToTradeRow>& rows() const { return rows_; }

 private:
  const bool json_;
  std::vector<TickToTradeRow> rows_;
};

std::string Remark(const Arguments& arguments, absl::string_view network) {
  return absl::StrCat(arguments.run.is_tls ? "TLS" : "no TLS", ", ",
                      arguments.run.spins ? "the client spins" : "the client sleeps", ", ",
                      network);
}

absl::Status RunProfile(const Arguments& arguments, const Profile& profile,
                        const absl::Status& netem, Rows& rows) {
  TickToTradeOptions options = arguments.run;
  options.ticks = std::max<size_t>(options.ticks / profile.fewer_ticks, 1);
  std::string network = "loopback";
  if (profile.link.delay_nanos != 0 && netem.ok()) {
    RETURN_IF_ERROR(tools::SetNetemLink(profile.link));
    network = "netem in a network namespace";
  } else if (profile.link.delay_nanos != 0) {
    options.link = profile.link;
    network = absl::StrCat("delaying proxy, since netem is refused: ", netem.message());
  }
  TickToTradeRow row = {.name = profile.name, .remark = Remark(arguments, network)};
  for (int run = 0; run < arguments.runs; ++run) {
    ASSIGN_OR_RETURN(const TickToTradeResult result, MeasureTickToTrade(options));
    Merge(result, row.result);
  }
  rows.Add(std::move(row));
  return absl::OkStatus();
}

// The only thread changes its network, so profiles come in order: none before netem.
absl::Status RunProfiles(const Arguments& arguments, Rows& rows) {
  const absl::Status netem = tools::CheckNetem();
  for (const Profile& profile : kProfiles) {
    if (std::ranges::find(arguments.profiles, profile.name) == arguments.profiles.end()) continue;
    RETURN_IF_ERROR(RunProfile(arguments, profile, netem, rows));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(tools::ChildProcess& child) {
  std::string text;
  std::array<std::byte, 4096> bytes;
  while (true) {
    ASSIGN_OR_RETURN(const size_t size, child.Read(bytes));
    if (size == 0) return text;
    absl::StrAppend(&text, engine::AsText(engine::Bytes(bytes).first(size)));
  }
}

// One run with the setting, in a process of its own: some cannot be taken back.
absl::StatusOr<TickToTradeResult> RunSetting(const Arguments& arguments, const Setting& setting) {
  std::vector<std::string> command = {"/proc/self/exe",
                                      "--ticktape",
                                      arguments.run.ticktape,
                                      "--key",
                                      arguments.key,
                                      "--ticks",
                                      absl::StrCat(arguments.run.ticks),
                                      "--runs",
                                      "1",
                                      "--json"};
  if (arguments.run.is_tls) command.push_back("--tls");
  if (setting.option != nullptr) command.push_back(setting.option);
  ASSIGN_OR_RETURN(const std::unique_ptr<tools::ChildProcess> child,
                   tools::ChildProcess::Start(command));
  ASSIGN_OR_RETURN(const std::string line, ReadAll(*child));
  return ParseTickToTrade(line);
}

std::string Applied(const Setting& setting, const TickToTradeResult& result) {
  for (const tools::ConditionReport& condition : result.conditions) {
    return absl::StrCat(condition.taken ? "applied: " : "refused: ", condition.detail);
  }
  return setting.option == nullptr ? "" : "applied: the client's thread spins";
}

absl::Status RunSettings(const Arguments& arguments, Rows& rows) {
  std::vector<TickToTradeRow> settings(kSettings.size());
  // In turns, so that a slow minute of the machine is not all of one setting's.
  for (int run = 0; run < arguments.runs; ++run) {
    for (size_t i = 0; i < kSettings.size(); ++i) {
      ASSIGN_OR_RETURN(const TickToTradeResult result, RunSetting(arguments, kSettings[i]));
      Merge(result, settings[i].result);
      settings[i].name = kSettings[i].name;
      settings[i].remark = Applied(kSettings[i], result);
    }
  }
  for (const TickToTradeRow& row : settings) rows.Add(row);
  if (!arguments.json) PrintSettings(settings);
  return absl::OkStatus();
}

absl::Status RunAll(Arguments& arguments, const Provenance& provenance) {
  arguments.run.key = arguments.key == "rsa" ? tools::KeyKind::kRsa : tools::KeyKind::kEd25519;
  if (arguments.pins) arguments.run.conditions.core = tools::UsableCores().back();
  std::FILE* const notes = arguments.json ? stderr : stdout;
  const std::string before = PingPong();
  absl::FPrintF(notes, "%s, commit %s, %s, %s\n", provenance.build, provenance.commit,
                provenance.machine, before);
  Rows rows(arguments.json);
  RETURN_IF_ERROR(arguments.measures_settings ? RunSettings(arguments, rows)
                                              : RunProfiles(arguments, rows));
  const std::string after = PingPong();
  absl::FPrintF(notes, "after: %s\n", after);
  if (arguments.html.empty()) return absl::OkStatus();
  return tools::WriteFile(
      arguments.html,
      ToPage(rows.rows(),
             {absl::StrCat(provenance.build, ", commit ", provenance.commit),
              absl::StrCat(provenance.machine, "; ", before, " before, ", after, " after")}),
      /*replace=*/true);
}

void AddOptions(Arguments& arguments, CLI::App& app) {
  TickToTradeOptions& run = arguments.run;
  app.footer("Example: bazel run -c opt //bench:tick_to_trade_bench -- --tls --html page.html");
  app.add_option("--ticktape", run.ticktape, "The program that serves")->required();
  app.add_option("--profile", arguments.profiles, "Of the network; several: none,lan,wan,lossy")
      ->delimiter(',')
      ->check(CLI::IsMember({"none", "lan", "wan", "lossy"}));
  app.add_flag("--tls", run.is_tls, "For venue and echo");
  app.add_option("--key", arguments.key)->check(CLI::IsMember({"rsa", "ed25519"}));
  app.add_option("--ticks", run.ticks, "Of a run; a half for lan, a twentieth for wan and lossy")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--runs", arguments.runs, "Of each profile or setting")->check(CLI::Range(1, 100));
  app.add_option("--seed", run.seed, "Of the delaying proxy");
  app.add_flag("--settings", arguments.measures_settings,
               "Measure, without a profile, the effect of each of the next options alone");
  app.add_flag("--pin", arguments.pins, "The client's thread, to the last core");
  app.add_flag("--fifo", run.conditions.fifo, "The client's thread under SCHED_FIFO");
  app.add_flag("--lock-memory", run.conditions.lock_memory, "The client's, by mlockall");
  app.add_flag("--huge-pages", run.conditions.huge_pages, "For what the client allocates");
  app.add_flag("--spin", run.spins, "Busy polling: the client's thread never sleeps");
  app.add_flag("--json", arguments.json, "One object a line");
  app.add_option("--html", arguments.html, "Write a page with plots of the distributions");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Arguments arguments;
  CLI::App app("From a tick to the trade that it causes, over loopback.");
  bench::AddOptions(arguments, app);
  CLI11_PARSE(app, argc, argv);
  // Only a program that is started with this request has huge pages.
  if (arguments.run.conditions.huge_pages && tools::AskForHugePages()) {
    execv("/proc/self/exe", argv);
  }
  const bench::Provenance provenance =
      bench::FindProvenance(std::vector<std::string>(argv, argv + argc));
  if (const absl::Status status = bench::RunAll(arguments, provenance); !status.ok()) {
    absl::FPrintF(stderr, "tick_to_trade_bench: %s\n", status.message());
    return static_cast<int>(tools::ExitCodeOf(status.code()));
  }
  return 0;
}
