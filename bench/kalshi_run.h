// Measures Kalshi's API of a venue as its clients see it, over TCP on this machine.
//
//   orders   signed orders ─► `ticktape serve`        beside a server that only verifies
//   stages   one order at a time ─► a trading server that verifies nothing, stage by stage
//   feed     orders ─► the same ─► frames to many WebSocket sessions
//   idle     the memory of `ticktape serve` with connections that do nothing
//
// A client never sleeps: it occupies one core, and the servers the other ones.

#ifndef BENCH_KALSHI_RUN_H_
#define BENCH_KALSHI_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bench/kalshi_stages.h"
#include "bench/latency_histogram.h"
#include "tools/os/crypto/openssl_key.h"

namespace bench {

struct KalshiOrdersOptions {
  std::string ticktape;  // The program.
  tools::KeyKind key = tools::KeyKind::kEd25519;
  size_t connections = 16;
  size_t orders = 20'000;
};

// A second.
struct KalshiOrdersResult {
  double verified = 0;   // By OpenSSL alone, on one core.
  double constants = 0;  // Replies of the server that only verifies.
  double orders = 0;     // Replies of the venue, with --ack=none.
  // Of the time that the serving thread has used of its core, which a busy machine changes little.
  double constants_of_core = 0;
  double orders_of_core = 0;
  // Of the time that the venue has used of all cores: with its journal's thread, which spins before
  // it sleeps.
  double orders_of_cores = 0;
};

// Each connection has one order in flight. Errors: ABORTED if an order is refused.
absl::StatusOr<KalshiOrdersResult> MeasureKalshiOrders(const KalshiOrdersOptions& options);

absl::StatusOr<KalshiTimes> MeasureKalshiStages(size_t orders);

struct KalshiFeedOptions {
  size_t sessions = 1'000;
  size_t markets = 1'000;
  size_t subscribed = 50;   // Of them, by each session.
  size_t connections = 16;  // That order.
  double rate = 0;          // Frames a second that are due; 0: as many as there can be.
  double seconds = 5;
};

struct KalshiFeedResult {
  double frames = 0;          // A second, read by the clients.
  double frames_of_core = 0;  // A second of the serving thread's time on its core.
  LatencyHistogram applied_to_written;
};

absl::StatusOr<KalshiFeedResult> MeasureKalshiFeed(const KalshiFeedOptions& options);

struct KalshiIdleResult {
  uint64_t bytes_before = 0;    // Without connections.
  uint64_t bytes_requests = 0;  // Each has had the reply to one request.
  uint64_t bytes_sockets = 0;   // Each is a WebSocket session.
};

absl::StatusOr<KalshiIdleResult> MeasureKalshiIdle(const std::string& ticktape, size_t connections);

}  // namespace bench

#endif  // BENCH_KALSHI_RUN_H_
