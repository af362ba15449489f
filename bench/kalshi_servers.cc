#include "bench/kalshi_servers.h"

#include <cstdint>
#include <utility>

#include "absl/strings/string_view.h"
#include "bench/reply_gateway.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/authentication.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_directory.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/http_response.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/os/clocks.h"
#include "tools/serve/kalshi_users.h"
#include "tools/serve/venue_settings.h"

namespace bench {
namespace {

// Users of the venue file who sign everything, and may ask as often as they want.
class TrustedUsers final : public engine::KalshiUsers {
 public:
  TrustedUsers(const tools::KalshiConfig& config, KalshiStopwatch& stopwatch)
      : users_(config), stopwatch_(stopwatch) {}

  std::optional<engine::AccountId> AccountOf(absl::string_view key_id) const override {
    return users_.AccountOf(key_id);
  }
  bool IsSigned(absl::string_view, absl::string_view, absl::string_view) override {
    stopwatch_.OnEnd(KalshiStage::kAuthenticate);
    return true;
  }
  const engine::KalshiTier& TierOf(engine::AccountId) const override { return kUnlimited; }

 private:
  static constexpr engine::KalshiTier kUnlimited = {
      .name = "unlimited",
      .read = {.capacity = 100'000'000, .refill_rate = 100'000'000},
      .write = {.capacity = 100'000'000, .refill_rate = 100'000'000}};

  tools::KalshiUsers users_;
  KalshiStopwatch& stopwatch_;
};

class TradingServer final : public KalshiServer,
                            private engine::KalshiHost,
                            private engine::CommandSink {
 public:
  explicit TradingServer(tools::VenueConfig config) : config_(std::move(config)) {}
  ~TradingServer() override { Stop().IgnoreError(); }

  absl::Status Start() {
    const auto uuid = journal::Uuid::FromWords(1, 2);
    ASSIGN_OR_RETURN(writer_,
                     journal::Writer::Create(directory_, journal::JournalMetadata(), uuid, {}));
    ASSIGN_OR_RETURN(sidecar_, journal::SidecarWriter::Open(directory_, uuid, {}));
    recorder_.emplace(*writer_, clock_, *sidecar_, driver_, venue_,
                      replay::Recorder::Options{.ack = replay::AckPolicy::kNone});
    venue_.Connect(*this);
    RETURN_IF_ERROR(settings_.Apply());
    RETURN_IF_ERROR(recorder_->Commit());
    return Serve(config_, gateway_, [this] {
      clock_.Restart();
      return recorder_->Poll();
    });
  }

 private:
  engine::Timestamp Now() override {
    stopwatch_.OnEnd(KalshiStage::kParse);
    return clock_.Now();
  }
  absl::Status JournalStatus() const override { return recorder_->status(); }
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    stopwatch_.OnEnd(KalshiStage::kDecode);
    const absl::StatusOr<engine::SequenceNumber> sequence = recorder_->Submit(command, attachment);
    stopwatch_.OnEnd(KalshiStage::kApply);
    return sequence;
  }

  const tools::VenueConfig config_;
  tools::SystemClock system_clock_;
  tools::BatchClock clock_{system_clock_};
  journal::MemoryDirectory directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  replay::ExchangeMachine machine_;
  replay::Driver driver_{machine_};
  engine::MarketDirectory markets_;
  engine::Venue venue_;
  std::optional<replay::Recorder> recorder_;
  tools::VenueSettings settings_{config_, venue_, markets_};
  TrustedUsers users_{config_.kalshi, stopwatch_};
  const engine::KalshiCatalogue catalogue_{config_.kalshi.series, config_.kalshi.events,
                                           config_.kalshi.markets};
  engine::KalshiGateway gateway_{venue_,     *this,    users_,
                                 catalogue_, markets_, {.connections_per_user_max = UINT32_MAX}};
};

class VerifyingServer final : public KalshiServer {
 public:
  explicit VerifyingServer(tools::VenueConfig config) : config_(std::move(config)) {}
  ~VerifyingServer() override { Stop().IgnoreError(); }

