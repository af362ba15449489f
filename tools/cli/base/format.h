// Numbers for people.

#ifndef TOOLS_CLI_BASE_FORMAT_H_
#define TOOLS_CLI_BASE_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tools {

// 291913 -> "291,913".
std::string WithCommas(uint64_t value);

// 1, "order" -> "1 order"; 1200, "order" -> "1,200 orders"; 2, "entry" -> "2 entries".
std::string Counted(uint64_t count, absl::string_view noun);

// 12345678 -> "12.3 M"; below a thousand without a unit.
std::string HumanCount(double value);

// 8687026 -> "8.3 MiB"; below a KiB "17 bytes".
std::string HumanBytes(uint64_t bytes);

// 0.0123 -> "12.3 ms"; 75 -> "75.0 s"; 22959.1 -> "6 h 22 min 39 s" from two minutes on.
std::string HumanSeconds(double seconds);
std::string HumanNanos(uint64_t nanos);

// Returns a bar for `value` in proportion to `largest`, in steps of an eighth of a cell: at most
// `width` cells, and at least one eighth for a value that is not zero. REQUIRES: value <= largest.
std::string Bar(uint64_t value, uint64_t largest, size_t width);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_FORMAT_H_
