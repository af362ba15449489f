// The HFT mix in one market: without accounts, for accounts with limits, or for accounts with
// money; on a grid of which it uses every price, or every hundredth.

#ifndef ENGINE_WORKLOAD_ONE_MARKET_H_
#define ENGINE_WORKLOAD_ONE_MARKET_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/workload/workload.h"

namespace bench {

struct OneMarket {
  std::string name;
  uint32_t seed = 1;
  enum class Accounts {
    kNone,
    kLimited,  // 1,000 accounts, each with all four risk limits, which are never reached.
    kFunded,   // A binary market, prices 1 to 9999, and 1,000 accounts with enough money.
  } accounts = Accounts::kNone;
  bool is_fine = false;  // Prices in cents in a FineMarket. REQUIRES: not kFunded.
  size_t seed_count = 5'000;
  size_t warm_up_count = 500'000;  // After the seeds.
  size_t timed_count = 1'000'000;
};

// kNone and kLimited, fine or not, have the same commands except for accounts and units of price.
Workload MakeOneMarket(const OneMarket& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_ONE_MARKET_H_
