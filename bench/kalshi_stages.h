// Where the time of a request goes, stage by stage, within the thread that serves it.
//
//   bytes ─ parse ─ authenticate ─ decode ─ apply ─ encode ─ publish ─ write ─► bytes
//
// The stages are read off at the seams of the gateway: what it asks of its host, its users and its
// command sink.

#ifndef BENCH_KALSHI_STAGES_H_
#define BENCH_KALSHI_STAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "bench/latency_histogram.h"

namespace bench {

enum class KalshiStage : uint8_t {
  kParse,         // Until the gateway asks for the time of day.
  kAuthenticate,  // Until the user's signature has been looked at; without verifying it.
  kDecode,        // Until the command is submitted: JSON, the market, the client's id.
  kApply,         // Until it is journalled and applied.
  kEncode,        // Until the reply is made.
  kPublish,       // Until it is released: the views, and the frames of subscriptions.
  kWrite,         // Until the sockets have taken the bytes.
};
inline constexpr size_t kKalshiStageCount = 7;
absl::string_view NameOf(KalshiStage stage);

// What a run has measured, in nanoseconds.
struct KalshiTimes {
  std::array<LatencyHistogram, kKalshiStageCount> stages;
  LatencyHistogram unwritten;  // From bytes in to the reply, without kWrite.
  LatencyHistogram whole;
  LatencyHistogram applied_to_written;  // Of each command.
};

// Not thread-safe: owned by the thread that serves.
class KalshiStopwatch {
 public:
  void OnRead();
  // The end of that stage.
  void OnEnd(KalshiStage stage);
  void OnWritten(bool is_timed);

  const KalshiTimes& times() const { return times_; }

 private:
  int64_t read_at_ = 0;
  size_t reads_ = 0;  // Since the last write, as is the next.
  std::vector<int64_t> applied_at_;
  std::array<int64_t, kKalshiStageCount> ends_ = {};
  KalshiTimes times_;
};

}  // namespace bench

#endif  // BENCH_KALSHI_STAGES_H_
