#include "replay/retime/latency_histogram.h"

#include <algorithm>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

// The exact percentile.
uint64_t ExactPercentile(std::vector<uint64_t> values, uint64_t per_million) {
  std::sort(values.begin(), values.end());
  const uint64_t rank = (values.size() * per_million + 999'999) / 1'000'000;
  return values[std::max<uint64_t>(rank, 1) - 1];
}

TEST(LatencyHistogram, OfNothingIsZero) {
  EXPECT_EQ(LatencyHistogram().Percentile(500'000), 0u);
  EXPECT_EQ(LatencyHistogram().max(), 0u);
}

TEST(LatencyHistogram, IsExactForSmallValues) {
  LatencyHistogram histogram;
  for (uint64_t value = 0; value < 128; ++value) histogram.Record(value);
  EXPECT_EQ(histogram.Percentile(500'000), 63u);
  EXPECT_EQ(histogram.Percentile(1'000'000), 127u);
  EXPECT_EQ(histogram.Percentile(0), 0u);
}

TEST(LatencyHistogram, IsWithinOneInAHundredOfTheExactPercentile) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    engine::Prng prng(seed);
    LatencyHistogram histogram;
    std::vector<uint64_t> values;
    for (int i = 0; i < 5'000; ++i) {
      values.push_back(prng.Below(uint64_t{1} << (1 + prng.Below(39))));
      histogram.Record(values.back());
    }
    for (const uint64_t at : {1u, 100'000u, 500'000u, 900'000u, 990'000u, 999'000u, 1'000'000u}) {
      const uint64_t exact = ExactPercentile(values, at);
      EXPECT_GE(histogram.Percentile(at), exact) << seed << " at " << at;
      EXPECT_LE(histogram.Percentile(at), exact + exact / 64) << seed << " at " << at;
    }
    EXPECT_EQ(histogram.Percentile(1'000'000), histogram.max());
  }
}

TEST(LatencyHistogram, EdgesOfSlotsStayInTheirSlots) {
  for (int bits = 0; bits < 40; ++bits) {
    for (const uint64_t value : {(uint64_t{1} << bits) - 1, uint64_t{1} << bits}) {
      LatencyHistogram histogram;
      histogram.Record(value);
      histogram.Record(~uint64_t{0});
      EXPECT_GE(histogram.Percentile(500'000), value);
      EXPECT_LE(histogram.Percentile(500'000), value + value / 64);
      EXPECT_EQ(histogram.max(), ~uint64_t{0});
    }
  }
}

TEST(LatencyHistogram, AddIsAsIfRecordedTogether) {
  LatencyHistogram a, b, both;
  for (uint64_t value = 0; value < 1'000; ++value) {
    (value % 3 == 0 ? a : b).Record(value * value);
    both.Record(value * value);
  }
  a.Add(b);
  EXPECT_EQ(a.count(), both.count());
  for (uint64_t at = 0; at <= 1'000'000; at += 50'000) {
    EXPECT_EQ(a.Percentile(at), both.Percentile(at));
  }
}

}  // namespace
}  // namespace replay
