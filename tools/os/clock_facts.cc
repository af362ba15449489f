#include "tools/os/clock_facts.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

#include "tools/os/parallel.h"

namespace tools {
namespace {

constexpr char kSourcePath[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
constexpr int kReadings = 200'000;
constexpr uint64_t kRoundTrips = 20'000;

int64_t RealTimeNanos() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

ClockFacts ReadClockFacts() {
  ClockFacts facts;
  if (std::string source; std::ifstream(kSourcePath) >> source) facts.source = source;
  const auto begin = std::chrono::steady_clock::now();
  int64_t previous = RealTimeNanos();
  int64_t smallest = INT64_MAX;
  for (int i = 0; i < kReadings; ++i) {
    const int64_t now = RealTimeNanos();
    if (now > previous) smallest = std::min(smallest, now - previous);
    previous = now;
  }
  facts.read_nanos = SecondsSince(begin) * 1e9 / kReadings;
  facts.resolution_nanos = static_cast<uint64_t>(smallest);
  return facts;
}

double MeasureHandover() {
  if (ProcessorCount() < 2) return 0;
  std::atomic<uint64_t> ball = 0;
  const auto begin = std::chrono::steady_clock::now();
  RunParallel(2, 2, [&](size_t player) {
    for (uint64_t i = player; i < 2 * kRoundTrips; i += 2) {
      while (ball.load(std::memory_order_acquire) != i) {
      }
      ball.store(i + 1, std::memory_order_release);
    }
  });
  return SecondsSince(begin) * 1e9 / (2 * kRoundTrips);
}

}  // namespace tools
