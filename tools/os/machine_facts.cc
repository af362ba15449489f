#include "tools/os/machine_facts.h"

#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tools/os/parallel.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

constexpr char kClockSource[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

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

int64_t RealTimeNanos() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
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
      {"clock source", Line(kClockSource)},
  };
}

ClockFacts ReadClockFacts() {
  constexpr int kReadings = 200'000;
  ClockFacts facts;
  if (std::string source; std::ifstream(kClockSource) >> source) facts.source = source;
  const Stopwatch stopwatch;
  int64_t previous = RealTimeNanos();
  int64_t smallest = INT64_MAX;
  for (int i = 0; i < kReadings; ++i) {
    const int64_t now = RealTimeNanos();
    if (now > previous) smallest = std::min(smallest, now - previous);
    previous = now;
  }
  facts.read_nanos = stopwatch.Seconds() * 1e9 / kReadings;
  facts.resolution_nanos = static_cast<uint64_t>(smallest);
  return facts;
}

double MeasureHandover() {
  constexpr uint64_t kHandovers = 40'000;
  if (ProcessorCount() < 2) return 0;
  std::atomic<uint64_t> ball = 0;
  const Stopwatch stopwatch;
  RunParallel(2, 2, [&](size_t player) {
    for (uint64_t i = player; i < kHandovers; i += 2) {
      while (ball.load(std::memory_order_acquire) != i) {
      }
      ball.store(i + 1, std::memory_order_release);
    }
  });
  return stopwatch.Seconds() * 1e9 / kHandovers;
}

}  // namespace tools
