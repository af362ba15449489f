#include "engine/workload/many_markets.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/workload/hft_mix.h"
#include "engine/workload/random_numbers.h"

namespace bench {
namespace {

// Chooses the market of each command.
class Activity {
 public:
  Activity(const ManyMarkets& options, RandomNumbers& random)
      : order_(options.order), markets_(options.market_count), table_(Weights(options)) {
    for (size_t i = 0; i < markets_.size(); ++i) markets_[i] = i;
    if (order_ != ManyMarkets::Order::kZipf) return;
    for (size_t i = markets_.size() - 1; i > 0; --i) {
      std::swap(markets_[i], markets_[random.Below(i + 1)]);
    }
  }

  size_t Next(RandomNumbers& random) {
    if (order_ == ManyMarkets::Order::kZipf) return markets_[table_.Draw(random)];
    if (order_ == ManyMarkets::Order::kUniform) return random.Below(markets_.size());
    next_ = (next_ + 1) % markets_.size();
    return next_;
  }

 private:
  static std::vector<int64_t> Weights(const ManyMarkets& options) {
    std::vector<int64_t> weights;
    for (int64_t k = 1; k <= int64_t{options.market_count}; ++k) {
      weights.push_back((int64_t{1} << 40) / k);
    }
    return weights;
  }

  const ManyMarkets::Order order_;
  std::vector<size_t> markets_;
  const WeightedTable table_;
  size_t next_ = 0;
};

}  // namespace

Workload MakeManyMarkets(const ManyMarkets& options) {
  RandomNumbers random(options.seed);
  WorkloadBuilder builder(options.name);
  std::vector<std::unique_ptr<HftMix>> mixes;
  for (uint32_t id = 1; id <= options.market_count; ++id) {
    HftMix::Options mix{.market = engine::MarketId(id), .seed_count = options.seeds_per_market};
    if (options.books == ManyMarkets::Books::kDense) {
      builder.Define(DefaultMarket(id));
    } else {
      builder.Define(FineMarket(id));
      mix.reach = 50;
      mix.live_max = 10;
      mix.price_step = kUnitsOfCent;
    }
    mixes.push_back(std::make_unique<HftMix>(builder, random, mix));
  }
  for (const std::unique_ptr<HftMix>& mix : mixes) mix->Seed();
  Activity activity(options, random);
  for (size_t i = 0; i < options.warm_up_count; ++i) mixes[activity.Next(random)]->Next();
  builder.EndWarmUp();
  for (size_t i = 0; i < options.timed_count; ++i) mixes[activity.Next(random)]->Next();
  return builder.Take();
}

}  // namespace bench
