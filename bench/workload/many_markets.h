// The HFT mix in many markets at once: one after the other, or some much more often than others.

#ifndef BENCH_WORKLOAD_MANY_MARKETS_H_
#define BENCH_WORKLOAD_MANY_MARKETS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/workload/workload.h"

namespace bench {

struct ManyMarkets {
  std::string name;
  uint32_t seed = 1;
  uint32_t market_count = 256;
  size_t seeds_per_market = 100;
  enum class Order { kRoundRobin, kZipf } order = Order::kRoundRobin;
  size_t warm_up_count = 500'000;  // After the seeds.
  size_t timed_count = 1'000'000;
};

// Zipf: the k-th market is active in proportion to 1/k; which market is the k-th is drawn.
Workload MakeManyMarkets(const ManyMarkets& options);

}  // namespace bench

#endif  // BENCH_WORKLOAD_MANY_MARKETS_H_
