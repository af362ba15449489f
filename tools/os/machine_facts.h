// Properties of the machine's processors and clock.

#ifndef TOOLS_OS_MACHINE_FACTS_H_
#define TOOLS_OS_MACHINE_FACTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tools {

// Returns names and values of what timings depend on, always the same names in the same order:
// processor, cores, kernel, governor, isolated cores, huge pages, clock source. A value that the
// system does not provide is "none". Timings of machines that differ in any are not comparable.
std::vector<std::pair<std::string, std::string>> ReadMachineFacts();

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

#endif  // TOOLS_OS_MACHINE_FACTS_H_
