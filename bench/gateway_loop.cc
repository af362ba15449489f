#include "bench/gateway_loop.h"

#include <time.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "tools/os/network/stream_sockets.h"
#include "tools/serve/venue_server.h"

namespace bench {
namespace {

constexpr int64_t kWaitNanos = 100'000'000;
constexpr int64_t kLoginNanos = int64_t{3'600} * 1'000'000'000;

// Of the calling thread.
double CpuSeconds() {
  timespec used = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

GatewayLoop::GatewayLoop(const tools::VenueConfig& config, engine::SessionGateway& gateway,
                         KalshiStopwatch& stopwatch, std::function<absl::Status()> release,
                         const std::optional<tools::ServerIdentity>& identity)
    : gateway_(gateway),
      stopwatch_(stopwatch),
      release_(std::move(release)),
      sockets_(tools::SystemSockets::Make(steady_).value()),
      tls_(identity.has_value() ? tools::TlsSockets::Make(*sockets_, *identity).value() : nullptr),
      network_(tls_ == nullptr ? static_cast<tools::StreamSockets&>(*sockets_) : *tls_,
               tools::VenueServer::OptionsFor(config)),
      server_(network_, gateway, kLoginNanos),
      address_(ListenOn(tls_ == nullptr ? "" : tools::kTlsPrefix)) {}

std::string GatewayLoop::ListenOn(absl::string_view prefix) {
  const std::string address = network_.Listen(absl::StrCat(prefix, "127.0.0.1:0")).value().address;
  return std::string(absl::StripPrefix(address, prefix));
}

absl::Status GatewayLoop::Run() {
  while (!is_over_.load(std::memory_order_relaxed)) RETURN_IF_ERROR(Turn());
  SetTimed(false);
  NotePhase();
  return absl::OkStatus();
}

void GatewayLoop::Stop() {
  is_over_.store(true, std::memory_order_relaxed);
  network_.bell().Ring();
}

// As VenueServer::Turn().
absl::Status GatewayLoop::Turn() {
  NotePhase();
  network_.Turn(steady_.Now() + kWaitNanos, *this);
  RETURN_IF_ERROR(server_.TakeLines([] { return true; }));
  gateway_.OnTime(steady_.Now());
  RETURN_IF_ERROR(release_());
  stopwatch_.OnEnd(KalshiStage::kPublish);
  server_.Send();
  network_.Flush();
  stopwatch_.OnWritten(was_timed_);
  return absl::OkStatus();
}

void GatewayLoop::NotePhase() {
  const bool is_timed = is_timed_.load(std::memory_order_relaxed);
  if (is_timed == was_timed_) return;
  was_timed_ = is_timed;
  if (is_timed) {
    cpu_begin_ = CpuSeconds();
  } else {
    cpu_seconds_ += CpuSeconds() - cpu_begin_;
  }
}

void GatewayLoop::OnBytes(tools::ConnectionId connection, engine::Bytes bytes) {
  stopwatch_.OnRead();
  server_.OnBytes(connection, bytes);
  stopwatch_.OnEnd(KalshiStage::kEncode);
}

}  // namespace bench
