// apply_bench: how fast the engine applies commands, compared with an upper bound and with the
// reference engine. DESIGN.md describes the measurements.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "bench/comparison.h"
#include "bench/comparison_report.h"
#include "bench/latency_run.h"
#include "bench/outcome_cache.h"
#include "bench/pinned_digests.h"
#include "bench/provenance.h"
#include "bench/recorded_workload.h"
#include "engine/base/status_macros.h"
#include "engine/workload/catalogue.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/progress.h"
#include "tools/os/measuring.h"
#include "tools/os/standard_streams.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

using tools::Console;
using tools::ExitCode;

constexpr char kDescription[] =
    "Measures how fast engines apply commands. Workloads are made from a seed, written once as\n"
    "journals and read back; the engine's events and state must equal the reference's before a\n"
    "number is printed.";

constexpr char kExamples[] =
    "Examples:\n"
    "  apply_bench                                     everything, a few minutes\n"
    "  apply_bench --workloads hft,flash_crash --runs 9\n"
    "  apply_bench --journal day.tape --engines null,fast\n"
    "  apply_bench --workloads crowd --engines fast    does anything grow with what others hold?\n"
    "  apply_bench --latency --workloads hft\n"
    "  apply_bench --once --workloads hft              one run of the fast engine, for callgrind\n"
    "Exit codes: 0 fine, 1 an engine differs from the reference, 2 usage, 3 damaged journal,\n"
    "6 input or output failed.";

struct Arguments {
  std::vector<std::string> workloads;
  std::vector<std::string> journals;
  uint64_t warm_up_count = 0;
  std::vector<std::string> engines = {"null", "reference", "fast", "digested"};
  std::vector<std::string> modes = {"same", "drained"};
  int run_count = 5;
  uint32_t seed = 1;
  WorkloadSize size = WorkloadSize::kFull;
  std::string cache = DefaultCacheFolder();
  bool list = false;
  bool latency = false;
  bool once = false;
  bool unpinned = false;
  bool huge_pages = false;
  bool json = false;
  bool quiet = false;
};

void Declare(CLI::App& app, Arguments& arguments) {
  const std::map<std::string, WorkloadSize> sizes = {{"full", WorkloadSize::kFull},
                                                     {"smoke", WorkloadSize::kSmoke}};
  const auto names = [](std::vector<std::string> allowed) {
    return CLI::IsMember(std::move(allowed)).description("");
  };
  app.add_option("--workloads", arguments.workloads,
                 "By comma (--list), or crowd; default: all but those")
      ->delimiter(',')
      ->type_name("NAMES");
  app.add_option("--journal", arguments.journals, "Any journal of an exchange instead")
      ->type_name("PATH");
  app.add_option("--warm-up", arguments.warm_up_count, "--journal: commands that are not timed")
      ->type_name("COUNT");
  app.add_option("--engines", arguments.engines, "Of null, reference, fast, digested")
      ->delimiter(',')
      ->type_name("NAMES")
      ->check(names({"null", "reference", "fast", "digested"}));
  app.add_option("--modes", arguments.modes,
                 "same: events kept on the thread; drained: read by one on another core")
      ->delimiter(',')
      ->type_name("NAMES")
      ->check(names({"same", "drained"}));
  app.add_option("--runs", arguments.run_count, "Of each, alternating; the median is printed")
      ->capture_default_str()
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1000).description(""));
  app.add_option("--seed", arguments.seed, "The same seed makes the same workloads")
      ->capture_default_str()
      ->type_name("SEED");
  app.add_option("--size", arguments.size, "full, or smoke: a hundredth, for a first look")
      ->type_name("SIZE")
      ->transform(CLI::CheckedTransformer(sizes).description(""));
  app.add_option("--cache", arguments.cache, "Where journals of workloads are kept")
      ->capture_default_str()
      ->type_name("FOLDER");
  app.add_flag("--list", arguments.list, "Lists the workloads");
  app.add_flag("--latency", arguments.latency, "Percentiles for each kind of command instead");
  app.add_flag("--once", arguments.once, "A single run of one engine in one mode, nothing else");
  app.add_flag("--unpinned", arguments.unpinned,
               "Accept digests other than the pinned ones, to pin those of a changed workload");
  app.add_flag("--huge-pages", arguments.huge_pages,
               "Memory in huge pages, if the kernel has any; prints how many it gave");
  app.add_flag("--json", arguments.json, "Results as JSON, one object a line");
  app.add_flag("-q,--quiet", arguments.quiet, "Only results and errors");
  app.footer(kExamples);
}

