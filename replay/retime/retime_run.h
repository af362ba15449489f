// One timed run of a plan, in open loop unless the speed is "max".
//
//   due      ──●────●────●────●──────────────●──►  fixed: late commands do not delay later ones
//   begun      ├──────────────┤
//   latency  ──●═══════▶ from the time at which the command was due, not from the time at which
//   service         ├──▶ the engine began it: a stall counts for every command that waits for it
//
// The clock is read only through `Probe`, so that a test can determine all durations.

#ifndef REPLAY_RETIME_RETIME_RUN_H_
#define REPLAY_RETIME_RETIME_RUN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/base/sequence_number.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/retime/retime_plan.h"

namespace replay {

// In the probe's ticks, by index of the timed command.
struct RetimeTimes {
  std::vector<uint32_t> service;  // Saturated.
  std::vector<uint64_t> latency;  // Empty in closed loop.
  std::vector<uint64_t> allocations_of_class;
  uint64_t total = 0;  // From the start of the first command to the end of the last one.
};

namespace retime_internal {

// Returns the rows with their attachments. Call with ascending indices.
class Rows {
 public:
  explicit Rows(const RetimePlan& plan) : plan_(plan) {}
  journal::Record At(size_t index) {
    journal::Record record{.row = &plan_.rows[index]};
    if (next_ < plan_.attachments.size() && plan_.attachments[next_].first == index) [[unlikely]] {
      record.attachment = plan_.attachments[next_++].second;
    }
    return record;
  }

 private:
  const RetimePlan& plan_;
  size_t next_ = 0;
};

inline uint32_t Saturated(uint64_t ticks) {
  constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();
  return static_cast<uint32_t>(ticks < kMax ? ticks : kMax);
}

}  // namespace retime_internal

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
  retime_internal::Rows rows(plan);
  for (size_t i = 0; i < plan.timed_from; ++i) driver.Apply(rows.At(i));

  before_timed();
  uint64_t allocations = probe.Allocations();
  const uint64_t start = probe.Ticks();
  uint64_t begin = start;
  for (size_t i = 0; i < count; ++i) {
    const journal::Record record = rows.At(plan.timed_from + i);
    if (is_open_loop) {
      while (begin - start < due_ticks[i]) begin = probe.Ticks();
    }
    driver.Apply(record);
    const uint64_t end = probe.Ticks();
    times.service[i] = retime_internal::Saturated(end - begin);
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

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_RUN_H_
