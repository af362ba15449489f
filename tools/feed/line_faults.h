// What a network does to the packets of a line, by a seed: it loses some, repeats some, and lets
// others overtake some.

#ifndef TOOLS_FEED_LINE_FAULTS_H_
#define TOOLS_FEED_LINE_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"

namespace tools {

// Sans-I/O. Not thread-safe: owned by the sender of the line. The same packets and options have the
// same faults.
class LineFaults {
 public:
  // Of a million packets. At most 1,000,000 each.
  struct Options {
    uint32_t lost = 0;
    uint32_t repeated = 0;
    uint32_t overtaken = 0;  // By one to kOvertakersMax packets.
    uint64_t seed = 1;
  };
  static constexpr uint64_t kOvertakersMax = 3;

  struct Counters {
    uint64_t packets = 0;  // Taken.
    uint64_t lost = 0;
    uint64_t repeated = 0;
    uint64_t overtaken = 0;
  };

  // Receives a packet, which is valid during the call.
  using Send = absl::FunctionRef<void(engine::Bytes packet)>;

  explicit LineFaults(const Options& options) : options_(options), prng_(options.seed) {}

  void Take(engine::Bytes packet, Send send);
  // Sends the packet that waits to be overtaken, if there is one.
  void Flush(Send send);

  const Counters& counters() const { return counters_; }

 private:
  bool Happens(uint32_t per_million) { return prng_.Below(1'000'000) < per_million; }

  const Options options_;
  engine::Prng prng_;
  std::string held_;         // Empty: none.
  uint64_t overtakers_ = 0;  // That the held one waits for.
  Counters counters_;
};

}  // namespace tools

#endif  // TOOLS_FEED_LINE_FAULTS_H_
