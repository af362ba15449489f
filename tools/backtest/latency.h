// How long a message takes in a simulation, in one direction.
//
//   250us                      always
//   250us+100us                between 250 and 350, drawn from the seed
//   file.hdr                   as measured: values of a histogram (HdrHistogram's text), drawn from
//   the seed 250us,burst=5ms/200ms/10s  and 5 ms more for the first 200 ms of every 10 s

#ifndef TOOLS_BACKTEST_LATENCY_H_
#define TOOLS_BACKTEST_LATENCY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "replay/retime/latency_histogram.h"

namespace tools {

// A regular value type. In ns.
struct LatencyTerms {
  int64_t least = 0;
  int64_t jitter = 0;
  std::optional<replay::LatencyHistogram> measured = {};  // Instead of the two.
  int64_t burst = 0;
  int64_t burst_length = 0;
  int64_t burst_period = 0;
  std::string text = {};  // As it was written.
};

inline constexpr int64_t kLatencyNanosMax = 3'600'000'000'000;

// Returns the contents of a file.
using ReadWholeFile = absl::FunctionRef<absl::StatusOr<std::string>(const std::string& path)>;

// `read`: of the histogram's file, if one is named. Errors: INVALID_ARGUMENT with what was
// expected; those of `read`.
absl::StatusOr<LatencyTerms> ParseLatency(absl::string_view text, ReadWholeFile read);

// When what is sent arrives: later messages never overtake. Not thread-safe: owned by a simulation.
class LatencyLine {
 public:
  LatencyLine(LatencyTerms terms, uint64_t seed) : terms_(std::move(terms)), random_(seed) {}

  engine::Timestamp ArrivalOf(engine::Timestamp sent) {
    const int64_t at = sent.nanos() + Draw(sent.nanos());
    if (at > last_) last_ = at;
    return engine::Timestamp::FromNanos(last_);
  }

 private:
  int64_t Draw(int64_t nanos);

  const LatencyTerms terms_;
  engine::Prng random_;
  int64_t last_ = INT64_MIN;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_LATENCY_H_
