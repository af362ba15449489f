// Numbers for people.

#ifndef TOOLS_CLI_BASE_FORMAT_H_
#define TOOLS_CLI_BASE_FORMAT_H_

#include <cstdint>
#include <string>

namespace tools {

// 291913 -> "291,913".
std::string WithCommas(uint64_t value);

// 12345678 -> "12.3 M"; below a thousand without a unit.
std::string HumanCount(double value);

// 8687026 -> "8.3 MiB"; below a KiB "17 bytes".
std::string HumanBytes(uint64_t bytes);

// 0.0123 -> "12.3 ms"; 75 -> "75.0 s".
std::string HumanSeconds(double seconds);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_FORMAT_H_
