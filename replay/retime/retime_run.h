// One timed run of a plan, in open loop unless the speed is "max", and its result.
//
//   due      ──●────●────●────●──────────────●──►  fixed: late commands do not delay later ones
//   begun      ├──────────────┤
//   latency  ──●═══════▶ from the time at which the command was due, not from the time at which
//   service         ├──▶ the engine began it: a stall counts for every command that waits for it
//
// The clock is read only through `Probe`, so that a test can determine all durations.

#ifndef REPLAY_RETIME_RETIME_RUN_H_
#define REPLAY_RETIME_RETIME_RUN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_plan.h"
#include "replay/vocabulary.h"

namespace replay {

// In the probe's ticks, by index of the timed command.
struct RetimeTimes {
  std::vector<uint32_t> service;  // Saturated.
  std::vector<uint64_t> latency;  // Empty in closed loop.
  std::vector<uint64_t> allocations_of_class;
  uint64_t total = 0;  // From the start of the first command to the end of the last one.
};

// `Probe` has Ticks(), TicksOf(nanos) and Allocations(), a count that never decreases. Calls
// `before_timed` between the last untimed and the first timed command.
// REQUIRES: `machine` is new and of the kind that the plan was made with.
template <typename Probe, typename BeforeTimed>
RetimeTimes RunRetimed(const RetimePlan& plan, Machine& machine, Probe& probe,
                       BeforeTimed before_timed) {
  const size_t count = plan.timed_count();
  const bool is_open_loop = !plan.due_nanos.empty();
  RetimeTimes times;
  times.service.resize(count);
  times.latency.resize(is_open_loop ? count : 0);
  times.allocations_of_class.resize(plan.classes.size());
  std::vector<uint64_t> due_ticks(plan.due_nanos.size());
  for (size_t i = 0; i < due_ticks.size(); ++i) due_ticks[i] = probe.TicksOf(plan.due_nanos[i]);
  Driver driver(machine,
                plan.rows.empty() ? engine::SequenceNumber() : plan.rows.front().sequence - 1);
  PlannedRecords records(plan);
  for (size_t i = 0; i < plan.timed_from; ++i) driver.Apply(records.Next());

  before_timed();
  uint64_t allocations = probe.Allocations();
  const uint64_t start = probe.Ticks();
  uint64_t begin = start;
  for (size_t i = 0; i < count; ++i) {
    const journal::Record record = records.Next();
    if (is_open_loop) {
      while (begin - start < due_ticks[i]) begin = probe.Ticks();
    }
    driver.Apply(record);
    const uint64_t end = probe.Ticks();
    times.service[i] = static_cast<uint32_t>(
        std::min<uint64_t>(end - begin, std::numeric_limits<uint32_t>::max()));
    if (is_open_loop) times.latency[i] = end - start - due_ticks[i];
    if (const uint64_t now = probe.Allocations(); now != allocations) [[unlikely]] {
      times.allocations_of_class[plan.class_of[i]] += now - allocations;
      allocations = now;
    }
    begin = end;
  }
  times.total = begin - start;
  return times;
}

struct ClassTimes {
  std::string kind = "";          // "new_order"
  std::string outcome = "";       // "one fill"
  LatencyHistogram service = {};  // Nanoseconds, including one clock reading.
  LatencyHistogram latency = {};  // Nanoseconds from due to done; empty in closed loop.
  uint64_t allocations = 0;

  std::string name() const { return kind + " " + outcome; }
};

struct SlowCommand {
  engine::SequenceNumber sequence = {};
  std::string name = "";  // Of its class.
  uint64_t service_nanos = 0;
  uint64_t latency_nanos = 0;  // 0 in closed loop.
};

struct RetimeResult {
  uint64_t commands = 0;
  uint64_t total_nanos = 0;
  bool is_open_loop = false;
  std::vector<ClassTimes> classes = {};  // Ascending by class.
  // The slowest commands, slowest first, by latency in open loop and by service time in closed
  // loop; at equal times, the earliest first.
  std::vector<SlowCommand> worst = {};

  uint64_t allocations() const;
  // The class of that name, or null.
  const ClassTimes* Find(absl::string_view name) const;

  // Adds the result of another run of the same plan. Lists its slowest commands last: call
  // KeepWorst() after the last run.
  void Add(const RetimeResult& other);
  // Sorts the slowest commands, and keeps `count`. One that was slow in several runs is listed
  // once, with its worst time.
  void KeepWorst(size_t count);
};

// `vocabulary` names the classes.
RetimeResult Summarise(const RetimePlan& plan, const RetimeTimes& times,
                       const Vocabulary& vocabulary, size_t worst_count,
                       absl::FunctionRef<uint64_t(uint64_t)> nanos_of_ticks);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_RUN_H_
