#include "tools/cli/base/format.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace tools {
std::string WithCommas(uint64_t value) {
  std::string digits = absl::StrCat(value);
  for (size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string Counted(uint64_t count, absl::string_view noun) {
  const std::string number = absl::StrCat(WithCommas(count), " ");
  if (count == 1) return absl::StrCat(number, noun);
  return absl::ConsumeSuffix(&noun, "y") ? absl::StrCat(number, noun, "ies")
                                         : absl::StrCat(number, noun, "s");
}

std::string HumanCount(double value) {
  constexpr std::array<const char*, 5> kUnits = {"", " k", " M", " G", " T"};
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return unit == 0 ? absl::StrFormat("%.0f", value)
                   : absl::StrFormat("%.3g%s", value, kUnits[unit]);
}

std::string HumanBytes(uint64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, bytes == 1 ? " byte" : " bytes");
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1023.95 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return absl::StrFormat("%.1f %s", value, kUnits[unit]);
}

std::string HumanSeconds(double seconds) {
  if (seconds < 1e-3) return absl::StrFormat("%.1f us", seconds * 1e6);
  if (seconds < 1) return absl::StrFormat("%.1f ms", seconds * 1e3);
  constexpr double kSecondsMax = 1e15;  // Of whole seconds that are exact.
  if (seconds < 119.95 || seconds > kSecondsMax) return absl::StrFormat("%.1f s", seconds);
  const auto whole = static_cast<uint64_t>(seconds + 0.5);
  const uint64_t hours = whole / 3600;
  const uint64_t days = hours / 24;
  if (days > 0) return absl::StrFormat("%d d %d h %d min", days, hours % 24, whole / 60 % 60);
  if (hours > 0) return absl::StrFormat("%d h %d min %d s", hours, whole / 60 % 60, whole % 60);
  return absl::StrFormat("%d min %d s", whole / 60, whole % 60);
}

std::string HumanNanos(uint64_t nanos) { return HumanSeconds(static_cast<double>(nanos) / 1e9); }

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
