#include "engine/workload/single_price_queue.h"

#include <deque>

#include "engine/base/check.h"
#include "engine/workload/orders.h"
#include "engine/workload/random_numbers.h"

namespace bench {
namespace {

constexpr engine::MarketId kMarket = engine::MarketId(1);
constexpr int64_t kPrice = 33'504;
constexpr uint64_t kQuantity = 10;
constexpr uint64_t kYoungest = 10;

}  // namespace

Workload MakeSinglePriceQueue(const SinglePriceQueue& options) {
  CHECK(options.queue_length >= kYoungest);
  RandomNumbers random(options.seed);
  WorkloadBuilder builder(options.name);
  builder.Define(DefaultMarket(kMarket.value()));
  std::deque<engine::OrderId> queue;
  const auto join = [&] {
    queue.push_back(builder.Add(LimitOrder(kMarket, engine::Side::kAsk, kPrice, kQuantity)));
  };
  // Five orders more, so that the timed part never has more live orders than the warm-up had.
  for (size_t i = 0; i < options.queue_length + 5; ++i) join();
  for (int i = 0; i < 5; ++i) {
    builder.Add(Cancel(kMarket, queue.back()));
    queue.pop_back();
  }
  builder.EndWarmUp();
  for (size_t i = 0; i < options.timed_count; ++i) {
    switch (i % 10) {
      default:
        join();
        break;
      case 1:
      case 3:
      case 5:
      case 7: {
        const auto at = queue.end() - 1 - static_cast<int64_t>(random.Below(kYoungest));
        builder.Add(Cancel(kMarket, *at));
        queue.erase(at);
        break;
      }
      case 9:
        builder.Add(LimitOrder(kMarket, engine::Side::kBid, kPrice, kQuantity,
                               engine::TimeInForce::kImmediateOrCancel));
        queue.pop_front();
        break;
    }
  }
  return builder.Take();
}

}  // namespace bench
