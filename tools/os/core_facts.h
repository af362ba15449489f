// What may interrupt a thread that keeps a core to itself, and the pauses that it really has.

#ifndef TOOLS_OS_CORE_FACTS_H_
#define TOOLS_OS_CORE_FACTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/os/measuring.h"

namespace tools {

// A state in which an idle core waits.
struct IdleState {
  std::string name = {};
  uint64_t exit_micros = 0;  // How long it takes to leave it.

  friend bool operator==(const IdleState&, const IdleState&) = default;
};

// Of one core. An empty text or nullopt: the system does not say.
struct CoreFacts {
  int core = 0;
  std::string governor = {};                 // "performance".
  std::optional<IdleState> deepest = {};     // Of those that are enabled.
  std::vector<int> siblings = {};            // Other cores that share its hardware.
  std::vector<std::string> interrupts = {};  // Of devices, that may be delivered to it: "24".
};

// Of the machine. Lists of cores are as the kernel writes them: "2-3,6"; empty: none.
struct IsolationFacts {
  std::string isolated = {};      // isolcpus
  std::string tickless = {};      // nohz_full
  std::string no_callbacks = {};  // rcu_nocbs
  std::string huge_pages = {};    // Transparent ones: "always", "madvise", "never"; empty: unknown.
  std::vector<CoreFacts> cores = {};
};

// Returns the cores of a kernel's list, "2-3,6"; empty if it is malformed or has more than 4,096.
std::vector<int> ParseCoreList(absl::string_view list);

// `root`: where /sys and /proc are, without a '/' at its end.
IsolationFacts ReadIsolationFacts(const std::vector<int>& cores, const std::string& root = "");

// What a core has counted since it was started. nullopt: the system does not say.
struct CoreCounts {
  std::optional<uint64_t> timer_ticks = {};
  std::optional<uint64_t> steal_ticks =
      {};  // In hundredths of a second: the host ran others meanwhile.
};
CoreCounts ReadCoreCounts(int core, const std::string& root = "");

// The pauses of a thread that does nothing but read the clock.
struct Hiccups {
  // Shorter ones are not kept: between two readings lie some 20 to 50 ns.
  static constexpr uint64_t kNanosMin = 1'000;

  bool is_pinned = false;             // Otherwise the thread ran anywhere.
  uint64_t nanos = 0;                 // How long it was measured.
  std::vector<uint64_t> pauses = {};  // In nanoseconds, in the order of their times.

  uint64_t paused_nanos() const;
  uint64_t longest() const;
  // The length that so many pauses in a second have at least; 0 if there are fewer.
  uint64_t LengthOf(uint64_t pauses_per_second) const;
};

// Spins on `core` for `nanos`. Call it from a thread that may be pinned.
Hiccups MeasureHiccups(int core, uint64_t nanos, const TickClock& clock);

}  // namespace tools

#endif  // TOOLS_OS_CORE_FACTS_H_
