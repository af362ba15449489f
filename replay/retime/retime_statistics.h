// Decides from several runs whether a change made something slower, or whether that cannot be
// decided.
//
//   a run ─► its histogram ─► one number (e.g. the mean of the fastest 98 %), as a logarithm
//   runs before, runs after ─► their distance, and its confidence interval by resampling whole runs
//   runs before, split in two ─► the distance between runs that should be equal: the noise
//
// The sample unit is a run, not a command: the million commands of a run share the same memory
// layout, neighbours and frequency. Of several runs the faster half is used, because disturbances
// only ever make a run slower.

#ifndef REPLAY_RETIME_RETIME_STATISTICS_H_
#define REPLAY_RETIME_RETIME_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"

namespace replay {

enum class PerformanceVerdict { kBetter, kSame, kWorse, kInconclusive };
absl::string_view NameOf(PerformanceVerdict verdict);

// Returns the mean of the values between these two quantiles, 0 to 1; values are assumed to be
// spread evenly within a bucket. Unlike a percentile, it changes smoothly even if the clock has
// coarse steps. 0 for an empty histogram. REQUIRES: 0 <= from < to <= 1.
double MeanBetween(const LatencyHistogram& histogram, double from, double to);

// One positive number per run, in the order in which they were made.
struct MetricRuns {
  std::string name;
  std::vector<double> before;
  std::vector<double> after;
  // How much slower the machine itself was after than before, as a fraction: 0.02 for 2 %.
  // Differences up to this say nothing about the program.
  double machine_drift = 0;
  // Run i before and run i after were made one after the other, so slow changes of the machine
  // affect both equally, and pairs are compared. REQUIRES: equally many of both, no machine_drift.
  bool in_turns = false;
};

struct JudgeOptions {
  double threshold = 0.03;  // The smallest relevant difference, as a fraction.
  size_t resamples = 10'000;
};

struct Judgement {
  std::string name = "";
  PerformanceVerdict verdict = PerformanceVerdict::kInconclusive;
  double ratio = 1;  // After / before.
  double low = 1;    // The confidence interval of `ratio`.
  double high = 1;
  double noise = 0;      // The distance between runs that should be equal, or the machine's drift.
  size_t more_runs = 0;  // If inconclusive: the number of runs that might be enough.
  bool machine_moved = false;  // If inconclusive: the machine changed, so more runs do not help.
};

inline constexpr size_t kJudgedRunsMin = 10;
inline constexpr size_t kRunsMax = 1000;

// Returns judgements in the order of `metrics`, at a confidence of 99 % over all of them together;
// equal runs give equal judgements. All are inconclusive if a side has fewer than kJudgedRunsMin
// runs.
//
//   worse  the ratio is above the threshold, and its whole interval above the noise
//   better the same downwards
//   same   its whole interval, widened by the noise, is within the threshold
std::vector<Judgement> Judge(const std::vector<MetricRuns>& metrics, const JudgeOptions& options);

// Returns worse if any is; else inconclusive if any is; else better or same.
PerformanceVerdict Overall(const std::vector<Judgement>& judgements);

// Returns the mean of the smaller half, of at least one value. REQUIRES: not empty.
double FasterHalf(const std::vector<double>& values);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_STATISTICS_H_
