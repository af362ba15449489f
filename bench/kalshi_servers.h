// Servers on a thread of the benchmark, with which a venue of Kalshi's API is compared: one that
// trades and verifies nothing, one that verifies and does not trade, between which they hold what a
// venue does; and one that does neither.

#ifndef BENCH_KALSHI_SERVERS_H_
#define BENCH_KALSHI_SERVERS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/gateway_loop.h"
#include "bench/kalshi_stages.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/thread.h"
#include "tools/serve/venue_config.h"

namespace bench {

// A server, running from Start() to its end. Owned by the thread of the client.
class KalshiServer {
 public:
  virtual ~KalshiServer() = default;

  const std::string& address() const { return loop_->address(); }
  void SetTimed(bool is_timed) { loop_->SetTimed(is_timed); }

  // Errors: what ended it before.
  absl::Status Stop();
  // After Stop().
  const KalshiTimes& times() const { return stopwatch_.times(); }
  double cpu_seconds() const { return loop_->cpu_seconds(); }

 protected:
  KalshiServer() = default;
  absl::Status Serve(const tools::VenueConfig& config, engine::SessionGateway& gateway,
                     std::function<absl::Status()> release,
                     const std::optional<tools::ServerIdentity>& identity = std::nullopt);

  KalshiStopwatch stopwatch_;

 private:
  std::unique_ptr<GatewayLoop> loop_;
  absl::Status status_;
  std::optional<tools::Thread> thread_;
};

// The gateway, the exchange and a journal in memory, with --ack=none. Every signature is good.
absl::StatusOr<std::unique_ptr<KalshiServer>> StartTradingServer(const std::string& venue_file);

// Reads requests, verifies their signatures, and answers each with the same 201.
absl::StatusOr<std::unique_ptr<KalshiServer>> StartVerifyingServer(const std::string& venue_file);

// Answers each request with its own body and 201; over TLS with an identity.
absl::StatusOr<std::unique_ptr<KalshiServer>> StartEchoingServer(
    const std::string& venue_file, std::optional<tools::ServerIdentity> identity);

}  // namespace bench

#endif  // BENCH_KALSHI_SERVERS_H_
