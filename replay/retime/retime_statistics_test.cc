// The verdicts, on runs that are made up: what is true of them is known, so that a wrong word would
// show. Times are in nanoseconds; a run has a level of its own, a machine may drift or be
// disturbed.

#include "replay/retime/retime_statistics.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"
#include "replay/retime/latency_histogram.h"

namespace replay {
namespace {

using enum PerformanceVerdict;

// Between -1 and 1, more often near 0.
double Wobble(engine::Prng& prng) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += static_cast<double>(prng.Below(2001)) / 1000 - 1;
  return sum / 3;
}

struct World {
  double level_noise = 0.01;       // From run to run.
  double drift = 0;                // From the first run to the last.
  uint64_t disturbed_percent = 0;  // Of runs, which take half as long again.
};

std::vector<double> Runs(size_t count, double nanos, const World& world, engine::Prng& prng) {
  std::vector<double> runs;
  for (size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    double run = nanos * (1 + world.level_noise * Wobble(prng)) * (1 + world.drift * share);
    if (prng.Chance(world.disturbed_percent)) run *= 1.5;
    runs.push_back(run);
  }
  return runs;
}

Judgement JudgeOne(const std::vector<double>& before, const std::vector<double>& after,
                   double drift = 0) {
  return Judge({{.name = "a", .before = before, .after = after, .machine_drift = drift}},
               {.resamples = 1000})[0];
}

TEST(Judge, APlantedSlowdownIsCalledWorseInEveryQuietWorld) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    engine::Prng prng(seed);
    const World world{.level_noise = 0.005};
    const auto before = Runs(20, 50, world, prng);
    EXPECT_EQ(JudgeOne(before, Runs(20, 52.5, world, prng)).verdict, kWorse) << seed;
    EXPECT_EQ(JudgeOne(before, Runs(20, 47.5, world, prng)).verdict, kBetter) << seed;
    EXPECT_EQ(JudgeOne(before, Runs(20, 50, world, prng)).verdict, kSame) << seed;
  }
}

// The one promise: no wrong verdict under any noise.
TEST(Judge, NoNoiseMakesItSayTheWrongWord) {
  size_t verdicts = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double noise : {0.002, 0.01, 0.03, 0.1}) {
      for (const uint64_t disturbed : {0u, 10u, 40u}) {
        engine::Prng prng(seed * 1000 + disturbed);
        const World world{.level_noise = noise, .disturbed_percent = disturbed};
        const auto before = Runs(10, 80, world, prng);
        const auto equal = JudgeOne(before, Runs(10, 80, world, prng)).verdict;
        EXPECT_TRUE(equal == kSame || equal == kInconclusive)
            << seed << " " << noise << " " << disturbed << " " << NameOf(equal);
        const auto slower = JudgeOne(before, Runs(10, 84, world, prng)).verdict;
        EXPECT_TRUE(slower == kWorse || slower == kInconclusive)
            << seed << " " << noise << " " << disturbed << " " << NameOf(slower);
        verdicts += (equal != kInconclusive) + (slower != kInconclusive);
      }
    }
  }
  EXPECT_GT(verdicts, 80u);  // Inconclusive everywhere would be easy.
}

// Both runs of a pair meet the machine in the same state.
TEST(Judge, PairsAreComparedThoughTheMachineChanges) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    engine::Prng prng(seed);
    std::vector<double> before, equal, slower;
    for (const double level : Runs(20, 1, {.level_noise = 0.1, .drift = 0.3}, prng)) {
      const auto run = [&](double nanos) {
        return level * Runs(1, nanos, {.level_noise = 0.01}, prng)[0];
      };
      before.push_back(run(50));
      equal.push_back(run(50));
      slower.push_back(run(52.5));
    }
    const auto verdict = [&](const std::vector<double>& after) {
      return Judge({{.name = "a", .before = before, .after = after, .in_turns = true}},
                   {.resamples = 1000})[0]
          .verdict;
    };
    EXPECT_EQ(verdict(slower), kWorse) << seed;
    EXPECT_EQ(verdict(equal), kSame) << seed;
  }
}

TEST(Judge, AMachineThatBecameSlowerIsNotTheProgramsFault) {
  engine::Prng prng(1);
  const auto before = Runs(20, 50, {}, prng);
  const Judgement judgement = JudgeOne(before, Runs(20, 53, {}, prng), 0.06);
  EXPECT_EQ(judgement.verdict, kInconclusive);
  EXPECT_TRUE(judgement.machine_moved);
}

TEST(Judge, ASlowdownOnAMachineThatDriftsIsNeverTheSame) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    engine::Prng prng(seed);
    const World world{.level_noise = 0.005, .drift = 0.08};
    const auto before = Runs(10, 50, world, prng);
    const auto after = JudgeOne(before, Runs(10, 52.5, world, prng)).verdict;
    EXPECT_TRUE(after == kWorse || after == kInconclusive) << seed;
    EXPECT_NE(JudgeOne(before, Runs(10, 50, world, prng)).verdict, kWorse) << seed;
  }
}