  absl::Status Start() {
    return Serve(config_, gateway_, [] { return absl::OkStatus(); });
  }

 private:
  static constexpr int64_t kWindowNanos = int64_t{3'600} * 1'000'000'000;
  // As long as that of an order.
  static constexpr absl::string_view kBody =
      R"({"order_id":"11111111-1111-4111-8111-111111111111","client_order_id":"order-100000",)"
      R"("fill_count":"0.00","remaining_count":"1.00","ts_ms":1795000000000})";

  engine::HttpResponse Answer(const engine::HttpRequest& request) {
    const auto field = [&](absl::string_view name) {
      return request.Find(name).value_or(absl::string_view());
    };
    const engine::KalshiAuth auth =
        engine::Authenticate({.key_id = field("KALSHI-ACCESS-KEY"),
                              .timestamp = field("KALSHI-ACCESS-TIMESTAMP"),
                              .signature = field("KALSHI-ACCESS-SIGNATURE"),
                              .method = request.method,
                              .path = request.path},
                             clock_.Now(), kWindowNanos, users_);
    const bool is_good = auth.result == engine::KalshiAuthResult::kOk;
    return {.status = is_good ? 201 : 401, .body = kBody};
  }

  const tools::VenueConfig config_;
  tools::SystemClock clock_;
  tools::KalshiUsers users_{config_.kalshi};
  ReplyGateway gateway_{[this](const engine::HttpRequest& request) { return Answer(request); }};
};

class EchoingServer final : public KalshiServer {
 public:
  EchoingServer(tools::VenueConfig config, std::optional<tools::ServerIdentity> identity)
      : config_(std::move(config)), identity_(std::move(identity)) {}
  ~EchoingServer() override { Stop().IgnoreError(); }

  absl::Status Start() {
    return Serve(
        config_, gateway_, [] { return absl::OkStatus(); }, identity_);
  }

 private:
  const tools::VenueConfig config_;
  const std::optional<tools::ServerIdentity> identity_;
  ReplyGateway gateway_{[](const engine::HttpRequest& request) {
    return engine::HttpResponse{.status = 201, .body = request.body};
  }};
};

template <typename Server>
absl::StatusOr<std::unique_ptr<KalshiServer>> StartServer(const std::string& venue_file) {
  ASSIGN_OR_RETURN(tools::VenueConfig config, tools::ParseVenueFile(venue_file, "venue.json"));
  auto server = std::make_unique<Server>(std::move(config));
  RETURN_IF_ERROR(server->Start());
  return server;
}

}  // namespace

absl::Status KalshiServer::Serve(const tools::VenueConfig& config, engine::SessionGateway& gateway,
                                 std::function<absl::Status()> release,
                                 const std::optional<tools::ServerIdentity>& identity) {
  loop_ = std::make_unique<GatewayLoop>(config, gateway, stopwatch_, std::move(release), identity);
  thread_.emplace(
      "serving", [this] { status_ = loop_->Run(); }, [this] { loop_->Stop(); });
  return thread_->status();
}

absl::Status KalshiServer::Stop() {
  thread_.reset();
  return status_;
}

absl::StatusOr<std::unique_ptr<KalshiServer>> StartTradingServer(const std::string& venue_file) {
  return StartServer<TradingServer>(venue_file);
}

absl::StatusOr<std::unique_ptr<KalshiServer>> StartVerifyingServer(const std::string& venue_file) {
  return StartServer<VerifyingServer>(venue_file);
}

absl::StatusOr<std::unique_ptr<KalshiServer>> StartEchoingServer(
    const std::string& venue_file, std::optional<tools::ServerIdentity> identity) {
  ASSIGN_OR_RETURN(tools::VenueConfig config, tools::ParseVenueFile(venue_file, "venue.json"));
  auto server = std::make_unique<EchoingServer>(std::move(config), std::move(identity));
  RETURN_IF_ERROR(server->Start());
  return server;
}

}  // namespace bench
