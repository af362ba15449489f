#include "bench/open_loop.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"
#include "engine/base/status_macros.h"
#include "tools/os/clocks.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

constexpr int64_t kArrivalNanos = 1'000;

}  // namespace

LatencyHistogram OpenLoopOfSyncs(const std::vector<uint64_t>& syncs) {
  LatencyHistogram histogram;
  for (size_t i = 0; i + 1 < syncs.size(); ++i) {
    for (uint64_t at = 0; at < syncs[i]; at += kArrivalNanos) {
      histogram.Record(syncs[i] - at + syncs[i + 1]);
    }
  }
  return histogram;
}

absl::StatusOr<LatencyHistogram> OpenLoopOfCore(int core, double seconds) {
  LatencyHistogram histogram;
  {
    const tools::Thread thread(
        "core alone",
        [&] {
          const tools::Stopwatch stopwatch;
          const auto end = static_cast<int64_t>(seconds * 1e9);
          for (int64_t due = 0; due < end;) {
            const auto now = static_cast<int64_t>(stopwatch.Seconds() * 1e9);
            for (; due <= now; due += kArrivalNanos) {
              histogram.Record(static_cast<uint64_t>(now - due));
            }
          }
        },
        {}, core);
    RETURN_IF_ERROR(thread.status());
  }
  return histogram;
}

}  // namespace bench
