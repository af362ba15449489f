// Properties of the machine's clock and processors.

#ifndef TOOLS_OS_CLOCK_FACTS_H_
#define TOOLS_OS_CLOCK_FACTS_H_

#include <cstdint>
#include <string>

namespace tools {

struct ClockFacts {
  std::string source = "?";       // "tsc"; "?" if unknown.
  uint64_t resolution_nanos = 0;  // The smallest step observed.
  double read_nanos = 0;          // The cost of one reading.
};

// Measures for some milliseconds.
ClockFacts ReadClockFacts();

// Measures how long a 64-bit word takes from one thread to another, in nanoseconds: half a round
// trip, averaged over many. Returns 0 on a machine with one processor.
double MeasureHandover();

}  // namespace tools

#endif  // TOOLS_OS_CLOCK_FACTS_H_
