// A horizontal bar for a column of numbers.

#ifndef TOOLS_CLI_BASE_BAR_H_
#define TOOLS_CLI_BASE_BAR_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace tools {

// Returns a bar for `value` in proportion to `largest`, in steps of an eighth of a cell: at most
// `width` cells, and at least one eighth for a value that is not zero. REQUIRES: value <= largest.
std::string Bar(uint64_t value, uint64_t largest, size_t width);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_BAR_H_
