// What one participant's commands cost among what many others hold: the cost must not grow with it.
//
// The others' orders, levels or fills are the warm-up; what is timed is the commands of one. So a
// table of the same case at three sizes shows growth. Every case was slow once: a moving window
// refilled a map of all levels, a mass cancel visited all orders.

#ifndef ENGINE_WORKLOAD_CROWD_H_
#define ENGINE_WORKLOAD_CROWD_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/workload/workload.h"

namespace bench {

enum class CrowdCase : uint8_t {
  kMovingBest,       // New best bids and their cancels, `size` levels 10^6 ticks apart.
  kAlternatingBest,  // The same at two prices far from each other and from the others.
  kMassCancel,       // By an account without orders, among `size` orders.
  kSetLimits,        // Of an account without orders, among `size` orders.
  kPauseMarket,      // Pauses, closes and opens a market in which nothing is to be cancelled.
  kKillOnLevels,     // Fill-or-kill orders that `size` levels cannot fill.
  kKillInQueue,      // With self-trade prevention, `size` orders at one price.
  kGroupFills,       // Fills of a group that has `size` of them in its window.
  kEndAll,           // `size` orders, and a command that ends them all.
};

struct CrowdCaseInfo {
  CrowdCase value = {};
  absl::string_view name;
  absl::string_view summary;
  size_t largest = 0;  // The largest of three sizes, each ten times the one before.
};
std::span<const CrowdCaseInfo> CrowdCases();

struct Crowd {
  std::string name;
  CrowdCase what = {};
  size_t size = 0;
  size_t timed_count = 100'000;  // About; of kEndAll the orders.
};

Workload MakeCrowd(const Crowd& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_CROWD_H_
