#include "replay/retime/retime_result.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace replay {
namespace {

std::vector<size_t> WorstIndexes(const RetimeTimes& times, size_t worst_count) {
  const auto ticks = [&](size_t i) {
    return times.latency.empty() ? uint64_t{times.service[i]} : times.latency[i];
  };
  std::vector<size_t> indexes(times.service.size());
  std::iota(indexes.begin(), indexes.end(), size_t{0});
  const auto middle =
      indexes.begin() + static_cast<std::ptrdiff_t>(std::min(worst_count, indexes.size()));
  std::partial_sort(indexes.begin(), middle, indexes.end(), [&](size_t a, size_t b) {
    return std::pair(ticks(b), a) < std::pair(ticks(a), b);
  });
  indexes.erase(middle, indexes.end());
  return indexes;
}

}  // namespace

RetimeResult Summarise(const RetimePlan& plan, const RetimeTimes& times, size_t worst_count,
                       absl::FunctionRef<uint64_t(uint64_t)> nanos_of_ticks) {
  RetimeResult result;
  result.total_nanos = nanos_of_ticks(times.total);
  result.classes.resize(plan.classes.size());
  for (size_t i = 0; i < plan.classes.size(); ++i) {
    result.classes[i].record_class = plan.classes[i];
    result.classes[i].allocations = times.allocations_of_class[i];
  }
  for (size_t i = 0; i < times.service.size(); ++i) {
    ClassTimes& its_class = result.classes[plan.class_of[i]];
    its_class.service.Record(nanos_of_ticks(times.service[i]));
    if (!times.latency.empty()) its_class.latency.Record(nanos_of_ticks(times.latency[i]));
  }
  std::sort(
      result.classes.begin(), result.classes.end(),
      [](const ClassTimes& a, const ClassTimes& b) { return a.record_class < b.record_class; });
  for (const size_t i : WorstIndexes(times, worst_count)) {
    result.worst.push_back(
        {.sequence = plan.rows[plan.timed_from + i].sequence,
         .record_class = plan.classes[plan.class_of[i]],
         .service_nanos = nanos_of_ticks(times.service[i]),
         .latency_nanos = times.latency.empty() ? 0 : nanos_of_ticks(times.latency[i])});
  }
  return result;
}

}  // namespace replay
