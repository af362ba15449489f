#include "tools/cli/retime/retime_one_run.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_plan.h"
#include "replay/retime/retime_result.h"
#include "replay/retime/retime_run.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"
#include "tools/os/allocation_count.h"
#include "tools/os/hardware_counters.h"
#include "tools/os/machine_facts.h"
#include "tools/os/tick_clock.h"
#include "tools/os/yardstick.h"

namespace tools {
namespace {

constexpr int kProbes = 100'000;

// The counters that the timed loop reads.
struct Probe {
  const TickClock& clock;

  uint64_t Ticks() const { return TickClock::Ticks(); }
  uint64_t TicksOf(uint64_t nanos) const { return clock.TicksOf(nanos); }
  uint64_t Allocations() const { return AllocationCount(); }
};

replay::LatencyHistogram ProbeTimes(const TickClock& clock) {
  replay::LatencyHistogram times;
  uint64_t begin = TickClock::Ticks();
  for (int i = 0; i < kProbes; ++i) {
    const uint64_t end = TickClock::Ticks();
    times.Record(clock.NanosOf(end - begin));
    begin = TickClock::Ticks();
  }
  return times;
}

void AddResult(const replay::RetimeResult& result, const replay::Vocabulary& vocabulary,
               RetimeReport& report) {
  report.total_nanos = result.total_nanos;
  for (const replay::ClassTimes& times : result.classes) {
    report.classes.push_back({.kind = vocabulary.RowKindName(times.record_class.kind),
                              .outcome = vocabulary.OutcomeName(times.record_class.outcome),
                              .service = times.service,
                              .latency = times.latency,
                              .allocations = times.allocations});
  }
  for (const replay::SlowCommand& slow : result.worst) {
    report.worst.push_back(
        {.sequence = slow.sequence.value(),
         .name = absl::StrCat(vocabulary.RowKindName(slow.record_class.kind), " ",
                              vocabulary.OutcomeName(slow.record_class.outcome)),
         .service_nanos = slow.service_nanos,
         .latency_nanos = slow.latency_nanos});
  }
}

// Excludes the version: a comparison is about versions, but compiler and flags must be equal.
NamedValues Environment(const std::vector<ConditionReport>& conditions, absl::string_view engine) {
  NamedValues values = ReadMachineFacts();
  const std::string build = BuildId();
  const size_t comma = build.find(", ");
  values.emplace_back("build", comma == std::string::npos ? build : build.substr(comma + 2));
  values.emplace_back("engine", engine);
  for (const ConditionReport& condition : conditions) {
    values.emplace_back(condition.name, condition.taken ? "taken" : "not taken");
  }
  return values;
}

}  // namespace

absl::StatusOr<RetimeReport> RunRetimeOnce(const RetimeOptions& options,
                                           const EngineFactory& make_machine) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(options.path));
  journal::Reader& reader = *opened.reader;
  RETURN_IF_ERROR(CheckBeginsWithFirst(reader.info()));
  const std::string to = options.to.empty() ? "@-1" : options.to;
  ASSIGN_OR_RETURN(const SequenceRange range,
                   ResolveRange(absl::StrCat(options.from, "..", to), reader));
  if (range.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(options.path, " holds no command to time"));
  }
  RetimeReport report;
  report.conditions = TakeConditions(options.conditions);
  const auto make = [&]() -> absl::StatusOr<std::unique_ptr<replay::Machine>> {
    if (make_machine) return make_machine(options.engine);
    return MakeMachineFor(reader.info(), options.engine);
  };
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> machine, make());
  const std::unique_ptr<replay::Vocabulary> vocabulary = VocabularyOf(reader.info());
  replay::RetimePlan plan;
  {
    ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> untimed, make());
    ASSIGN_OR_RETURN(plan, replay::MakeRetimePlan(reader, *untimed, *vocabulary, range.first,
                                                  range.last, options.speed, [](uint64_t) {}));
  }
  const TickClock clock = TickClock::Calibrate();
  report.yardstick = MeasureYardstick();
  report.probe = ProbeTimes(clock);
  HardwareCounters counters;
  ThreadCounts before;
  Probe probe{clock};
  const replay::RetimeTimes times = replay::RunRetimed(plan, *machine, probe, [&] {
    before = ReadThreadCounts();
    counters.Start();
  });
  counters.Stop();
  const ThreadCounts after = ReadThreadCounts();
  if (machine->StateDigest() != plan.state) {
    return absl::InternalError(absl::StrCat(options.path, ": the timed run ended in state ",
                                            machine->StateDigest().ToString(), ", expected ",
                                            plan.state.ToString(), ", that of an ordinary replay"));
  }
  report.conditions.back() = HugePagesReport(options.conditions.huge_pages);
  report.work = {{"log digest", plan.log.ToString()},
                 {"commands", absl::StrCat("@", range.first.value(), "..@", range.last.value())},
                 {"speed", options.speed.ToString()}};
  report.environment = Environment(report.conditions, machine->name());
  report.commands = plan.timed_count();
  report.is_open_loop = options.speed.is_open_loop();
  report.thread_counts = {.minor_faults = after.minor_faults - before.minor_faults,
                          .major_faults = after.major_faults - before.major_faults,
                          .switches = after.switches - before.switches};
  report.hardware_counts = counters.Read();
  report.hardware_counts_missing = counters.missing();
  AddResult(replay::Summarise(plan, times, options.worst_count,
                              [&](uint64_t ticks) { return clock.NanosOf(ticks); }),
            *vocabulary, report);
  return report;
}

}  // namespace tools
