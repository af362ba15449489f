// Runs the hot path of a live client on one thread, and the yardstick beside it.
//
//   frame ─ decode ─► FeedFrame ─ decide ─► Action ─ request ─► bytes of a request
//                       row, book, signal               link, a signature that was ready
//
// The venue's replies are made and handled while no clock runs. There are no sockets, no TLS and
// no journal.

#ifndef BENCH_HOT_PATH_RUN_H_
#define BENCH_HOT_PATH_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "bench/hot_path_scene.h"
#include "bench/latency_histogram.h"
#include "engine/base/digest.h"
#include "tools/client/signatures/signature_table.h"
#include "tools/os/measuring.h"

namespace bench {

enum class HotPathStage : uint8_t { kDecode, kDecide, kRequest };
inline constexpr size_t kHotPathStageCount = 3;
absl::string_view NameOf(HotPathStage stage);

// What a frame caused.
enum class HotPathRequest : uint8_t { kNone, kCreate, kAmend, kCancel };
inline constexpr size_t kHotPathRequestCount = 4;
absl::string_view NameOf(HotPathRequest request);

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

// A table with the signatures of all requests of the scene's orders. `key` outlives it.
void KeepSignatures(const HotPathScene& scene, client::SignatureTable& signatures);

// The first tenth of the frames is not measured. `signatures`: of KeepSignatures().
HotPathTimes MeasureHotPath(const HotPathScene& scene, client::SignatureTable& signatures,
                            const tools::TickClock& clock);

}  // namespace bench

#endif  // BENCH_HOT_PATH_RUN_H_
