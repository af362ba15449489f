// ticktape doctor: assesses a folder and the machine for use by a journal; with --latency, cores
// for use by threads that must not wait; with --ablation, what settings do for such threads.

#include "absl/strings/str_join.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/maintenance/ablation.h"
#include "tools/cli/maintenance/examination.h"
#include "tools/cli/maintenance/isolation.h"
#include "tools/os/core_facts.h"
#include "tools/os/machine_facts.h"
#include "tools/os/measuring.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

// Durations, in rows of up to 2, 4, 8, … microseconds.
void AddHistogram(Report& report, absl::string_view what, absl::string_view name,
                  const std::vector<uint64_t>& nanos) {
  report.Line();
  report.Line(
      Styled(Style::kDim, absl::StrFormat("  %24s %10s", absl::StrCat(what, ", up to"), "times")));
  const std::vector<DurationCount> rows = CountDurations(nanos);
  uint64_t largest = 0;
  for (const DurationCount& row : rows) largest = std::max(largest, row.count);
  report.Objects(name, rows, [&](const DurationCount& row) {
    report.Line(absl::StrFormat("  %24s %10s  %s", HumanNanos(row.up_to_nanos),
                                WithCommas(row.count), Bar(row.count, largest, 40)));
    report.Field("up_to_ns", row.up_to_nanos);
    report.Field("count", row.count);
  });
}

void AddSyncs(Report& report, const std::vector<uint64_t>& nanos) {
  const SyncTimes times = Summarise(nanos);
  report.BeginObject("sync_ns");
  report.Field("count", times.count);
  report.Field("min", times.min);
  report.Field("p50", times.p50);
  report.Field("p90", times.p90);
  report.Field("p99", times.p99);
  report.Field("max", times.max);
  report.EndObject();
  AddHistogram(report, "4 KiB + fdatasync", "sync_histogram", nanos);
}

void AddDiagnoses(Report& report, const std::vector<Diagnosis>& diagnoses) {
  report.Objects("diagnoses", diagnoses, [&](const Diagnosis& diagnosis) {
    constexpr Style kStyles[] = {Style::kGreen, Style::kYellow, Style::kRed};
    const Style style = kStyles[static_cast<size_t>(diagnosis.health)];
    report.Line(Styled(style, absl::StrFormat("%-4s", ToString(diagnosis.health))), "  ",
                Styled(Style::kBold, diagnosis.name), "  ", diagnosis.value);
    report.Line("      ", diagnosis.meaning);
    for (const std::string& change : diagnosis.changes) {
      report.Line("      ", Styled(Style::kDim, change));
    }
    report.Field("name", diagnosis.name);
    report.Field("value", diagnosis.value);
    report.Field("health", ToString(diagnosis.health));
    report.Field("meaning", diagnosis.meaning);
    if (!diagnosis.changes.empty()) report.Texts("changes", diagnosis.changes);
  });
}

// Each core after the other: threads that spin on all of them would be each other's pauses.
std::vector<SpunCore> Spin(Console& console, const std::vector<int>& cores, double seconds) {
  const TickClock clock = TickClock::Calibrate();
  std::vector<SpunCore> spun;
  const auto nanos = static_cast<uint64_t>(seconds * 1e9);
  Progress progress(console, "spin", "cores", cores.size());
  for (const int core : cores) {
    SpunCore of{.core = core, .before = ReadCoreCounts(core)};
    progress.Show(spun.size());
    {
      const Thread thread("hiccups", [&] { of.hiccups = MeasureHiccups(core, nanos, clock); });
      if (!thread.status().ok()) of.hiccups = MeasureHiccups(core, nanos, clock);
    }
    of.after = ReadCoreCounts(core);
    spun.push_back(std::move(of));
  }
  return spun;
}

