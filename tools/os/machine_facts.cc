#include "tools/os/machine_facts.h"

#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <fstream>
#include <functional>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
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

// Volatile, so that the compiler does not remove the work.
volatile uint64_t sink;

double LowerQuartile(size_t goes, size_t steps, const std::function<void()>& work) {
  std::vector<double> nanos;
  for (size_t go = 0; go < goes; ++go) {
    const Stopwatch stopwatch;
    work();
    nanos.push_back(stopwatch.Seconds() * 1e9 / static_cast<double>(steps));
  }
  std::sort(nanos.begin(), nanos.end());
  return nanos[nanos.size() / 4];
}

double Arithmetic() {
  constexpr size_t kSteps = 20'000;
  return LowerQuartile(64, kSteps, [] {
    uint64_t value = sink | 1;
    for (size_t i = 0; i < kSteps; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
    sink = value;
  });
}

// Walks one cycle through all lines in random order (Sattolo), which defeats the prefetcher.
double Walk(size_t bytes, size_t goes) {
  struct alignas(64) Line {
    uint64_t next;
  };
  std::vector<uint64_t> order(bytes / sizeof(Line));
  std::iota(order.begin(), order.end(), uint64_t{0});
  engine::Prng prng(1);
  for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[prng.Below(i)]);
  std::vector<Line> lines(order.size());
  for (size_t i = 0; i < order.size(); ++i) lines[i].next = order[i];
  return LowerQuartile(goes, lines.size(), [&] {
    uint64_t at = 0;
    for (size_t i = 0; i < lines.size(); ++i) at = lines[at].next;
    sink = at;
  });
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

Yardstick MeasureYardstick() {
  return {.arithmetic = Arithmetic(),
          .near_memory = Walk(256 << 10, 64),
          .far_memory = Walk(8 << 20, 5)};
}

}  // namespace tools
