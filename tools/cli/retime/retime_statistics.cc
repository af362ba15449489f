#include "tools/cli/retime/retime_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/prng.h"

namespace tools {
namespace {

constexpr size_t kSplits = 400;

std::vector<double> Logarithms(const std::vector<double>& values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return logarithms;
}

// Returns the mean of the middle half: in a difference of a pair, either run may have been
// disturbed.
double MiddleHalf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t quarter = values.size() / 4;
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(quarter),
                         values.end() - static_cast<std::ptrdiff_t>(quarter), 0.0) /
         static_cast<double>(values.size() - 2 * quarter);
}

// The logarithms of one metric.
struct Sample {
  std::vector<double> before;  // Empty: `after` are differences of pairs.
  std::vector<double> after;

  double Distance() const {
    return before.empty() ? MiddleHalf(after) : FasterHalf(after) - FasterHalf(before);
  }
  size_t runs() const {
    return before.empty() ? after.size() : std::min(before.size(), after.size());
  }
};

Sample SampleOf(const MetricRuns& metric) {
  Sample sample{Logarithms(metric.before), Logarithms(metric.after)};
  if (!metric.in_turns) return sample;
  CHECK(sample.before.size() == sample.after.size()) << metric.name;
  for (size_t i = 0; i < sample.after.size(); ++i) sample.after[i] -= sample.before[i];
  sample.before.clear();
  return sample;
}

void Resample(const std::vector<double>& values, engine::Prng& prng, std::vector<double>& sample) {
  sample.resize(values.size());
  for (double& value : sample) value = values[prng.Below(values.size())];
}

// Returns resampled distances, ascending. A small sample underestimates the variance, hence the
// correction of n / (n - 1).
std::vector<double> Distances(const Sample& sample, const JudgeOptions& options) {
  engine::Prng prng(options.seed);
  const double distance = sample.Distance();
  const auto runs = static_cast<double>(sample.runs());
  const double correction = std::sqrt(runs / (runs - 1));
  std::vector<double> distances(options.resamples);
  Sample resampled;
  for (double& each : distances) {
    Resample(sample.before, prng, resampled.before);
    Resample(sample.after, prng, resampled.after);
    each = distance + (resampled.Distance() - distance) * correction;
  }
  std::sort(distances.begin(), distances.end());
  return distances;
}

double Halves(const std::vector<double>& runs, double (*location)(std::vector<double>)) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  return std::abs(location({runs.begin(), middle}) - location({middle, runs.end()}));
}

// Returns the distance that 19 in 20 random splits of equal runs stay below.
double HalvesAtRandom(std::vector<double> runs, uint64_t seed,
                      double (*location)(std::vector<double>)) {
  engine::Prng prng(seed);
  std::vector<double> distances(kSplits);
  for (double& distance : distances) {
    for (size_t i = runs.size() - 1; i > 0; --i) std::swap(runs[i], runs[prng.Below(i + 1)]);
    distance = Halves(runs, location);
  }
  std::sort(distances.begin(), distances.end());
  return distances[kSplits * 19 / 20];
}

// Returns the distance that a comparison of equal programs would show. Halves have fewer runs than
// the comparison, so they are further apart: by a factor of sqrt(2) if two sides are compared, by 2
// for differences of pairs. Comparing the earlier half with the later shows slow drift, which does
// not affect pairs.
double Noise(const Sample& sample, uint64_t seed) {
  if (sample.before.empty()) return HalvesAtRandom(sample.after, seed, MiddleHalf) / 2;
  double noise = 0;
  for (const std::vector<double>* side : {&sample.before, &sample.after}) {
    noise = std::max({noise, Halves(*side, FasterHalf),
                      HalvesAtRandom(*side, seed, FasterHalf) / std::sqrt(2.0)});
  }
  return noise;
}

// Returns the two-sided p-value of "no difference", at least 1 / resamples.
double Significance(const std::vector<double>& distances) {
  const auto below = static_cast<double>(std::lower_bound(distances.begin(), distances.end(), 0.0) -
                                         distances.begin());
  const auto all = static_cast<double>(distances.size());
  return std::clamp(2 * std::min(below, all - below) / all, 1 / all, 1.0);
}

double At(const std::vector<double>& ascending, double share) {
  const auto index = static_cast<size_t>(share * static_cast<double>(ascending.size() - 1) + 0.5);
  return ascending[std::min(index, ascending.size() - 1)];
}

