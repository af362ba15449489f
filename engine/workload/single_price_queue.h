// All orders at one price: measures whether the length of a queue matters.

#ifndef ENGINE_WORKLOAD_SINGLE_PRICE_QUEUE_H_
#define ENGINE_WORKLOAD_SINGLE_PRICE_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/workload/workload.h"

namespace bench {

struct SinglePriceQueue {
  std::string name;
  uint32_t seed = 1;
  size_t queue_length = 10;
  size_t timed_count = 1'000'000;
};

// The queue is the warm-up. Of ten timed commands, five join at the end, four cancel one of the ten
// youngest orders, and one taker fills the oldest, so the queue keeps its length.
Workload MakeSinglePriceQueue(const SinglePriceQueue& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_SINGLE_PRICE_QUEUE_H_
