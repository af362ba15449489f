// A session of one equity: a million new orders around a mid price that walks, in about two million
// messages.
//
//   mid   ────╮   ╭╮                     buys are priced along the first half of the path,
//             ╰───╯╰──╮    ╭──           sells along the second; then their order of arrival
//      buys           ╰────╯  sells      is shuffled, so that what the fall separates meets
//
// The path is a geometric Brownian motion, a step per new order, with a drift that decides how much
// of its halves meets, stretched to the swing that the scenario wants. A static mid leaves a deep
// book on few levels; of a wild day a few hundred orders rest, far apart.

#ifndef BENCH_WORKLOAD_EQUITY_SCENARIO_H_
#define BENCH_WORKLOAD_EQUITY_SCENARIO_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/workload/workload.h"

namespace bench {

struct EquityScenario {
  std::string name;
  uint32_t seed = 1;
  size_t new_order_count = 1'000'000;
  int64_t swing_percent = 0;     // Highest less lowest mid, of the first. Range [0, 90].
  int64_t apart_permille = 500;  // How much of the path does not meet: see MidPath.
};

// Warm-up: orders over the whole range of prices, a side at a time, each cancelled again, as many
// as rest at once in the largest book: what an engine keeps is then as large as it gets.
Workload MakeEquityScenario(const EquityScenario& scenario);

}  // namespace bench

#endif  // BENCH_WORKLOAD_EQUITY_SCENARIO_H_
