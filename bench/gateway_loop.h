// A gateway on loopback sockets and a thread of its own: the loop of a venue, in the benchmark's
// process.
//
//   sockets ─► Network ─► SessionServer ─► gateway ─► release ─► Send, Flush ─► sockets

#ifndef BENCH_GATEWAY_LOOP_H_
#define BENCH_GATEWAY_LOOP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "bench/kalshi_stages.h"
#include "engine/base/bytes.h"
#include "engine/gateway/session_gateway.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/crypto/tls_sockets.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"
#include "tools/serve/session_server.h"
#include "tools/serve/venue_config.h"

namespace bench {

// Run() belongs to the thread that serves; the others wait for its end before they read what it has
// measured. All references outlive it.
class GatewayLoop final : private tools::NetworkHandler {
 public:
  // `release`: what follows the reads of a turn. Over TLS with an identity. Aborts if the system
  // has no sockets, or if the identity is none.
  GatewayLoop(const tools::VenueConfig& config, engine::SessionGateway& gateway,
              KalshiStopwatch& stopwatch, std::function<absl::Status()> release,
              const std::optional<tools::ServerIdentity>& identity = std::nullopt);

  const std::string& address() const { return address_; }

  // Returns after Stop(). Errors: those of the gateway and of `release`.
  absl::Status Run();
  // Thread-safe, as is the next one.
  void Stop();
  // What happens from now on is timed, or no more.
  void SetTimed(bool is_timed) { is_timed_.store(is_timed, std::memory_order_relaxed); }

  // Of the timed part: what the thread has used of its core.
  double cpu_seconds() const { return cpu_seconds_; }

 private:
  void OnAccepted(tools::ConnectionId connection, tools::ListenerId listener,
                  absl::string_view peer) override {
    server_.OnAccepted(connection, listener, peer);
  }
  void OnBytes(tools::ConnectionId connection, engine::Bytes bytes) override;
  void OnInputEnded(tools::ConnectionId connection) override { server_.OnInputEnded(connection); }
  void OnDrained(tools::ConnectionId connection) override { server_.OnDrained(connection); }
  void OnClosed(tools::ConnectionId connection, tools::CloseReason reason) override {
    server_.OnClosed(connection, reason);
  }

  std::string ListenOn(absl::string_view prefix);
  absl::Status Turn();
  void NotePhase();

  engine::SessionGateway& gateway_;
  KalshiStopwatch& stopwatch_;
  const std::function<absl::Status()> release_;
  tools::MonotonicClock steady_;
  const std::unique_ptr<tools::SystemSockets> sockets_;
  const std::unique_ptr<tools::TlsSockets> tls_;  // Null: plain.
  tools::Network network_;
  tools::SessionServer server_;
  const std::string address_;

  std::atomic<bool> is_over_ = false;
  std::atomic<bool> is_timed_ = false;
  bool was_timed_ = false;
  double cpu_begin_ = 0;
  double cpu_seconds_ = 0;
};

}  // namespace bench

#endif  // BENCH_GATEWAY_LOOP_H_
