// Runs the hot path of a live client, on one thread and on two, and the yardstick beside it.
//
// There are no sockets, no TLS and no journal. Where single frames are timed, the venue's replies
// are handled while no clock runs.

#ifndef BENCH_HOT_PATH_RUN_H_
#define BENCH_HOT_PATH_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "bench/hot_path_client.h"
#include "bench/hot_path_scene.h"
#include "bench/latency_histogram.h"
#include "engine/base/digest.h"
#include "tools/client/signatures/signature_table.h"
#include "tools/os/measuring.h"

namespace bench {

enum class HotPathStage : uint8_t { kDecode, kDecide, kRequest };
inline constexpr size_t kHotPathStageCount = 3;
absl::string_view NameOf(HotPathStage stage);

// All times are in nanoseconds, less the cost of reading the clock.
struct HotPathTimes {
  struct Frames {
    LatencyHistogram nanos;
    uint64_t allocations = 0;  // Of all of them.
  };
  struct Stage {
    LatencyHistogram nanos;  // Of the frames that have it.
    uint64_t ticks = 0;      // Of all of them.
    uint64_t allocations = 0;
  };

  std::array<Frames, kHotPathRequestCount> frames;  // By what they caused.
  LatencyHistogram yardstick;                       // Of the same frames, in turns of 1024.
  std::array<Stage, kHotPathStageCount> stages;     // In a pass of its own.
  engine::Digest trace;                             // Of the strategy's decisions.
};

// The first tenth of the frames is not measured. `signatures`: of KeepSignatures().
HotPathTimes MeasureHotPath(const HotPathScene& scene, client::SignatureTable& signatures,
                            const tools::TickClock& clock);

// One thread beside two, of which one reads frames and the other does the rest.
struct HotPathThreads {
  struct Pass {
    // From the begin of a frame to its end, or to that of its request. A frame begins every
    // kFrameGapNanos, when the one before it has long ended.
    LatencyHistogram nanos;
    // Frames a second as fast as it goes, with all replies handled.
    double frames_per_second = 0;
  };
  static constexpr uint64_t kFrameGapNanos = 5'000;

  Pass one;
  Pass two;
};

// `reader`, `strategy`: the cores. Pins the calling thread to `strategy`. The same decisions as
// those of MeasureHotPath().
HotPathThreads MeasureHotPathThreads(const HotPathScene& scene, client::SignatureTable& signatures,
                                     const tools::TickClock& clock, int reader, int strategy);

}  // namespace bench

#endif  // BENCH_HOT_PATH_RUN_H_
