#include "tools/os/yardstick.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/prng.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

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

Yardstick MeasureYardstick() {
  return {.arithmetic = Arithmetic(),
          .near_memory = Walk(256 << 10, 64),
          .far_memory = Walk(8 << 20, 5)};
}

}  // namespace tools
