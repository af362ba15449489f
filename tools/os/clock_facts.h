// What the machine's clock and processors are like.

#ifndef TOOLS_OS_CLOCK_FACTS_H_
#define TOOLS_OS_CLOCK_FACTS_H_

#include <cstdint>
#include <string>

namespace tools {

struct ClockFacts {
  std::string source = "?";       // "tsc"; "?" where it is not known.
  uint64_t resolution_nanos = 0;  // The smallest step that was seen.
  double read_nanos = 0;          // What one reading costs.
};

// Looks for some milliseconds.
ClockFacts ReadClockFacts();

// How long a word takes from one thread to another, in nanoseconds: half a round trip, the mean of
// many. 0 where there is one processor only.
double MeasureHandover();

}  // namespace tools

#endif  // TOOLS_OS_CLOCK_FACTS_H_
