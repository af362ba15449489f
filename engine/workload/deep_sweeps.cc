#include "engine/workload/deep_sweeps.h"

#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/workload/orders.h"
#include "engine/workload/random_numbers.h"

namespace bench {
namespace {

constexpr engine::MarketId kMarket = engine::MarketId(1);

}  // namespace

Workload MakeDeepSweeps(const DeepSweeps& options) {
  CHECK(options.makers_per_taker > 0 && options.maker_count >= 2 * options.makers_per_taker);
  RandomNumbers random(options.seed);
  WorkloadBuilder builder(options.name);
  engine::MarketDefinition market = DefaultMarket(kMarket.value());
  builder.Define(market);

  const size_t taker_count = options.maker_count / options.makers_per_taker / 2 * 2;
  std::vector<engine::Command> takers;
  int64_t price = 1'000;
  for (size_t taker = 0; taker < taker_count; ++taker) {
    const bool crosses_levels = taker % 2 == 0;
    uint64_t quantity = 0;
    std::vector<engine::Command> makers;
    for (size_t i = 0; i < options.makers_per_taker; ++i) {
      if (i == 0 || crosses_levels) ++price;
      const uint64_t each = random.Below(100) + 1;
      quantity += each;
      makers.push_back(LimitOrder(kMarket, engine::Side::kAsk, price, each));
    }
    for (size_t i = makers.size() - 1; i > 0; --i) {
      std::swap(makers[i], makers[random.Below(i + 1)]);
    }
    for (const engine::Command& maker : makers) builder.Add(maker);
    takers.push_back(LimitOrder(kMarket, engine::Side::kBid, price, quantity));
  }
  CHECK(price <= market.price_max.units()) << price;
  builder.EndWarmUp();
  for (const engine::Command& taker : takers) builder.Add(taker);
  return builder.Take();
}

}  // namespace bench