absl::StatusOr<std::vector<Contender>> Contenders(const Arguments& arguments) {
  std::vector<Contender> contenders;
  for (const std::string& name : arguments.engines) contenders.push_back(*ContenderOf(name));
  return contenders;
}

std::vector<Mode> Modes(const Arguments& arguments, Console& console) {
  std::vector<Mode> modes;
  for (const std::string& name : arguments.modes) {
    if (name == "drained" && tools::UsableCores().size() < 2) {
      console.Note("apply_bench: a single core: the mode 'drained' is left out");
      continue;
    }
    modes.push_back(name == "same" ? Mode::kSame : Mode::kDrained);
  }
  return modes;
}

Cores ChooseCores() {
  const std::vector<int> usable = tools::UsableCores();
  return {.engine = usable.front(), .reader = usable.size() > 1 ? usable[1] : usable.front()};
}

// The workloads to measure; each is read when its turn comes.
class Queue {
 public:
  explicit Queue(const Arguments& arguments) : arguments_(arguments) {
    if (!arguments.journals.empty()) {
      names_ = arguments.journals;
    } else if (!arguments.workloads.empty()) {
      for (const std::string& name : arguments.workloads) {
        if (name != "crowd") {
          names_.push_back(name);
          continue;
        }
        for (const WorkloadEntry& entry : CrowdWorkloads()) names_.emplace_back(entry.name);
      }
    } else {
      for (const WorkloadEntry& entry : Workloads()) names_.emplace_back(entry.name);
    }
  }

  const std::vector<std::string>& names() const { return names_; }

  absl::StatusOr<RecordedWorkload> Read(const std::string& name, Console& console) const {
    if (!arguments_.journals.empty()) return ReadWorkload(name, arguments_.warm_up_count);
    ASSIGN_OR_RETURN(
        RecordedWorkload workload,
        RecordOrReadWorkload(arguments_.cache, name, arguments_.seed, arguments_.size));
    if (workload.is_new) {
      console.Note(name, ": ", workload.commands.size(), " commands written to ", workload.path);
    }
    return workload;
  }

 private:
  const Arguments& arguments_;
  std::vector<std::string> names_;
};

// For a profiler: nearly all the time of the program is a single run.
ExitCode RunOnce(const RecordedWorkload& workload, Contender contender, Mode mode,
                 Console& console) {
  const TimedResult result = TimedRun(contender, mode, workload, ChooseCores());
  console.PrintLine(
      workload.name, "  ", NameOf(contender), "  ", workload.timed_count(), " timed commands, ",
      result.tally.events, " events, ",
      absl::StrFormat("%.1f ns per command",
                      result.seconds * 1e9 / static_cast<double>(workload.timed_count())));
  return ExitCode::kOk;
}

// Shows a progress bar for each step that may take longer than two seconds.
class ShownProgress {
 public:
  ShownProgress(Console& console, std::string workload)
      : console_(console), workload_(std::move(workload)) {}

  void operator()(absl::string_view what, uint64_t done, uint64_t total) {
    if (progress_ == nullptr || what_ != what) {
      what_ = std::string(what);
      progress_ = std::make_unique<tools::Progress>(console_, absl::StrCat(workload_, ": ", what_),
                                                    what == "time" ? "rounds" : "commands", total);
    }
    progress_->Show(done);
  }

 private:
  Console& console_;
  const std::string workload_;
  std::string what_;
  std::unique_ptr<tools::Progress> progress_;
};

// A workload of seed 1 must have its pinned digests on every machine.
absl::Status CheckPinned(const Arguments& arguments, const RecordedWorkload& workload,
                         const RunDigests& digests) {
  if (arguments.unpinned || !arguments.journals.empty()) return absl::OkStatus();
  const PinnedDigests* const pinned = FindPinned(workload.name, arguments.seed, arguments.size);
  if (pinned == nullptr) return absl::OkStatus();
  const auto check = [&](absl::string_view what, const engine::Digest& found,
                         absl::string_view expected) {
    if (found.ToString() == expected) return absl::OkStatus();
    return absl::AbortedError(absl::StrCat(workload.name, ": ", what, " digest ", found.ToString(),
                                           ", pinned is ", expected));
  };
  RETURN_IF_ERROR(check("log", workload.log_digest, pinned->log));
  RETURN_IF_ERROR(check("trace", digests.trace, pinned->trace));
  return check("state", digests.state, pinned->state);
}

