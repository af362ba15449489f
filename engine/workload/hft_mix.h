// The mix of a fast market: of 100 commands 45 new orders, 48 cancels, 5 modifies and 2 market
// orders, near the best prices, short-lived, cancelled in clusters.
//
//   bids ... ██ █████ ███████ | spread | ██████ ████ ██ ... asks
//                     ▲ most new orders, most cancels ▲
//
// Cancels and modifies always name live orders, which the mix tracks in a book of its own. It keeps
// the book at the number of seed orders: if fewer are live, a planned cancel becomes a new order,
// so that in the long run there are about as many new orders as cancels. A small book still grows,
// by chance, unless live_max bounds it.

#ifndef ENGINE_WORKLOAD_HFT_MIX_H_
#define ENGINE_WORKLOAD_HFT_MIX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/workload/plan_book.h"
#include "engine/workload/random_numbers.h"
#include "engine/workload/workload.h"

namespace bench {

// For one market. Not thread-safe. `builder` and `random` outlive it; `random` may be shared.
class HftMix {
 public:
  struct Options {
    engine::MarketId market = engine::MarketId(1);
    size_t seed_count = 5'000;   // Resting orders, from Seed() on.
    size_t live_max = SIZE_MAX;  // If as many are live, a planned new order becomes a cancel.
    int64_t mid = 33'504;        // Prices stay within `reach` of it.
    int64_t reach = 4'000;       // Less than `mid`.
    int64_t price_step = 1;      // The units of one step of a price: prices are multiples of it.
    uint32_t account_count = 0;  // Orders belong to accounts in turn; 0: to account zero.
  };

  HftMix(WorkloadBuilder& builder, RandomNumbers& random, Options options);

  // Places the seed orders.
  void Seed();
  // Adds the next command.
  void Next();

  size_t live_count() const { return book_.live_count(); }

 private:
  enum class Draw { kNew, kCancels, kModify, kMarket };

  void Place(engine::Side side, int64_t price);
  void PlaceNearBest();
  void CancelOne();
  void Modify();
  void TakeFromMarket();
  void Send(engine::Command command, engine::OrderId order);
  int64_t PriceNearBest(engine::Side side);
  // Returns the index in placed_ of a live order, mostly of one of the newest.
  size_t AnyLive();
  bool IsLive(size_t place) const { return book_.Find(placed_[place]) != nullptr; }
  engine::AccountId AccountOf(engine::OrderId order) const;

  WorkloadBuilder& builder_;
  RandomNumbers& random_;
  const Options options_;
  const WeightedTable draws_;
  PlanBook book_;
  std::vector<engine::OrderId> placed_;  // In ascending order; some have ended.
  size_t cluster_left_ = 0;              // Cancels still to come in the cluster ...
  size_t cluster_at_ = 0;                // ... around this index of placed_.
};

}  // namespace bench

#endif  // ENGINE_WORKLOAD_HFT_MIX_H_
