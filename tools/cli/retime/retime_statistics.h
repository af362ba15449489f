// Whether a change made something slower, judged on runs, with an honest answer where it cannot be
// told.
//
//   a run ─► its histogram ─► one number (the mean of the fastest 98 %, say), as a logarithm
//   runs before, runs after ─► how far apart, and by resampling whole runs, how sure that is
//   the same before split in two ─► how far apart runs are between which nothing changed
//
// A run is the unit, never a sample: a million commands of one run share its luck with memory,
// neighbours and frequency. Of several runs the faster half counts: what disturbs a run makes it
// slower, never faster.

#ifndef TOOLS_CLI_RETIME_RETIME_STATISTICS_H_
#define TOOLS_CLI_RETIME_RETIME_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"

namespace tools {

enum class PerformanceVerdict { kBetter, kSame, kWorse, kInconclusive };
absl::string_view NameOf(PerformanceVerdict verdict);

// The mean of the values between these shares of them, 0 to 1; within a slot they lie evenly. Moves
// as smoothly as its input even where a clock goes in coarse steps, which a percentile does not.
// 0 for an empty histogram. REQUIRES: 0 <= from < to <= 1.
double MeanBetween(const replay::LatencyHistogram& histogram, double from, double to);

// One number of every run, above zero, in the order in which they were run.
struct MetricRuns {
  std::string name;
  std::vector<double> before;
  std::vector<double> after;
  // How much slower the machine itself was after than before, as a share: 0.02 for 2 %. Whatever is
  // within it says nothing about the program.
  double machine_drift = 0;
  // The i-th run before and the i-th after were run one after the other, in turns: what slowly
  // changes on the machine meets both alike, so pairs are compared. Equally many, no drift then.
  bool in_turns = false;
};

struct JudgeOptions {
  double threshold = 0.03;   // What is called a difference, as a share.
  double confidence = 0.99;  // Over all metrics together (Holm).
  size_t resamples = 10'000;
  uint64_t seed = 1;  // The same runs are judged alike.
};

struct Judgement {
  std::string name = "";
  PerformanceVerdict verdict = PerformanceVerdict::kInconclusive;
  double ratio = 1;  // After over before.
  double low = 1;    // The interval that holds it with the confidence asked for.
  double high = 1;
  double noise = 0;      // Measured between runs that should be equal, or the machine's drift.
  size_t more_runs = 0;  // Where inconclusive: how many might do.
  bool machine_moved = false;  // Where inconclusive: more runs will not help, the machine differs.
};

inline constexpr size_t kJudgedRunsMin = 10;
inline constexpr size_t kRunsMax = 1000;

// In the order of `metrics`. All inconclusive where a side has fewer than kJudgedRunsMin runs.
//
//   worse  the ratio is above the threshold, and all of its interval above the noise
//   better the same downwards
//   same   all of its interval, widened by the noise, is within the threshold
std::vector<Judgement> Judge(const std::vector<MetricRuns>& metrics, const JudgeOptions& options);

// Worse where anything is; else inconclusive where anything is; else better or same.
PerformanceVerdict Overall(const std::vector<Judgement>& judgements);

// The mean of the smaller half, at least one. REQUIRES: not empty.
double FasterHalf(std::vector<double> values);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_STATISTICS_H_
