// The mix of a fast market: 45 new, 48 cancels, 5 modifies, 2 market orders of a hundred, near the
// best prices, short-lived, cancelled in clusters.
//
//   bids ... ██ █████ ███████ | spread | ██████ ████ ██ ... asks
//                     ▲ most new orders, most cancels ▲
//
// Cancels and modifies are always of live orders: the mix plans against a book of its own. It holds
// the book at the number of orders it was seeded with: where fewer are live, a cancel that was
// drawn becomes a new order, so that in the long run new orders and cancels come out about alike.

#ifndef BENCH_WORKLOAD_HFT_MIX_H_
#define BENCH_WORKLOAD_HFT_MIX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/workload/plan_book.h"
#include "bench/workload/random_numbers.h"
#include "bench/workload/workload.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"

namespace bench {

// One market. Not thread-safe. `builder` and `random` outlive it; `random` may be shared.
class HftMix {
 public:
  struct Options {
    engine::MarketId market = engine::MarketId(1);
    size_t seed_count = 5'000;   // Orders that rest, from Seed() on.
    int64_t mid = 33'504;        // Prices keep within `reach` of it.
    int64_t reach = 4'000;       // REQUIRES: less than mid.
    uint32_t account_count = 0;  // Orders belong to them in turn; 0: to nobody.
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
  // A live order, mostly one of the newest; its place in placed_.
  size_t AnyLive();
  bool IsLive(size_t place) const { return book_.Find(placed_[place]) != nullptr; }
  engine::AccountId AccountOf(engine::OrderId order) const;

  WorkloadBuilder& builder_;
  RandomNumbers& random_;
  const Options options_;
  const WeightedTable draws_;
  PlanBook book_;
  std::vector<engine::OrderId> placed_;  // In the order of their numbers; some are gone.
  size_t cluster_left_ = 0;              // Cancels to come, of neighbours ...
  size_t cluster_at_ = 0;                // ... of this place.
};

}  // namespace bench

#endif  // BENCH_WORKLOAD_HFT_MIX_H_
