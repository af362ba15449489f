#include "tools/cli/retime/retime_comparison.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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
      return FasterHalf(nanos);
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

const RetimeReport::Class* Find(const RetimeReport& run, const std::string& name) {
  for (const RetimeReport::Class& each : run.classes) {
    if (each.name() == name) return &each;
  }
  return nullptr;
}

double Value(const RetimeReport& run, const RetimeReport::Class& its_class, RetimeGate gate) {
  constexpr double kAround99[] = {0.985, 0.995};
  const double probe = MeanBetween(run.probe, 0, 0.98);
  double nanos = 0;
  switch (gate) {
    case RetimeGate::kTypical:
      nanos = MeanBetween(its_class.service, 0, 0.98) - probe;
      break;
    case RetimeGate::kP99:
      nanos = MeanBetween(its_class.service, kAround99[0], kAround99[1]) - probe;
      break;
    case RetimeGate::kP99Latency:
      nanos = MeanBetween(its_class.latency, kAround99[0], kAround99[1]) - probe;
      break;
  }
  return std::max(nanos, 1.0);
}

bool HasEnough(const std::vector<RetimeReport>& runs, const std::string& name) {
  return std::all_of(runs.begin(), runs.end(), [&](const RetimeReport& run) {
    const RetimeReport::Class* const found = Find(run, name);
    return found != nullptr && found->service.count() >= kJudgedCountMin;
  });
}

std::vector<double> Values(const std::vector<RetimeReport>& runs, const std::string& name,
                           RetimeGate gate) {
  std::vector<double> values;
  for (const RetimeReport& run : runs) values.push_back(Value(run, *Find(run, name), gate));
  return values;
}

}  // namespace

RetimeComparison Compare(const std::vector<RetimeReport>& before,
                         const std::vector<RetimeReport>& after, bool in_turns,
                         const std::vector<RetimeGate>& gates, const JudgeOptions& options) {
  RetimeComparison comparison;
  comparison.machine_drift = MachineDrift(before, after);
  std::vector<MetricRuns> metrics;
  for (const RetimeReport::Class& each : after.front().classes) {
    const std::string name = each.name();
    if (!HasEnough(before, name) || !HasEnough(after, name)) {
      comparison.skipped.push_back(name);
      continue;
    }
    for (const RetimeGate gate : gates) {
      if (gate == RetimeGate::kP99Latency && !after.front().is_open_loop) continue;
      metrics.push_back(
          {.name = absl::StrCat(name, ", ", kRetimeGateNames[static_cast<size_t>(gate)]),
           .before = Values(before, name, gate),
           .after = Values(after, name, gate),
           .machine_drift = in_turns ? 0 : comparison.machine_drift,
           .in_turns = in_turns});
    }
  }
  comparison.judgements = Judge(metrics, options);
  comparison.verdict = Overall(comparison.judgements);
  for (const Judgement& judgement : comparison.judgements) {
    if (judgement.verdict != PerformanceVerdict::kInconclusive || judgement.machine_moved) continue;
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
