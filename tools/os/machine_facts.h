// Properties of the machine that timings depend on. Timings of machines that differ in any of them
// are not comparable.

#ifndef TOOLS_OS_MACHINE_FACTS_H_
#define TOOLS_OS_MACHINE_FACTS_H_

#include <string>
#include <utility>
#include <vector>

namespace tools {

// Returns names and values, always the same names in the same order: processor, cores, kernel,
// governor, isolated cores, huge pages, clock source. A value that the system does not provide is
// "none".
std::vector<std::pair<std::string, std::string>> ReadMachineFacts();

}  // namespace tools

#endif  // TOOLS_OS_MACHINE_FACTS_H_