void Decide(Judgement& judgement, double distance, double low, double high, size_t runs,
            const JudgeOptions& options, double drift) {
  const double threshold = std::log1p(options.threshold);
  judgement.ratio = std::exp(distance);
  judgement.low = std::exp(low);
  judgement.high = std::exp(high);
  const double noise = judgement.noise;
  if (distance > threshold && low > noise) {
    judgement.verdict = PerformanceVerdict::kWorse;
  } else if (distance < -threshold && high < -noise) {
    judgement.verdict = PerformanceVerdict::kBetter;
  } else if (low - noise > -threshold && high + noise < threshold) {
    judgement.verdict = PerformanceVerdict::kSame;
  } else {
    judgement.machine_moved = std::log1p(std::abs(drift)) >= threshold;
    // The interval shrinks with the square root of the number of runs.
    const double wanted = (high - low + 2 * noise) / threshold;
    const double more = static_cast<double>(runs) * std::clamp(wanted * wanted, 2.0, 16.0);
    judgement.more_runs = std::min(static_cast<size_t>(more + 9) / 10 * 10, kRunsMax);
  }
}

}  // namespace

absl::string_view NameOf(PerformanceVerdict verdict) {
  switch (verdict) {
    case PerformanceVerdict::kBetter:
      return "better";
    case PerformanceVerdict::kSame:
      return "same";
    case PerformanceVerdict::kWorse:
      return "worse";
    case PerformanceVerdict::kInconclusive:
      return "inconclusive";
  }
  return "?";
}

double MeanBetween(const replay::LatencyHistogram& histogram, double from, double to) {
  CHECK(0 <= from && from < to && to <= 1) << from << " to " << to;
  const auto count = static_cast<double>(histogram.count());
  const double first = from * count;
  const double last = to * count;
  double seen = 0, sum = 0, weight = 0;
  for (size_t slot = 0; slot < histogram.slots().size() && seen < last; ++slot) {
    const auto here = static_cast<double>(histogram.slots()[slot]);
    if (here == 0) continue;
    const double begin = std::max(first, seen);
    const double end = std::min(last, seen + here);
    seen += here;
    if (end <= begin) continue;
    const auto lowest = static_cast<double>(replay::LatencyHistogram::LowestIn(slot));
    const auto highest = static_cast<double>(replay::LatencyHistogram::HighestIn(slot));
    sum += (lowest + highest) / 2 * (end - begin);
    weight += end - begin;
  }
  return weight == 0 ? 0 : sum / weight;
}

double FasterHalf(std::vector<double> values) {
  CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t half = (values.size() + 1) / 2;
  return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), 0.0) /
         static_cast<double>(half);
}

std::vector<Judgement> Judge(const std::vector<MetricRuns>& metrics, const JudgeOptions& options) {
  std::vector<Judgement> judgements;
  std::vector<Sample> samples;
  std::vector<std::vector<double>> distances(metrics.size());
  std::vector<std::pair<double, size_t>> by_significance;
  for (size_t i = 0; i < metrics.size(); ++i) {
    judgements.push_back({.name = metrics[i].name, .more_runs = kJudgedRunsMin});
    samples.push_back(SampleOf(metrics[i]));
    if (samples[i].runs() < kJudgedRunsMin) continue;
    distances[i] = Distances(samples[i], options);
    by_significance.emplace_back(Significance(distances[i]), i);
  }
  // Holm: the most significant metric is tested at level (1 - confidence) / n, the next at (1 -
  // confidence) / (n - 1), and so on.
  std::sort(by_significance.begin(), by_significance.end());
  for (size_t rank = 0; rank < by_significance.size(); ++rank) {
    const size_t i = by_significance[rank].second;
    const double level =
        (1 - options.confidence) / static_cast<double>(by_significance.size() - rank);
    const double drift = metrics[i].machine_drift;
    judgements[i].noise = std::max(Noise(samples[i], options.seed), std::log1p(std::abs(drift)));
    Decide(judgements[i], samples[i].Distance(), At(distances[i], level / 2),
           At(distances[i], 1 - level / 2), samples[i].runs(), options, drift);
  }
  return judgements;
}

PerformanceVerdict Overall(const std::vector<Judgement>& judgements) {
  bool any[4] = {};
  for (const Judgement& judgement : judgements) any[static_cast<size_t>(judgement.verdict)] = true;
  if (any[static_cast<size_t>(PerformanceVerdict::kWorse)]) return PerformanceVerdict::kWorse;
  if (judgements.empty() || any[static_cast<size_t>(PerformanceVerdict::kInconclusive)]) {
    return PerformanceVerdict::kInconclusive;
  }
  return any[static_cast<size_t>(PerformanceVerdict::kBetter)] ? PerformanceVerdict::kBetter
                                                               : PerformanceVerdict::kSame;
}

}  // namespace tools
