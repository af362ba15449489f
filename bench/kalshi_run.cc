#include "bench/kalshi_run.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "bench/kalshi_client.h"
#include "bench/kalshi_scene.h"
#include "bench/kalshi_servers.h"
#include "bench/venue_run.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "tools/os/crypto/public_key.h"
#include "tools/os/network/testing/network_world.h"

namespace bench {
namespace {

using Connect = std::function<std::unique_ptr<tools::Peer>()>;

// Orders over many connections, one in flight on each.
class Orderers {
 public:
  Orderers(const KalshiScene& scene, const Connect& connect, size_t connections) : scene_(scene) {
    for (size_t i = 0; i < connections; ++i) clients_.emplace_back(connect());
    is_waiting_.resize(connections);
  }

  // Takes the replies that have come, and sends on each free connection while there is a next one.
  absl::Status Visit(const std::function<bool()>& has_next) {
    for (size_t i = 0; i < clients_.size(); ++i) {
      if (is_waiting_[i]) {
        ASSIGN_OR_RETURN(const bool has_reply, clients_[i].HasReply("201"));
        if (!has_reply) continue;
        is_waiting_[i] = false;
        ++replies_;
      }
      if (!has_next()) continue;
      RETURN_IF_ERROR(clients_[i].Send(scene_.Order(sent_++)));
      is_waiting_[i] = true;
    }
    return absl::OkStatus();
  }

  size_t sent() const { return sent_; }
  size_t replies() const { return replies_; }

 private:
  const KalshiScene& scene_;
  std::vector<RequestClient> clients_;
  std::vector<bool> is_waiting_;
  size_t sent_ = 0;
  size_t replies_ = 0;
};

// Until all replies have come.
absl::StatusOr<double> OrdersPerSecond(const KalshiScene& scene, const Connect& connect,
                                       const KalshiOrdersOptions& options) {
  Orderers orderers(scene, connect, options.connections);
  const int64_t begin = NowNanos();
  while (orderers.replies() < options.orders) {
    RETURN_IF_ERROR(orderers.Visit([&] { return orderers.sent() < options.orders; }));
  }
  return static_cast<double>(options.orders) * 1e9 / static_cast<double>(NowNanos() - begin);
}

absl::StatusOr<double> VerifiedPerSecond(const KalshiScene::Signed& of, size_t count) {
  ASSIGN_OR_RETURN(const tools::PublicKey key, tools::PublicKey::Parse(of.public_pem));
  std::string signature;
  if (!absl::Base64Unescape(of.signature, &signature)) return absl::InternalError("no base64");
  const int64_t begin = NowNanos();
  for (size_t i = 0; i < count; ++i) {
    if (!key.Verify(of.message, engine::AsBytes(signature))) {
      return absl::InternalError("a signature is not verified");
    }
  }
  return static_cast<double>(count) * 1e9 / static_cast<double>(NowNanos() - begin);
}

// WebSocket sessions that count their frames.
class Listeners {
 public:
  // Upgrades and subscribes. `snapshots`: the frames that each is to receive before it is ready.
  absl::Status Open(const KalshiScene& scene, const Connect& connect, size_t count,
                    size_t snapshots) {
    for (size_t i = 0; i < count; ++i) {
      RequestClient client(connect());
      RETURN_IF_ERROR(client.Send(scene.Upgrade(i)));
      RETURN_IF_ERROR(client.AwaitReply("101"));
      RETURN_IF_ERROR(SendAll(scene.Subscribe(i), client.peer()));
      clients_.push_back({.client = std::move(client), .counter = {}});
    }
    const int64_t begin = NowNanos();
    for (size_t frames = 0; frames < count * (1 + snapshots);) {
      ASSIGN_OR_RETURN(const size_t more, Count());
      frames += more;
      if (NowNanos() - begin > kPatienceNanos) return absl::DeadlineExceededError("no snapshots");
    }
    return absl::OkStatus();
  }

  // Returns how many frames have come since the last call.
  absl::StatusOr<size_t> Count() {
    size_t frames = 0;
    for (Client& each : clients_) {
      const std::string received = each.client.peer().Receive(kPieceBytes);
      if (each.client.peer().has_ended()) return absl::AbortedError("the venue ended a session");
      if (!received.empty()) frames += each.counter.Count(received);
    }
    return frames;
  }

 private:
  static constexpr int64_t kPatienceNanos = int64_t{60} * 1'000'000'000;
  static constexpr size_t kPieceBytes = 256 << 10;

  struct Client {
    RequestClient client;
    FrameCounter counter;
  };

