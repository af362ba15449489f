// What the hot path is measured on: a venue's markets, its frames and its ids, all from one seed.

#ifndef BENCH_HOT_PATH_SCENE_H_
#define BENCH_HOT_PATH_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/types/quantity.h"
#include "engine/wire/kalshi/book_messages.h"

namespace bench {

// Most deltas are off the best bid; one in ten adds or takes away a better level, which is thick or
// thin. A strategy that joins thick best bids (hot_path_run.cc) then wants an order, an amend or a
// cancel.
struct HotPathScene {
  static constexpr engine::Quantity kThick = engine::Quantity::FromUnits(10'000);
  static constexpr size_t kMarkets = 256;

  std::vector<std::string> tickers;
  // Of each market, at first.
  std::vector<engine::kalshi::FeedLevel> book;
  // Deltas as a subscription with use_yes_price has them, padded as simdjson requires.
  std::vector<std::string> frames;
  // The ids that the venue gives to orders, in turn: as many as are needed.
  std::vector<std::string> order_ids;
};

HotPathScene MakeHotPathScene(size_t frames, uint64_t seed);

}  // namespace bench

#endif  // BENCH_HOT_PATH_SCENE_H_
