// The HFT mix in many markets: in turn, at random, or with some markets much more active than
// others.

#ifndef ENGINE_WORKLOAD_MANY_MARKETS_H_
#define ENGINE_WORKLOAD_MANY_MARKETS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/workload/workload.h"

namespace bench {

struct ManyMarkets {
  std::string name;
  uint32_t seed = 1;
  uint32_t market_count = 256;
  size_t seeds_per_market = 100;
  enum class Order { kRoundRobin, kUniform, kZipf } order = Order::kRoundRobin;
  enum class Books {
    kDense,   // In a DefaultMarket.
    kSparse,  // In a FineMarket: at most 10 orders, in cents, within 50 of the mid.
  } books = Books::kDense;
  size_t warm_up_count = 500'000;  // After the seeds.
  size_t timed_count = 1'000'000;
};

// Zipf: the k-th market's activity is proportional to 1/k; the ranking of the markets is random.
Workload MakeManyMarkets(const ManyMarkets& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_MANY_MARKETS_H_
