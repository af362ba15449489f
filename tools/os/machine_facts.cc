#include "tools/os/machine_facts.h"

#include <sys/utsname.h>

#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/os/parallel.h"

namespace tools {
namespace {

// The first line of the file.
std::string Line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  line = std::string(absl::StripAsciiWhitespace(line));
  return line.empty() ? "none" : line;
}

// "AMD EPYC, family 26, model 2": several models share one name.
std::string Processor() {
  std::string name, family, model;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key(absl::StripAsciiWhitespace(line.substr(0, colon)));
    const std::string value(absl::StripAsciiWhitespace(line.substr(colon + 1)));
    if (key == "model name") name = value;
    if (key == "cpu family") family = value;
    if (key == "model") model = value;
  }
  return absl::StrCat(name, ", family ", family, ", model ", model);
}

std::string Kernel() {
  utsname name = {};
  uname(&name);
  return absl::StrCat(name.release, " ", name.version);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ReadMachineFacts() {
  return {
      {"processor", Processor()},
      {"cores", absl::StrCat(ProcessorCount())},
      {"kernel", Kernel()},
      {"governor", Line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"isolated cores", Line("/sys/devices/system/cpu/isolated")},
      {"huge pages", Line("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"clock source", Line("/sys/devices/system/clocksource/clocksource0/current_clocksource")},
  };
}

}  // namespace tools