TEST(Judge, FewRunsSayNothingAndAskForMore) {
  const Judgement judgement = JudgeOne(std::vector<double>(9, 50.0), std::vector<double>(20, 99.0));
  EXPECT_EQ(judgement.verdict, kInconclusive);
  EXPECT_EQ(judgement.more_runs, kJudgedRunsMin);
}

TEST(Judge, WhatIsInconclusiveNamesANumberOfRunsThatIsLarger) {
  engine::Prng prng(4);
  const World world{.level_noise = 0.2};
  const Judgement judgement = JudgeOne(Runs(10, 50, world, prng), Runs(10, 52, world, prng));
  ASSERT_EQ(judgement.verdict, kInconclusive);
  EXPECT_FALSE(judgement.machine_moved);
  EXPECT_GE(judgement.more_runs, 20u);
  EXPECT_LE(judgement.more_runs, kRunsMax);
}

TEST(Judge, OneSlowKindAmongManyIsTheOneThatIsNamed) {
  engine::Prng prng(7);
  const World world{.level_noise = 0.004};
  std::vector<MetricRuns> metrics;
  for (int i = 0; i < 12; ++i) {
    metrics.push_back({.name = std::to_string(i),
                       .before = Runs(20, 40 + i, world, prng),
                       .after = Runs(20, (40 + i) * (i == 5 ? 1.05 : 1), world, prng)});
  }
  const std::vector<Judgement> judgements = Judge(metrics, {.resamples = 1000});
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(judgements[static_cast<size_t>(i)].verdict, i == 5 ? kWorse : kSame) << i;
  }
  EXPECT_EQ(Overall(judgements), kWorse);
}

TEST(Judge, TheSameRunsAreJudgedAlike) {
  engine::Prng prng(9);
  const auto before = Runs(12, 50, {}, prng);
  const auto after = Runs(12, 51, {}, prng);
  const Judgement first = JudgeOne(before, after);
  const Judgement second = JudgeOne(before, after);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_EQ(first.noise, second.noise);
}

TEST(Judge, RunsThatAreAllEqualAreTheSame) {
  const std::vector<double> runs(10, 33.0);
  EXPECT_EQ(JudgeOne(runs, runs).verdict, kSame);
}

TEST(Overall, AWorseKindOutweighsEverything) {
  const auto of = [](std::vector<PerformanceVerdict> verdicts) {
    std::vector<Judgement> judgements;
    for (const PerformanceVerdict verdict : verdicts) judgements.push_back({.verdict = verdict});
    return Overall(judgements);
  };
  EXPECT_EQ(of({kSame, kBetter, kWorse, kInconclusive}), kWorse);
  EXPECT_EQ(of({kSame, kBetter, kInconclusive}), kInconclusive);
  EXPECT_EQ(of({kSame, kBetter}), kBetter);
  EXPECT_EQ(of({kSame}), kSame);
  EXPECT_EQ(of({}), kInconclusive);
}

TEST(MeanBetween, IsTheMeanOfThatShareOfTheValues) {
  LatencyHistogram histogram;
  for (uint64_t value = 1; value <= 100; ++value) histogram.Record(value);
  EXPECT_DOUBLE_EQ(MeanBetween(histogram, 0, 1), 50.5);
  EXPECT_DOUBLE_EQ(MeanBetween(histogram, 0, 0.5), 25.5);
  EXPECT_DOUBLE_EQ(MeanBetween(histogram, 0.9, 1), 95.5);
  EXPECT_EQ(MeanBetween(LatencyHistogram(), 0, 1), 0);
}

// A clock that goes in steps of ten shows 50 or 60 for what takes 52: how often says which.
TEST(MeanBetween, SeesTwoNanosecondsThroughAClockOfTen) {
  const auto coarse = [](uint64_t nanos) {
    engine::Prng prng(nanos);
    LatencyHistogram histogram;
    for (int i = 0; i < 100'000; ++i) histogram.Record((prng.Below(10) + nanos) / 10 * 10);
    return MeanBetween(histogram, 0, 0.98);
  };
  EXPECT_NEAR(coarse(54) - coarse(52), 2, 0.2);
  EXPECT_NEAR(coarse(60) - coarse(57), 3, 0.3);
}

TEST(MeanBetween, DoesNotSeeTheRareStall) {
  LatencyHistogram quiet, disturbed;
  for (int i = 0; i < 10'000; ++i) {
    quiet.Record(50);
    disturbed.Record(i % 100 == 0 ? 1'000'000 : 50);
  }
  EXPECT_DOUBLE_EQ(MeanBetween(quiet, 0, 0.98), MeanBetween(disturbed, 0, 0.98));
}

}  // namespace
}  // namespace replay
