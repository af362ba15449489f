#include "replay/retime/retime_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/prng.h"

namespace replay {
namespace {

constexpr double kConfidence = 0.99;  // Over all metrics together (Holm).
constexpr uint64_t kSeed = 1;         // Makes the result reproducible.
constexpr size_t kSplits = 400;

std::vector<double> Logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

// Returns the mean of the values from the index `begin` to before `end`, counted in ascending
// order.
double MeanOfRanks(std::vector<double> values, size_t begin, size_t end) {
  std::sort(values.begin(), values.end());
  const auto first = values.begin();
  return std::accumulate(first + static_cast<std::ptrdiff_t>(begin),
                         first + static_cast<std::ptrdiff_t>(end), 0.0) /
         static_cast<double>(end - begin);
}

// Returns the mean of the middle half: in a difference of a pair, either run may have been
// disturbed.
double MiddleHalf(const std::vector<double>& values) {
  const size_t quarter = values.size() / 4;
  return MeanOfRanks(values, quarter, values.size() - quarter);
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

std::vector<double> Resampled(const std::vector<double>& values, engine::Prng& prng) {
  std::vector<double> sample(values.size());
  for (double& value : sample) value = values[prng.Below(values.size())];
  return sample;
}

// Returns resampled distances, ascending. A small sample underestimates the variance, hence the
// correction of n / (n - 1).
std::vector<double> Distances(const Sample& sample, size_t resamples) {
  engine::Prng prng(kSeed);
  const double distance = sample.Distance();
  const auto runs = static_cast<double>(sample.runs());
  const double correction = std::sqrt(runs / (runs - 1));
  std::vector<double> distances(resamples);
  for (double& each : distances) {
    const Sample resampled{Resampled(sample.before, prng), Resampled(sample.after, prng)};
    each = distance + (resampled.Distance() - distance) * correction;
  }
  std::sort(distances.begin(), distances.end());
  return distances;
}

using Location = double (*)(const std::vector<double>&);

double Halves(const std::vector<double>& runs, Location location) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  return std::abs(location({runs.begin(), middle}) - location({middle, runs.end()}));
}

// Returns the distance that 19 in 20 random splits of equal runs stay below.
double HalvesAtRandom(std::vector<double> runs, Location location) {
  engine::Prng prng(kSeed);
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
double Noise(const Sample& sample) {
  if (sample.before.empty()) return HalvesAtRandom(sample.after, MiddleHalf) / 2;
  double noise = 0;
  for (const std::vector<double>* side : {&sample.before, &sample.after}) {
    noise = std::max(
        {noise, Halves(*side, FasterHalf), HalvesAtRandom(*side, FasterHalf) / std::sqrt(2.0)});
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

// Fills the judgement of a metric whose distance has the confidence interval from `low` to `high`.
void Decide(Judgement& judgement, const Sample& sample, double low, double high, double threshold,
            double drift) {
  const double distance = sample.Distance();
  const double noise = std::max(Noise(sample), drift);
  judgement.ratio = std::exp(distance);
  judgement.low = std::exp(low);
  judgement.high = std::exp(high);
  judgement.noise = noise;
  if (distance > threshold && low > noise) {
    judgement.verdict = PerformanceVerdict::kWorse;
  } else if (distance < -threshold && high < -noise) {
    judgement.verdict = PerformanceVerdict::kBetter;
  } else if (low - noise > -threshold && high + noise < threshold) {
    judgement.verdict = PerformanceVerdict::kSame;
  } else {
    judgement.machine_moved = drift >= threshold;
    // The interval shrinks with the square root of the number of runs.
    const double wanted = (high - low + 2 * noise) / threshold;
    const double more = static_cast<double>(sample.runs()) * std::clamp(wanted * wanted, 2.0, 16.0);
    judgement.more_runs = std::min(static_cast<size_t>(more + 9) / 10 * 10, kRunsMax);
  }
}

}  // namespace

absl::string_view NameOf(PerformanceVerdict verdict) {
  constexpr std::array<absl::string_view, 4> kNames = {"better", "same", "worse", "inconclusive"};
  return kNames[static_cast<size_t>(verdict)];
}

double MeanBetween(const LatencyHistogram& histogram, double from, double to) {
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
    const auto lowest = static_cast<double>(LatencyHistogram::LowestIn(slot));
    const auto highest = static_cast<double>(LatencyHistogram::HighestIn(slot));
    sum += (lowest + highest) / 2 * (end - begin);
    weight += end - begin;
  }
  return weight == 0 ? 0 : sum / weight;
}

double FasterHalf(const std::vector<double>& values) {
  CHECK(!values.empty());
  return MeanOfRanks(values, 0, (values.size() + 1) / 2);
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
    distances[i] = Distances(samples[i], options.resamples);
    by_significance.emplace_back(Significance(distances[i]), i);
  }
  // Holm: the most significant metric is tested at level (1 - confidence) / n, the next at (1 -
  // confidence) / (n - 1), and so on.
  std::sort(by_significance.begin(), by_significance.end());
  for (size_t rank = 0; rank < by_significance.size(); ++rank) {
    const size_t i = by_significance[rank].second;
    const double level = (1 - kConfidence) / static_cast<double>(by_significance.size() - rank);
    Decide(judgements[i], samples[i], At(distances[i], level / 2), At(distances[i], 1 - level / 2),
           std::log1p(options.threshold), std::log1p(std::abs(metrics[i].machine_drift)));
  }
  return judgements;
}

PerformanceVerdict Overall(const std::vector<Judgement>& judgements) {
  const auto any = [&](PerformanceVerdict verdict) {
    return std::any_of(judgements.begin(), judgements.end(),
                       [&](const Judgement& judgement) { return judgement.verdict == verdict; });
  };
  if (any(PerformanceVerdict::kWorse)) return PerformanceVerdict::kWorse;
  if (judgements.empty() || any(PerformanceVerdict::kInconclusive)) {
    return PerformanceVerdict::kInconclusive;
  }
  return any(PerformanceVerdict::kBetter) ? PerformanceVerdict::kBetter : PerformanceVerdict::kSame;
}

}  // namespace replay
