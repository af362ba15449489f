// What a time depends on beside the program: two machines that differ in any of it do not compare.

#ifndef TOOLS_OS_MACHINE_FACTS_H_
#define TOOLS_OS_MACHINE_FACTS_H_

#include <string>
#include <utility>
#include <vector>

namespace tools {

// Name and value, always the same names in the same order: processor, cores, kernel, governor,
// isolated cores, huge pages, clock source. "none" where the system knows nothing of it.
std::vector<std::pair<std::string, std::string>> ReadMachineFacts();

}  // namespace tools

#endif  // TOOLS_OS_MACHINE_FACTS_H_
