// A session of one equity: a million new orders around a moving mid price, in about two million
// messages.
//
//   mid   ────╮   ╭╮                     buys are priced along the first half of the path,
//             ╰───╯╰──╮    ╭──           sells along the second; then their order of arrival
//      buys           ╰────╯  sells      is shuffled, so that orders of both halves can match
//
// The path is a geometric Brownian motion with one step per new order. Its drift determines how
// much of the two halves overlaps in price; it is scaled to the scenario's swing. A static mid
// leaves a deep book on few levels; a volatile day leaves a few hundred orders, far apart.

#ifndef ENGINE_WORKLOAD_EQUITY_SCENARIO_H_
#define ENGINE_WORKLOAD_EQUITY_SCENARIO_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/workload/workload.h"

namespace bench {

struct EquityScenario {
  std::string name;
  uint32_t seed = 1;
  size_t new_order_count = 1'000'000;
  int64_t swing_percent = 0;     // Highest minus lowest mid, relative to the first. Range [0, 90].
  int64_t apart_permille = 500;  // How much of the path does not overlap: see MidPath.
};

// Warm-up: enters orders over the whole price range, one side at a time, and cancels them all.
// There are as many as rest simultaneously in the largest book, so that the engine's memory reaches
// its full size.
Workload MakeEquityScenario(const EquityScenario& scenario);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_EQUITY_SCENARIO_H_
