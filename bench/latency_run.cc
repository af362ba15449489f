#include "bench/latency_run.h"

#include <x86intrin.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "bench/apply_loop.h"
#include "bench/contenders.h"
#include "bench/kept_events.h"
#include "engine/messages/event_buffer.h"
#include "tools/os/clocks.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr int kProbes = 100'000;
constexpr size_t kKinds = static_cast<size_t>(engine::kLastCommandKind) + 1;

// Reads the TSC. The fences complete all earlier instructions and start no later ones before the
// read.
uint64_t Ticks() {
  _mm_lfence();
  const uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
}

double NanosPerTick() {
  const tools::Stopwatch stopwatch;
  const uint64_t begin = Ticks();
  while (stopwatch.Seconds() < 0.02) {
  }
  const uint64_t ticks = Ticks() - begin;
  return stopwatch.Seconds() * 1e9 / static_cast<double>(ticks);
}

}  // namespace

LatencyResult MeasureLatency(const RecordedWorkload& workload, int core) {
  tools::PinThisThread(core);
  const double nanos_per_tick = NanosPerTick();
  const auto nanos = [&](uint64_t ticks) {
    return static_cast<uint64_t>(static_cast<double>(ticks) * nanos_per_tick + 0.5);
  };
  LatencyResult result;
  for (int i = 0; i < kProbes; ++i) {
    const uint64_t begin = Ticks();
    result.probe.Record(nanos(Ticks() - begin));
  }
  const auto engine = std::make_unique<FastEngine>();
  KeptEvents kept;
  engine::EventBuffer events(kept);
  ApplyRange(*engine, workload, 0, workload.warm_up_count, events, [](size_t) {});
  std::array<LatencyHistogram, kKinds> histograms;
  uint64_t begin = Ticks();
  ApplyRange(*engine, workload, workload.warm_up_count, workload.commands.size(), events,
             [&](size_t i) {
               const uint64_t ticks = Ticks() - begin;
               const auto kind = static_cast<size_t>(workload.commands[i].kind);
               histograms[kind < kKinds ? kind : 0].Record(nanos(ticks));
               begin = Ticks();
             });
  for (size_t kind = 0; kind < kKinds; ++kind) {
    if (histograms[kind].count() == 0) continue;
    result.by_kind.emplace(static_cast<engine::CommandKind>(kind), std::move(histograms[kind]));
  }
  return result;
}

}  // namespace bench