absl::StatusOr<ExitCode> Run(const Arguments& arguments, const Provenance& provenance,
                             Console& console) {
  if (arguments.list) {
    for (const auto* entries : {&Workloads(), &CrowdWorkloads()}) {
      for (const WorkloadEntry& entry : *entries) {
        console.PrintLine(absl::StrFormat("%-24s ", entry.name), entry.summary);
      }
    }
    return ExitCode::kOk;
  }
  ASSIGN_OR_RETURN(const std::vector<Contender> contenders, Contenders(arguments));
  const ComparisonOptions options = {.contenders = contenders,
                                     .modes = Modes(arguments, console),
                                     .run_count = arguments.run_count,
                                     .cores = ChooseCores()};
  if (options.modes.empty()) return absl::InvalidArgumentError("--modes: none is left");
  const Queue queue(arguments);
  const OutcomeCache cache(arguments.cache, provenance.program);
  if (!arguments.once) PrintProvenance(console, provenance);
  for (const std::string& name : queue.names()) {
    ASSIGN_OR_RETURN(const RecordedWorkload workload, queue.Read(name, console));
    if (arguments.once) {
      const bool is_default = arguments.engines.size() > 1;
      RunOnce(workload, is_default ? Contender::kFast : contenders.front(), options.modes.front(),
              console);
    } else if (arguments.latency) {
      PrintLatency(console, provenance, workload, MeasureLatency(workload, options.cores.engine));
    } else {
      ShownProgress progress(console, name);
      ASSIGN_OR_RETURN(const Comparison comparison,
                       Compare(workload, options, cache, std::ref(progress)));
      RETURN_IF_ERROR(CheckPinned(arguments, workload, comparison.outcome.digests));
      PrintComparison(console, provenance, workload, comparison);
    }
    console.Flush();
  }
  if (arguments.huge_pages) {
    console.Note("apply_bench: huge pages: ", tools::HugePagesReport(true).detail);
  }
  return ExitCode::kOk;
}

Console::Sink WriteTo(FILE* stream) {
  return [stream](absl::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
        std::fflush(stream) == 0) {
      return;
    }
    std::perror("apply_bench: cannot write");
    std::_Exit(static_cast<int>(ExitCode::kIo));
  };
}

ExitCode Main(const std::vector<std::string>& words) {
  Console console(WriteTo(stdout), WriteTo(stderr),
                  {.output_is_terminal = tools::StandardOutputIsTerminal(),
                   .error_is_terminal = tools::StandardErrorIsTerminal()});
  CLI::App app(kDescription, "apply_bench");
  app.get_formatter()->column_width(30);
  Arguments arguments;
  Declare(app, arguments);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    console.Print(tools::ConsoleText::Lines(app.help()));
    return ExitCode::kOk;
  } catch (const CLI::ParseError& error) {
    console.Error("apply_bench: ", error.what(), "\nTry 'apply_bench --help'.\n");
    return ExitCode::kUsage;
  }
  console.set_json(arguments.json);
  console.set_quiet(arguments.quiet);
  const absl::StatusOr<ExitCode> code = Run(arguments, FindProvenance(words), console);
  if (code.ok()) return *code;
  console.Error("apply_bench: ", tools::ConsoleText::Message(code.status().message()), "\n");
  if (code.status().code() == absl::StatusCode::kAborted) return ExitCode::kDifferent;
  return tools::ExitCodeOf(code.status().code());
}

}  // namespace
}  // namespace bench

int main(int argument_count, char** arguments) {
  if (std::find(arguments, arguments + argument_count, std::string_view("--huge-pages")) !=
          arguments + argument_count &&
      tools::AskForHugePages()) {
    execv("/proc/self/exe", arguments);
  }
  return static_cast<int>(bench::Main({arguments + 1, arguments + argument_count}));
}