void AddHiccups(Report& report, const std::vector<SpunCore>& spun) {
  report.Objects("hiccups", spun, [&](const SpunCore& of) {
    report.Field("core", uint64_t{static_cast<unsigned>(of.core)});
    report.Field("pinned", of.hiccups.is_pinned);
    report.Field("measured_ns", of.hiccups.nanos);
    report.Field("pauses", uint64_t{of.hiccups.pauses.size()});
    report.Field("paused_ns", of.hiccups.paused_nanos());
    report.Field("longest_ns", of.hiccups.longest());
    AddHistogram(report, absl::StrFormat("pauses of core %d", of.core), "histogram",
                 of.hiccups.pauses);
  });
}

void AddLatencies(Report& report, absl::string_view name, const replay::LatencyHistogram& nanos) {
  report.BeginObject(name);
  report.Field("count", nanos.count());
  report.Field("p50", nanos.Percentile(500'000));
  report.Field("p99", nanos.Percentile(990'000));
  report.Field("p999", nanos.Percentile(999'000));
  report.Field("max", nanos.max());
  report.EndObject();
}

std::string LatencyColumns(const replay::LatencyHistogram& nanos) {
  return absl::StrFormat("%9s%9s%9s%9s", HumanNanos(nanos.Percentile(500'000)),
                         HumanNanos(nanos.Percentile(990'000)),
                         HumanNanos(nanos.Percentile(999'000)), HumanNanos(nanos.max()));
}

constexpr char kExamples[] = R"(  ticktape doctor /data/journals
  ticktape doctor . --syncs 2000 --json
  ticktape doctor --latency --cores 2-3     # what may interrupt a thread there
  ticktape doctor --ablation --cores 2-3    # what each setting does for a feed and an order

Writes a few MiB to a file of its own in that folder, which is gone afterwards; where
that is not possible, looks at the rest. Exit code 5 says that something is bad for a
journal there.)";

class DoctorVerb final : public Verb {
 public:
  DoctorVerb()
      : Verb("doctor",
             "Look at disk, clock and processors, and say what they mean for a journal or a core",
             kExamples) {}

  void Declare(Options& options) override {
    const Option folder =
        options.Add("folder", path_, "Where journals are, or will be").Type("FOLDER").ShowDefault();
    const Option syncs =
        options.AddCount("--syncs", sync_count_, "How many syncs to measure", 10, 100'000);
    options
        .AddFlag("--latency", is_latency_,
                 "Look at cores instead: what may interrupt a thread there, what that costs and "
                 "how to change it, and the pauses of one that spins")
        .Excludes(folder)
        .Excludes(syncs);
    options
        .AddFlag("--ablation", is_ablation_,
                 "Measure a feed and the round trip of an order between two cores, without and "
                 "with each setting that needs no restart: pinned threads, SCHED_FIFO, mlock, huge "
                 "pages, a cpuset partition, busy polling")
        .Excludes(folder)
        .Excludes(syncs);
    cores_option_.emplace(
        options
            .Add("--cores", cores_,
                 "With --latency: which, as in 2-3,6; else all. With --ablation: two; else the "
                 "first two")
            .Type("CORES"));
    seconds_option_.emplace(
        options
            .Add("--seconds", seconds_,
                 "With --latency: how long to spin on each. With --ablation: for each measurement")
            .ShowDefault()
            .InRange(0.1, 3600.0));
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (is_ablation_) return RunAblation(console);
    if (is_latency_) return RunLatency(console);
    if (cores_option_->given() || seconds_option_->given()) {
      return absl::InvalidArgumentError("--cores and --seconds are for --latency and --ablation");
    }
    ASSIGN_OR_RETURN(const StorageFacts storage, ReadStorageFacts(path_));
    const absl::StatusOr<std::vector<uint64_t>> nanos = MeasureSyncs(path_, sync_count_);
    const std::vector<Diagnosis> diagnoses = {
        ExamineFileSystem(storage),
        ExamineMountOptions(storage),
        ExamineSpace(storage),
        nanos.ok() ? ExamineSyncs(Summarise(*nanos)) : ExamineFailedSyncs(nanos.status()),
        ExamineClock(ReadClockFacts()),
        ExamineProcessors(ProcessorCount(), MeasureHandover())};
    Report report("ticktape.doctor/1");
    report.Field("path", path_);
    AddDiagnoses(report, diagnoses);
    if (nanos.ok()) AddSyncs(report, *nanos);
    report.PrintTo(console);
    const bool is_bad =
        std::any_of(diagnoses.begin(), diagnoses.end(),
                    [](const Diagnosis& diagnosis) { return diagnosis.health == Health::kBad; });
    return is_bad ? ExitCode::kNotComparable : ExitCode::kOk;
  }

 private:
  absl::StatusOr<ExitCode> RunLatency(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<int> cores, ChosenCores());
    const std::vector<SpunCore> spun = Spin(console, cores, seconds_);
    Report report("ticktape.doctor_latency/1");
    AddDiagnoses(report, ExamineIsolation(ReadIsolationFacts(cores), spun));
    AddHiccups(report, spun);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> RunAblation(Console& console) const {
    ASSIGN_OR_RETURN(std::vector<int> cores, ChosenCores());
    if (cores.size() < 2 || (cores_option_->given() && cores.size() > 2)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--ablation measures between two cores, and there are ", cores.size(),
                       "; expected --cores with two of ", absl::StrJoin(UsableCores(), ",")));
    }
    cores.resize(2);
    struct Measured {
      std::string name;
      AblationResult result;
    };
    std::vector<Measured> rows;
    {
      const Ablation ablation(cores, seconds_);
      const std::vector<AblationRow> all = AblationRows();
      Progress progress(console, "measure", "settings", all.size());
      for (const AblationRow& row : all) {
        progress.Show(rows.size());
        ASSIGN_OR_RETURN(AblationResult result, ablation.Measure(row.settings));
        rows.push_back({row.name, std::move(result)});
      }
    }
    Report report("ticktape.doctor_ablation/1");
    report.Field("cores", absl::StrJoin(cores, ","));
    report.Line(absl::StrFormat("%-14s%-36s%s", "", "     feed: UDP to changed book",
                                "     round trip: TCP, order to event"));
    constexpr char kColumns[] = "      p50      p99    p99.9      max";
    report.Line(Styled(Style::kDim, absl::StrFormat("%-14s%s%s", "", kColumns, kColumns)));
    report.Objects("rows", rows, [&](const Measured& row) {
      const AblationResult& result = row.result;
      report.Line(Styled(Style::kBold, absl::StrFormat("%-14s", row.name)),
                  LatencyColumns(result.feed), LatencyColumns(result.round_trip));
      for (const std::string& refused : result.refused) {
        report.Line("  ", Styled(Style::kYellow, "without "), refused);
      }
      report.Field("setting", row.name);
      AddLatencies(report, "feed_ns", result.feed);
      AddLatencies(report, "round_trip_ns", result.round_trip);
      if (!result.refused.empty()) report.Texts("refused", result.refused);
    });
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<std::vector<int>> ChosenCores() const {
    const std::vector<int> usable = UsableCores();
    if (!cores_option_->given()) return usable;
    const std::vector<int> cores = ParseCoreList(cores_);
    if (cores.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--cores ", cores_, ", expected cores such as 2-3,6"));
    }
    for (const int core : cores) {
      if (std::find(usable.begin(), usable.end(), core) != usable.end()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "--cores ", cores_, ": core ", core,
          " is not one that this process may use, expected some of ", absl::StrJoin(usable, ",")));
    }
    return cores;
  }

  std::string path_ = ".";
  uint64_t sync_count_ = 500;
  bool is_latency_ = false;
  bool is_ablation_ = false;
  std::string cores_;
  double seconds_ = 2;
  std::optional<Option> cores_option_;
  std::optional<Option> seconds_option_;
};

}  // namespace

std::unique_ptr<Verb> MakeDoctorVerb() { return std::make_unique<DoctorVerb>(); }

}  // namespace tools
