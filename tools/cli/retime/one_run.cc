#include "tools/cli/retime/one_run.h"

#include <functional>

#include "replay/retime/counted_run.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_run.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/os/allocation_count.h"
#include "tools/os/machine_facts.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr int kProbes = 100'000;

// What the timed loop reads.
struct Probe {
  const TickClock& clock;

  uint64_t Ticks() const { return TickClock::Ticks(); }
  uint64_t TicksOf(uint64_t nanos) const { return clock.TicksOf(nanos); }
  uint64_t Allocations() const { return AllocationCount(); }
};

replay::LatencyHistogram ProbeTimes(const TickClock& clock) {
  replay::LatencyHistogram times;
  for (int i = 0; i < kProbes; ++i) {
    const uint64_t begin = TickClock::Ticks();
    times.Record(clock.NanosOf(TickClock::Ticks() - begin));
  }
  return times;
}

// Excludes the version: a comparison is about versions, but compiler and flags must be equal.
void AddBuild(NamedValues& values, absl::string_view engine) {
  const std::string build = BuildId();
  const size_t comma = build.find(", ");
  values.emplace_back("build", comma == std::string::npos ? build : build.substr(comma + 2));
  values.emplace_back("engine", engine);
}

NamedValues Environment(const std::vector<ConditionReport>& conditions, absl::string_view engine) {
  NamedValues values = ReadMachineFacts();
  AddBuild(values, engine);
  for (const ConditionReport& condition : conditions) {
    values.emplace_back(condition.name, condition.taken ? "taken" : "not taken");
  }
  return values;
}

absl::StatusOr<std::unique_ptr<replay::Machine>> NewMachine(const RetimeOptions& options,
                                                            const EngineFactory& make_machine,
                                                            const journal::JournalInfo& info) {
  if (make_machine) return make_machine(options.engine);
  return MakeMachineFor(info, options.engine);
}

// A log in memory, and what the run of it must end in.
struct Planned {
  journal::JournalInfo info;
  std::unique_ptr<replay::Machine> machine;  // A new one.
  std::unique_ptr<replay::Vocabulary> vocabulary;
  replay::RetimePlan plan;
  SequenceRange range;
};

absl::StatusOr<Planned> MakePlan(const RetimeOptions& options, const EngineFactory& make_machine) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(options.path));
  journal::Reader& reader = *opened.reader;
  RETURN_IF_ERROR(CheckBeginsWithFirst(reader.info()));
  const std::string to = options.to.empty() ? "@-1" : options.to;
  Planned planned;
  planned.info = reader.info();
  ASSIGN_OR_RETURN(planned.range, ResolveRange(absl::StrCat(options.from, "..", to), reader));
  if (planned.range.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(options.path, " holds no command to time"));
  }
  ASSIGN_OR_RETURN(planned.machine, NewMachine(options, make_machine, planned.info));
  planned.vocabulary = VocabularyOf(reader.info());
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> untimed,
                   NewMachine(options, make_machine, planned.info));
  ASSIGN_OR_RETURN(planned.plan,
                   replay::MakeRetimePlan(reader, *untimed, *planned.vocabulary,
                                          planned.range.first, planned.range.last, options.speed));
  return planned;
}

absl::Status CheckState(const Planned& planned, const std::string& path) {
  const engine::Digest state = planned.machine->StateDigest();
  if (state == planned.plan.state) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(path, ": the timed run ended in state ", state.ToString(),
                                          ", expected ", planned.plan.state.ToString(),
                                          ", that of an ordinary replay"));
}

// In a thread, whose heap begins empty: what an allocation costs then does not depend on what was
// allocated before, such as the text of a path.
absl::Status RunInNewHeap(const std::function<absl::Status()>& run) {
  absl::Status status;
  {
    const Thread thread("counted", [&] { status = run(); });
    RETURN_IF_ERROR(thread.status());
  }
  return status;
}

// Runs of the same work have the same log and commands.
NamedValues WorkOf(const Planned& planned) {
  return {{"log digest", planned.plan.log.ToString()},
          {"commands",
           absl::StrCat("@", planned.range.first.value(), "..@", planned.range.last.value())}};
}

}  // namespace

absl::StatusOr<RetimeReport> RunTimed(const RetimeOptions& options,
                                      const EngineFactory& make_machine) {
  std::vector<ConditionReport> conditions = TakeConditions(options.conditions);
  ASSIGN_OR_RETURN(const Planned planned, MakePlan(options, make_machine));
  const TickClock clock = TickClock::Calibrate();
  const Yardstick yardstick = MeasureYardstick();
  const replay::LatencyHistogram probe_times = ProbeTimes(clock);
  ThreadCounters counters;
  Probe probe{clock};
  const replay::RetimeTimes times =
      replay::RunRetimed(planned.plan, *planned.machine, probe, [&] { counters.Start(); });
  counters.Stop();
  RETURN_IF_ERROR(CheckState(planned, options.path));
  conditions.back() = HugePagesReport(options.conditions.huge_pages);
  RetimeReport report{replay::Summarise(planned.plan, times, *planned.vocabulary,
                                        options.worst_count,
                                        [&](uint64_t ticks) { return clock.NanosOf(ticks); })};
  report.work = WorkOf(planned);
  report.work.emplace_back("speed", options.speed.ToString());
  report.environment = Environment(conditions, planned.machine->name());
  report.probe = probe_times;
  report.yardstick = yardstick;
  report.thread_counts = counters.kernel_counts();
  report.hardware_counts = counters.hardware_counts();
  report.hardware_counts_missing = counters.missing();
  report.conditions = std::move(conditions);
  return report;
}

absl::StatusOr<CountReport> RunUnderProfiler(const RetimeOptions& options,
                                             const EngineFactory& make_machine) {
  ASSIGN_OR_RETURN(Planned planned, MakePlan(options, make_machine));
  const replay::RetimePlan& plan = planned.plan;
  if (plan.classes.size() > replay::kCountedClassesMax) {
    return absl::ResourceExhaustedError(absl::StrCat(options.path, " has ", plan.classes.size(),
                                                     " kinds of work, expected at most ",
                                                     replay::kCountedClassesMax));
  }
  planned.machine.reset();  // Not in the thread, which would use its memory again.
  RETURN_IF_ERROR(RunInNewHeap([&]() -> absl::Status {
    ASSIGN_OR_RETURN(planned.machine, NewMachine(options, make_machine, planned.info));
    replay::RunCounted(plan, *planned.machine);
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(CheckState(planned, options.path));
  CountReport report = {.work = WorkOf(planned)};
  AddBuild(report.environment, planned.machine->name());
  for (const replay::RecordClass& each : plan.classes) {
    report.classes.push_back({.kind = planned.vocabulary->RowKindName(each.kind),
                              .outcome = planned.vocabulary->OutcomeName(each.outcome)});
  }
  for (const uint16_t its_class : plan.class_of) ++report.classes[its_class].commands;
  return report;
}

}  // namespace tools
