#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {
namespace {

// The part of a change of far-memory speed that affects a command: most of its accesses are nearer.
// An estimate; a larger value makes more answers inconclusive.
constexpr double kFarMemoryShare = 0.25;

// Returns by what fraction the machine was slower after than before: the largest of three by
// magnitude.
double MachineDrift(const std::vector<RetimeReport>& before,
                    const std::vector<RetimeReport>& after) {
  const auto drift = [&](double Yardstick::*step) {
    const auto typical = [&](const std::vector<RetimeReport>& runs) {
      std::vector<double> nanos;
      for (const RetimeReport& run : runs) nanos.push_back(run.yardstick.*step);
      return replay::FasterHalf(nanos);
    };
    return typical(after) / typical(before) - 1;
  };
  double largest = drift(&Yardstick::arithmetic);
  for (const double other :
       {drift(&Yardstick::near_memory), drift(&Yardstick::far_memory) * kFarMemoryShare}) {
    if (std::abs(other) > std::abs(largest)) largest = other;
  }
  return largest;
}

using Classes = std::vector<const replay::ClassTimes*>;

// Returns the class of that name in each run; none if it has too few commands in any of them.
Classes ClassInEachRun(const std::vector<RetimeReport>& runs, const std::string& name) {
  Classes classes;
  for (const RetimeReport& run : runs) {
    const replay::ClassTimes* const found = run.Find(name);
    if (found == nullptr || found->service.count() < kJudgedCountMin) return {};
    classes.push_back(found);
  }
  return classes;
}

std::vector<double> Values(const std::vector<RetimeReport>& runs, const Classes& classes,
                           RetimeGate gate) {
  std::vector<double> values;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto& times = gate == RetimeGate::kP99Latency ? classes[i]->latency : classes[i]->service;
    const double nanos = gate == RetimeGate::kTypical ? replay::MeanBetween(times, 0, 0.98)
                                                      : replay::MeanBetween(times, 0.985, 0.995);
    values.push_back(std::max(nanos - replay::MeanBetween(runs[i].probe, 0, 0.98), 1.0));
  }
  return values;
}

}  // namespace

RetimeComparison Compare(const std::vector<RetimeReport>& before,
                         const std::vector<RetimeReport>& after, bool in_turns,
                         const std::vector<RetimeGate>& gates,
                         const replay::JudgeOptions& options) {
  RetimeComparison comparison;
  comparison.machine_drift = MachineDrift(before, after);
  std::vector<replay::MetricRuns> metrics;
  for (const replay::ClassTimes& each : after.front().classes) {
    const std::string name = each.name();
    const Classes classes_before = ClassInEachRun(before, name);
    const Classes classes_after = ClassInEachRun(after, name);
    if (classes_before.empty() || classes_after.empty()) {
      comparison.skipped.push_back(name);
      continue;
    }
    for (const RetimeGate gate : gates) {
      if (gate == RetimeGate::kP99Latency && !after.front().is_open_loop) continue;
      metrics.push_back(
          {.name = absl::StrCat(name, ", ", kRetimeGateNames[static_cast<size_t>(gate)]),
           .before = Values(before, classes_before, gate),
           .after = Values(after, classes_after, gate),
           .machine_drift = in_turns ? 0 : comparison.machine_drift,
           .in_turns = in_turns});
    }
  }
  comparison.judgements = replay::Judge(metrics, options);
  comparison.verdict = replay::Overall(comparison.judgements);
  for (const replay::Judgement& judgement : comparison.judgements) {
    if (judgement.verdict != replay::PerformanceVerdict::kInconclusive) continue;
    if (judgement.machine_moved) continue;
    comparison.more_runs = std::max(comparison.more_runs, judgement.more_runs);
  }
  return comparison;
}

absl::Status CheckComparable(const RetimeReport& before, const RetimeReport& after, bool force) {
  const std::vector<std::string> work = Differences(before.work, after.work);
  if (!work.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("the baseline is of other work, and no times of the two compare\n  ",
                     absl::StrJoin(work, "\n  ")));
  }
  const std::vector<std::string> environment = Differences(before.environment, after.environment);
  if (environment.empty() || force) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("the baseline was measured elsewhere; --force compares all the same\n  ",
                   absl::StrJoin(environment, "\n  ")));
}

}  // namespace tools
