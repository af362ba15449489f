#include "engine/workload/catalogue.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/workload/crowd.h"
#include "engine/workload/deep_sweeps.h"
#include "engine/workload/equity_scenario.h"
#include "engine/workload/many_markets.h"
#include "engine/workload/nasdaq_open_stream.h"
#include "engine/workload/one_market.h"
#include "engine/workload/session_copies.h"
#include "engine/workload/single_price_queue.h"

namespace bench {
namespace {

// The arguments of a maker: the workload's name, its seed, and by how much it is smaller than full.
struct Request {
  std::string name;
  uint32_t seed;
  size_t divisor;
};
using Maker = std::function<Workload(const Request&)>;

struct CatalogueEntry {
  WorkloadEntry entry;
  Maker make;
};

// The distance between the halves of the path determines how many orders rest: fewer with more
// volatility.
Maker Scenario(int64_t swing_percent, int64_t apart_permille) {
  return [=](const Request& request) {
    return MakeEquityScenario({.name = request.name,
                               .seed = request.seed,
                               .new_order_count = 1'000'000 / request.divisor,
                               .swing_percent = swing_percent,
                               .apart_permille = apart_permille});
  };
}

Maker Hft(OneMarket::Accounts accounts, bool is_fine = false) {
  return [=](const Request& request) {
    return MakeOneMarket({.name = request.name,
                          .seed = request.seed,
                          .accounts = accounts,
                          .is_fine = is_fine,
                          .seed_count = request.divisor == 1 ? size_t{5'000} : size_t{500},
                          .warm_up_count = 500'000 / request.divisor,
                          .timed_count = 1'000'000 / request.divisor});
  };
}

Maker Markets(uint32_t count, size_t seeds, ManyMarkets::Order order,
              ManyMarkets::Books books = ManyMarkets::Books::kDense) {
  return [=](const Request& request) {
    return MakeManyMarkets({.name = request.name,
                            .seed = request.seed,
                            .market_count = request.divisor == 1 ? count : count / 16,
                            .seeds_per_market = seeds,
                            .order = order,
                            .books = books,
                            .warm_up_count = 500'000 / request.divisor,
                            .timed_count = 1'000'000 / request.divisor});
  };
}

Maker SparseMarkets(uint32_t count) {
  return Markets(count, 4, ManyMarkets::Order::kUniform, ManyMarkets::Books::kSparse);
}

Maker Sweep(size_t makers) {
  return [=](const Request& request) {
    return MakeDeepSweeps({.name = request.name,
                           .seed = request.seed,
                           .makers_per_taker = makers,
                           .maker_count = request.divisor == 1 ? size_t{200'000} : size_t{4'000}});
  };
}

Maker Queue(size_t length) {
  return [=](const Request& request) {
    return MakeSinglePriceQueue({.name = request.name,
                                 .seed = request.seed,
                                 .queue_length = request.divisor == 1 ? length : length / 100 + 10,
                                 .timed_count = 1'000'000 / request.divisor});
  };
}

// 2019-07-30T00:00:00Z, four hours before midnight in New York: the digests of these workloads were
// computed with it, and it changes nothing else.
constexpr engine::Timestamp kCopiesMidnight =
    engine::Timestamp::FromNanos(1'564'444'800'000'000'000);

// The same for every seed: nothing in it is drawn.
Maker NasdaqOpen(uint32_t copy_count) {
  return [=](const Request& request) {
    return MakeSessionCopies({.name = request.name,
                              .itch_stream = NasdaqOpenStream(),
                              .midnight = kCopiesMidnight,
                              .copy_count = request.divisor == 1 ? copy_count : 1});
  };
}

const std::vector<CatalogueEntry>& Catalogue() {
  using Order = ManyMarkets::Order;
  static const auto& catalogue = *new std::vector<CatalogueEntry>{
      {{"static", "one equity, the mid stands still: a deep book on few levels"},
       Scenario(0, 1000)},
      {{"normal", "one equity, the mid swings by 2 %"}, Scenario(2, 700)},
      {{"swing_25", "one equity, the mid swings by 25 %"}, Scenario(25, 560)},
      {{"swing_40", "one equity, the mid swings by 40 %"}, Scenario(40, 480)},
      {{"flash_crash", "one equity, the mid swings by 60 %: few orders, far apart"},
       Scenario(60, 425)},
      {{"hft", "45/48/5/2 of new, cancel, modify, market near the best prices"},
       Hft(OneMarket::Accounts::kNone)},
      {{"markets_256", "the HFT mix in 256 markets, one after the other"},
       Markets(256, 100, Order::kRoundRobin)},
      {{"markets_10000", "the HFT mix in 10,000 markets, their activity by Zipf"},
       Markets(10'000, 20, Order::kZipf)},
      {{"cents_on_fine_grid", "the HFT mix in cents, on a grid of 0.0001"},
       Hft(OneMarket::Accounts::kNone, /*is_fine=*/true)},
      {{"sparse_100", "the HFT mix in cents on a grid of 0.0001, 100 markets of few orders"},
       SparseMarkets(100)},
      {{"sparse_1000", "the same in 1,000 markets"}, SparseMarkets(1'000)},
      {{"sparse_10000", "the same in 10,000 markets"}, SparseMarkets(10'000)},
      {{"nasdaq_open",
        "100 ms of a real open in 8,849 markets, 24 times, each in markets of its own"},
       NasdaqOpen(24)},
      {{"nasdaq_open_142", "the same 142 times, in 1.26 million markets"}, NasdaqOpen(142)},
      {{"sweep_1", "takers that fill 1 maker"}, Sweep(1)},
      {{"sweep_10", "takers that fill 10 makers, on 10 levels and on one"}, Sweep(10)},
      {{"sweep_100", "takers that fill 100 makers, on 100 levels and on one"}, Sweep(100)},
      {{"sweep_1000", "takers that fill 1,000 makers, on 1,000 levels and on one"}, Sweep(1'000)},
      {{"queue_10", "10 orders at one price"}, Queue(10)},
      {{"queue_1000000", "1,000,000 orders at one price"}, Queue(1'000'000)},
      {{"hft_limits", "the HFT mix, 1,000 accounts with all four risk limits"},
       Hft(OneMarket::Accounts::kLimited)},
      {{"hft_binary", "the HFT mix in a binary market, 1,000 accounts with money, and fees"},
       Hft(OneMarket::Accounts::kFunded)},
  };
  return catalogue;
}

// "mass_cancel_10000", and so on.
const std::vector<CatalogueEntry>& CrowdCatalogue() {
  static const auto& catalogue = *[] {
    auto* const entries = new std::vector<CatalogueEntry>;
    static auto& names = *new std::deque<std::string>;
    for (const CrowdCaseInfo& info : CrowdCases()) {
      for (const size_t size : {info.largest / 100, info.largest / 10, info.largest}) {
        const std::string& name = names.emplace_back(absl::StrCat(info.name, "_", size));
        entries->push_back({{name, info.summary}, [=](const Request& request) {
                              return MakeCrowd(
                                  {.name = request.name,
                                   .what = info.value,
                                   .size = std::max(size_t{10}, size / request.divisor),
                                   .timed_count = 100'000 / request.divisor});
                            }});
      }
    }
    return entries;
  }();
  return catalogue;
}

std::vector<WorkloadEntry> EntriesOf(const std::vector<CatalogueEntry>& catalogue) {
  std::vector<WorkloadEntry> entries;
  for (const CatalogueEntry& each : catalogue) entries.push_back(each.entry);
  return entries;
}

}  // namespace

const std::vector<WorkloadEntry>& Workloads() {
  static const auto& entries = *new std::vector<WorkloadEntry>(EntriesOf(Catalogue()));
  return entries;
}

const std::vector<WorkloadEntry>& CrowdWorkloads() {
  static const auto& entries = *new std::vector<WorkloadEntry>(EntriesOf(CrowdCatalogue()));
  return entries;
}

absl::StatusOr<Workload> MakeWorkload(absl::string_view name, uint32_t seed, WorkloadSize size) {
  for (const auto* catalogue : {&Catalogue(), &CrowdCatalogue()}) {
    for (const CatalogueEntry& each : *catalogue) {
      if (each.entry.name != name) continue;
      return each.make({.name = std::string(name),
                        .seed = seed,
                        .divisor = size == WorkloadSize::kFull ? size_t{1} : size_t{100}});
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no workload '", name, "'; expected one of ",
      absl::StrJoin(Workloads(), ", ", [](std::string* out, const WorkloadEntry& entry) {
        absl::StrAppend(out, entry.name);
      })));
}

}  // namespace bench
