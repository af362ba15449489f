#include "bench/ping_pong.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "engine/base/check.h"
#include "tools/os/clocks.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr uint64_t kRoundsPerSample = 200;
constexpr size_t kSamples = 50;
constexpr uint64_t kRounds = kRoundsPerSample * kSamples;

struct Court {
  alignas(64) std::atomic<uint64_t> ping = 0;
  alignas(64) std::atomic<uint64_t> pong = 0;
};

void WaitFor(const std::atomic<uint64_t>& word, uint64_t value) {
  while (word.load(std::memory_order_acquire) != value) __builtin_ia32_pause();
}

}  // namespace

double PingPongNanos(int here, int there) {
  tools::PinThisThread(here);
  Court court;
  const auto answer = [&court] {
    for (uint64_t round = 1; round <= kRounds; ++round) {
      WaitFor(court.ping, round);
      court.pong.store(round, std::memory_order_release);
    }
  };
  const tools::Thread other("pong", answer, /*stop=*/{}, there);
  CHECK_OK(other.status());
  std::vector<double> samples;
  uint64_t round = 0;
  for (size_t sample = 0; sample < kSamples; ++sample) {
    const tools::Stopwatch stopwatch;
    for (uint64_t i = 0; i < kRoundsPerSample; ++i) {
      court.ping.store(++round, std::memory_order_release);
      WaitFor(court.pong, round);
    }
    samples.push_back(stopwatch.Seconds() * 1e9 / kRoundsPerSample);
  }
  std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
  return samples[kSamples / 2];
}

}  // namespace bench
