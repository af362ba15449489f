// A horizontal bar, to see at a glance what a column of numbers says.

#ifndef TOOLS_CLI_BASE_BAR_H_
#define TOOLS_CLI_BASE_BAR_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace tools {

// `value` in proportion to `largest`, which is at least as large: at most `width` cells, in steps
// of an eighth of a cell; never nothing for something.
std::string Bar(uint64_t value, uint64_t largest, size_t width);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_BAR_H_
