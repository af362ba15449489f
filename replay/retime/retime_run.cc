#include "replay/retime/retime_run.h"

#include <numeric>
#include <utility>

namespace replay {
namespace {

std::vector<size_t> Indexes(size_t count) {
  std::vector<size_t> indexes(count);
  std::iota(indexes.begin(), indexes.end(), size_t{0});
  return indexes;
}

std::vector<size_t> WorstIndexes(const RetimeTimes& times, size_t worst_count) {
  const auto ticks = [&](size_t i) {
    return times.latency.empty() ? uint64_t{times.service[i]} : times.latency[i];
  };
  std::vector<size_t> indexes = Indexes(times.service.size());
  const auto middle =
      indexes.begin() + static_cast<std::ptrdiff_t>(std::min(worst_count, indexes.size()));
  std::partial_sort(indexes.begin(), middle, indexes.end(), [&](size_t a, size_t b) {
    return std::pair(ticks(b), a) < std::pair(ticks(a), b);
  });
  indexes.erase(middle, indexes.end());
  return indexes;
}

}  // namespace

uint64_t RetimeResult::allocations() const {
  uint64_t sum = 0;
  for (const ClassTimes& each : classes) sum += each.allocations;
  return sum;
}

const ClassTimes* RetimeResult::Find(absl::string_view name) const {
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const auto& each) { return each.name() == name; });
  return found == classes.end() ? nullptr : &*found;
}

void RetimeResult::Add(const RetimeResult& other) {
  commands += other.commands;
  total_nanos += other.total_nanos;
  for (ClassTimes& each : classes) {
    const ClassTimes* const added = other.Find(each.name());
    if (added == nullptr) continue;
    each.service.Add(added->service);
    each.latency.Add(added->latency);
    each.allocations += added->allocations;
  }
  worst.insert(worst.end(), other.worst.begin(), other.worst.end());
}

void RetimeResult::KeepWorst(size_t count) {
  const auto nanos = [&](const SlowCommand& slow) {
    return is_open_loop ? slow.latency_nanos : slow.service_nanos;
  };
  std::stable_sort(worst.begin(), worst.end(),
                   [&](const auto& a, const auto& b) { return nanos(a) > nanos(b); });
  std::vector<SlowCommand> once;
  for (const SlowCommand& slow : worst) {
    const bool is_known = std::any_of(once.begin(), once.end(), [&](const auto& known) {
      return known.sequence == slow.sequence;
    });
    if (!is_known && once.size() < count) once.push_back(slow);
  }
  worst = std::move(once);
}

RetimeResult Summarise(const RetimePlan& plan, const RetimeTimes& times,
                       const Vocabulary& vocabulary, size_t worst_count,
                       absl::FunctionRef<uint64_t(uint64_t)> nanos_of_ticks) {
  std::vector<ClassTimes> classes(plan.classes.size());
  for (size_t i = 0; i < classes.size(); ++i) {
    classes[i].kind = vocabulary.RowKindName(plan.classes[i].kind);
    classes[i].outcome = vocabulary.OutcomeName(plan.classes[i].outcome);
    classes[i].allocations = times.allocations_of_class[i];
  }
  for (size_t i = 0; i < times.service.size(); ++i) {
    ClassTimes& its_class = classes[plan.class_of[i]];
    its_class.service.Record(nanos_of_ticks(times.service[i]));
    if (!times.latency.empty()) its_class.latency.Record(nanos_of_ticks(times.latency[i]));
  }
  RetimeResult result{.commands = plan.timed_count(),
                      .total_nanos = nanos_of_ticks(times.total),
                      .is_open_loop = !plan.due_nanos.empty()};
  for (const size_t i : WorstIndexes(times, worst_count)) {
    result.worst.push_back(
        {.sequence = plan.rows[plan.timed_from + i].sequence,
         .name = classes[plan.class_of[i]].name(),
         .service_nanos = nanos_of_ticks(times.service[i]),
         .latency_nanos = times.latency.empty() ? 0 : nanos_of_ticks(times.latency[i])});
  }
  std::vector<size_t> ascending = Indexes(classes.size());
  std::sort(ascending.begin(), ascending.end(),
            [&](size_t a, size_t b) { return plan.classes[a] < plan.classes[b]; });
  for (const size_t i : ascending) result.classes.push_back(std::move(classes[i]));
  return result;
}

}  // namespace replay
