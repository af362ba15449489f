// Runs `ticktape serve` as its clients see it: over TCP on this machine, from another core.
//
//   lines ─► Peer ─► TCP ─► ticktape serve ─► TCP ─► Peer ─► counted, timed
//
// A client never sleeps: it occupies one core, and the venue with its journal the other ones.

#ifndef BENCH_VENUE_RUN_H_
#define BENCH_VENUE_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/latency_histogram.h"
#include "tools/os/child_process.h"
#include "tools/os/network/testing/network_world.h"
#include "tools/os/output_folder.h"

namespace bench {

struct VenueOptions {
  std::string ticktape;         // The program.
  std::string ack = "none";     // Its --ack.
  size_t sessions_max = 1;      // Each has a login and an account of its own.
  bool is_tls = false;          // Kalshi's API.
  bool is_busy = false;         // It spins for input.
  std::string venue_file = {};  // Instead of the market SYM0 and those sessions, if not empty.
};

// From when the venue had read bytes until it had written the replies to them.
struct VenueLag {
  uint64_t p50_nanos = 0;
  uint64_t p99_nanos = 0;
  uint64_t max_nanos = 0;
};

// A venue with the market SYM0 of TextBenchLines. Killed by the destructor.
class VenueUnderTest {
 public:
  // Errors: ABORTED with the program's last words; those of files.
  static absl::StatusOr<std::unique_ptr<VenueUnderTest>> Start(const VenueOptions& options);

  // A session of client `number`, below sessions_max.
  absl::StatusOr<std::unique_ptr<tools::Peer>> LogIn(size_t number);

  // A connection to Kalshi's API. REQUIRES: the venue file has it.
  std::unique_ptr<tools::Peer> ConnectToKalshi() { return world_->Connect(kalshi_address_); }

  const std::string& kalshi_address() const { return kalshi_address_; }
  // Of order entry. REQUIRES: the venue file has it.
  const std::string& native_address() const { return native_address_; }
  const std::string& ouch_address() const { return ouch_address_; }
  // Its files: venue.json, and those of TLS.
  const std::string& folder() const { return temporary_->path(); }

  // Of the process, in the processor's pages.
  absl::StatusOr<uint64_t> ResidentBytes() const;

  // What the process has used of the cores.
  double CpuSeconds() const;
  // The same of the thread that serves, without the journal's. Errors: those of /proc.
  absl::StatusOr<double> ServingCpuSeconds() const;

  // Ends it in order.
  absl::StatusOr<VenueLag> End();

 private:
  VenueUnderTest() : world_(tools::MakeTcpWorld()) {}

  const std::unique_ptr<tools::NetworkWorld> world_;
  std::unique_ptr<tools::TemporaryDirectory> temporary_;
  std::unique_ptr<tools::ChildProcess> process_;
  std::string address_;
  std::string kalshi_address_;
  std::string native_address_;
  std::string ouch_address_;
};

// One session with as many lines in flight as the sockets hold. Lines a second, from the first one
// until the last reply. Errors: as VenueUnderTest; DATA_LOSS if there are fewer replies than lines.
absl::StatusOr<double> VenueLinesPerSecond(const VenueOptions& options, absl::string_view lines,
                                           size_t line_count);

// The shell on a pipe, for the same lines.
absl::StatusOr<double> ShellLinesPerSecond(const VenueOptions& options, absl::string_view lines,
                                           size_t line_count);

// Round trips of one order at a time. The same for the echo of the same lines by a thread with the
// network code of the venue.
absl::StatusOr<LatencyHistogram> VenueRoundTrips(const VenueOptions& options, size_t count);
absl::StatusOr<LatencyHistogram> EchoRoundTrips(size_t count);

struct OpenLoopResult {
  LatencyHistogram latency;  // From when an order was due to be sent until its reply was read.
  double achieved_rate = 0;  // Orders a second.
  VenueLag lag;
};

// Sessions that send `rate` orders a second together, each at its own even pace, for `seconds`.
absl::StatusOr<OpenLoopResult> VenueOpenLoop(const VenueOptions& options, double rate,
                                             double seconds);

struct IdleResult {
  uint64_t bytes_before = 0;  // Without sessions.
  uint64_t bytes_after = 0;   // With all sessions logged in.
};

absl::StatusOr<IdleResult> VenueIdle(const VenueOptions& options);

}  // namespace bench

#endif  // BENCH_VENUE_RUN_H_
