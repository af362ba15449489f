// Order entry as its clients see it: `ticktape serve` over TCP on this machine, beside a TCP echo
// of frames of the same size with the same options.
//
//   order ─► BlockingClient ─► TCP ─► ticktape serve ─► TCP ─► BlockingClient: timed, counted
//   frame ─► BlockingClient ─► TCP ─► BlockingEcho   ─► TCP ─► BlockingClient
//
// A client waits in the kernel, so that client and server can share a core.

#ifndef BENCH_ORDER_ENTRY_RUN_H_
#define BENCH_ORDER_ENTRY_RUN_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"

namespace bench {

struct OrderEntryOptions {
  std::string ticktape;  // The program.
  std::string ack = "none";
  bool is_busy = false;  // The venue spins for input.
  size_t idle = 0;       // Connections that are logged in and send nothing but heartbeats.
  std::optional<int> server_core = {};
  std::optional<int> client_core = {};
};

// In nanoseconds.
struct NativeRoundTrips {
  LatencyHistogram round_trips;  // As the client has measured them.
  LatencyHistogram waited;       // As the venue's stamps say, as the next.
  LatencyHistogram engine;
};

// One order, or its cancel, at a time, by the native protocol. Errors, of all these: ABORTED with
// what was received; those of the venue and of the system.
absl::StatusOr<NativeRoundTrips> MeasureNativeRoundTrips(const OrderEntryOptions& options,
                                                         size_t count);
absl::StatusOr<LatencyHistogram> MeasureEchoRoundTrips(const OrderEntryOptions& options,
                                                       size_t count);

struct Throughput {
  double orders_per_second = 0;  // From the first one until the last answer; cancels count.
  LatencyHistogram engine;       // Of the native protocol.
};

// One connection, with as many orders and cancels in flight as the sockets and the venue hold.
absl::StatusOr<Throughput> MeasureNativeThroughput(const OrderEntryOptions& options, size_t count);
absl::StatusOr<Throughput> MeasureOuchThroughput(const OrderEntryOptions& options, size_t count);

}  // namespace bench

#endif  // BENCH_ORDER_ENTRY_RUN_H_