  std::vector<Client> clients_;
};

// Reads frames, and orders at the pace of the options, for `seconds`. Returns the frames.
absl::StatusOr<size_t> Feed(const KalshiFeedOptions& options, double seconds, Orderers& orderers,
                            Listeners& listeners) {
  const double frames_of_order = static_cast<double>(options.sessions * options.subscribed) /
                                 static_cast<double>(options.markets);
  const double interval = options.rate == 0 ? 0 : 1e9 * frames_of_order / options.rate;
  const int64_t begin = NowNanos();
  const auto end = begin + static_cast<int64_t>(1e9 * seconds);
  const size_t sent_before = orderers.sent();
  size_t frames = 0;
  while (NowNanos() < end) {
    RETURN_IF_ERROR(orderers.Visit([&] {
      const auto sent = static_cast<double>(orderers.sent() - sent_before);
      return static_cast<double>(NowNanos() - begin) >= interval * sent;
    }));
    ASSIGN_OR_RETURN(const size_t more, listeners.Count());
    frames += more;
  }
  return frames;
}

}  // namespace

absl::StatusOr<KalshiOrdersResult> MeasureKalshiOrders(const KalshiOrdersOptions& options) {
  ASSIGN_OR_RETURN(const KalshiScene scene, KalshiScene::Make({.key = options.key}));
  const std::unique_ptr<tools::NetworkWorld> world = tools::MakeTcpWorld();
  KalshiOrdersResult result;
  ASSIGN_OR_RETURN(result.verified, VerifiedPerSecond(scene.signed_message(), options.orders));
  {
    ASSIGN_OR_RETURN(const std::unique_ptr<KalshiServer> server,
                     StartVerifyingServer(scene.venue_file()));
    server->SetTimed(true);
    ASSIGN_OR_RETURN(result.constants,
                     OrdersPerSecond(
                         scene, [&] { return world->Connect(server->address()); }, options));
    RETURN_IF_ERROR(server->Stop());
    result.constants_of_core = static_cast<double>(options.orders) / server->cpu_seconds();
  }
  ASSIGN_OR_RETURN(
      const std::unique_ptr<VenueUnderTest> venue,
      VenueUnderTest::Start(
          {.ticktape = options.ticktape, .ack = "none", .venue_file = scene.venue_file()}));
  const double process_before = venue->CpuSeconds();
  ASSIGN_OR_RETURN(const double serving_before, venue->ServingCpuSeconds());
  ASSIGN_OR_RETURN(result.orders, OrdersPerSecond(
                                      scene, [&] { return venue->ConnectToKalshi(); }, options));
  ASSIGN_OR_RETURN(const double serving_after, venue->ServingCpuSeconds());
  const auto orders = static_cast<double>(options.orders);
  result.orders_of_core = orders / (serving_after - serving_before);
  result.orders_of_cores = orders / (venue->CpuSeconds() - process_before);
  return result;
}

absl::StatusOr<KalshiTimes> MeasureKalshiStages(size_t orders) {
  ASSIGN_OR_RETURN(const KalshiScene scene, KalshiScene::Make({}));
  const std::unique_ptr<tools::NetworkWorld> world = tools::MakeTcpWorld();
  ASSIGN_OR_RETURN(const std::unique_ptr<KalshiServer> server,
                   StartTradingServer(scene.venue_file()));
  RequestClient client(world->Connect(server->address()));
  const size_t warm_up = orders / 10;
  for (size_t i = 0; i < warm_up + orders; ++i) {
    if (i == warm_up) server->SetTimed(true);
    RETURN_IF_ERROR(client.Send(scene.Order(i)));
    RETURN_IF_ERROR(client.AwaitReply("201"));
  }
  RETURN_IF_ERROR(server->Stop());
  return server->times();
}

absl::StatusOr<KalshiFeedResult> MeasureKalshiFeed(const KalshiFeedOptions& options) {
  ASSIGN_OR_RETURN(const KalshiScene scene,
                   KalshiScene::Make({.markets = options.markets,
                                      .subscribed = options.subscribed,
                                      .connections_max = options.sessions}));
  const std::unique_ptr<tools::NetworkWorld> world = tools::MakeTcpWorld();
  ASSIGN_OR_RETURN(const std::unique_ptr<KalshiServer> server,
                   StartTradingServer(scene.venue_file()));
  const Connect connect = [&] { return world->Connect(server->address()); };
  Listeners listeners;
  RETURN_IF_ERROR(listeners.Open(scene, connect, options.sessions, options.subscribed));
  Orderers orderers(scene, connect, options.connections);
  RETURN_IF_ERROR(Feed(options, options.seconds / 5, orderers, listeners).status());  // Warms up.
  server->SetTimed(true);
  const int64_t begin = NowNanos();
  ASSIGN_OR_RETURN(const size_t frames, Feed(options, options.seconds, orderers, listeners));
  const double seconds = 1e-9 * static_cast<double>(NowNanos() - begin);
  server->SetTimed(false);
  // The loop takes part of one more turn to hear of it.
  RETURN_IF_ERROR(Feed(options, options.seconds / 10, orderers, listeners).status());
  RETURN_IF_ERROR(server->Stop());
  return KalshiFeedResult{.frames = static_cast<double>(frames) / seconds,
                          .frames_of_core = static_cast<double>(frames) / server->cpu_seconds(),
                          .applied_to_written = server->times().applied_to_written};
}

absl::StatusOr<KalshiIdleResult> MeasureKalshiIdle(const std::string& ticktape,
                                                   size_t connections) {
  ASSIGN_OR_RETURN(const KalshiScene scene, KalshiScene::Make({.connections_max = connections}));
  ASSIGN_OR_RETURN(const std::unique_ptr<VenueUnderTest> venue,
                   VenueUnderTest::Start({.ticktape = ticktape, .venue_file = scene.venue_file()}));
  KalshiIdleResult result;
  ASSIGN_OR_RETURN(result.bytes_before, venue->ResidentBytes());
  std::vector<RequestClient> clients;
  for (size_t i = 0; i < connections; ++i) {
    clients.emplace_back(venue->ConnectToKalshi());
    RETURN_IF_ERROR(
        clients.back().Send("GET /trade-api/v2/exchange/status HTTP/1.1\r\nHost: a\r\n\r\n"));
    RETURN_IF_ERROR(clients.back().AwaitReply("200"));
  }
  ASSIGN_OR_RETURN(result.bytes_requests, venue->ResidentBytes());
  for (size_t i = 0; i < connections; ++i) {
    RETURN_IF_ERROR(clients[i].Send(scene.Upgrade(i)));
    RETURN_IF_ERROR(clients[i].AwaitReply("101"));
  }
  ASSIGN_OR_RETURN(result.bytes_sockets, venue->ResidentBytes());
  return result;
}

}  // namespace bench
