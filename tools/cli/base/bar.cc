#include "tools/cli/base/bar.h"

#include <algorithm>
#include <array>

namespace tools {

std::string Bar(uint64_t value, uint64_t largest, size_t width) {
  constexpr std::array<const char*, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (value == 0 || largest == 0) return "";
  const double share = static_cast<double>(value) / static_cast<double>(largest);
  const auto eighths =
      std::max<size_t>(1, static_cast<size_t>(share * static_cast<double>(width) * 8 + 0.5));
  std::string bar;
  for (size_t i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + kEighths[eighths % 8];
}

}  // namespace tools
