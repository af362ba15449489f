#include "bench/tick_to_trade_run.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "bench/kalshi_scene.h"
#include "bench/kalshi_servers.h"
#include "bench/venue_run.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "journal/journal_metadata.h"
#include "tools/cli/base/machine_journal.h"
#include "tools/cli/base/strategy_application.h"
#include "tools/cli/serve/tls_identity.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/cli/trade/live_run.h"
#include "tools/client/call.h"
#include "tools/client/client.h"
#include "tools/client/order_calls.h"
#include "tools/client/signatures/signatures.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/network/testing/arrival_stamps.h"
#include "tools/os/output_folder.h"
#include "tools/os/web/web_address.h"
#include "tools/os/web/web_client.h"
#include "tools/os/web/web_reply.h"
#include "tools/os/web/web_request.h"
#include "tools/strategy/action.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/strategy_machine.h"

namespace bench {
namespace {

using engine::MarketId;
using engine::Side;

constexpr int64_t kMilli = 1'000'000;
constexpr int64_t kPatienceNanos = 10'000 * kMilli;
// No one waits longer for one thing to happen than this before it looks again at all of them.
constexpr int64_t kTurnNanos = 100 * kMilli;
// The venue's tier allows 800 orders a second.
constexpr int64_t kTickNanos = 2 * kMilli;
constexpr engine::Price kPrice = engine::Price::FromUnits(5'000);
constexpr engine::Quantity kQuantity = engine::Quantity::FromUnits(100);
constexpr size_t kTraderAccount = 0;
constexpr size_t kMoverAccount = 1;

// By the clock of the stamps.
int64_t NowNanos() { return tools::SystemClock().Now().nanos(); }

// Takes each ask.
class TakeTheAsk final : public strategy::Strategy {
  void OnBook(MarketId market) override {
    const strategy::Book::Level* const ask = book(market).best(Side::kAsk);
    if (ask == nullptr || has_order(market)) return;
    Send({.market = market, .side = Side::kBid, .price = ask->price, .quantity = ask->quantity});
  }
};

// What `now` has counted and `before` had not; its maximum is that of `now`.
LatencyHistogram Since(const LatencyHistogram& before, const LatencyHistogram& now) {
  std::vector<uint64_t> counts(now.slots().begin(), now.slots().end());
  for (size_t i = 0; i < counts.size(); ++i) counts[i] -= before.slots()[i];
  return LatencyHistogram(counts, now.max());
}

strategy::Action Order(Side side, engine::TimeInForce tif) {
  return {.price = kPrice,
          .quantity = kQuantity,
          .side = side,
          .tif = tif,
          .kind = strategy::ActionKind::kNewOrder};
}

// Sends orders to a server, one at a time.
class Orderer final : private tools::WebHandler {
 public:
  // `signatures` outlives it.
  static absl::StatusOr<std::unique_ptr<Orderer>> Make(const tools::WebTerms& terms, size_t account,
                                                       client::Signatures& signatures) {
    std::unique_ptr<Orderer> orderer(new Orderer(account, signatures));
    ASSIGN_OR_RETURN(orderer->web_, tools::WebClient::Make(terms, *orderer));
    return orderer;
  }

  // REQUIRES: the order before is answered.
  void Send(absl::string_view body) {
    is_answered_ = false;
    const client::SignedTime time = signatures_.Sign("POST", client::kOrdersPath);
    const std::string millis = absl::StrCat(time.millis);
    const std::array headers = {tools::WebHeader{"KALSHI-ACCESS-KEY", key_id_},
                                tools::WebHeader{"KALSHI-ACCESS-TIMESTAMP", millis},
                                tools::WebHeader{"KALSHI-ACCESS-SIGNATURE", time.signature},
                                tools::WebHeader{"Content-Type", "application/json"}};
    web_->Send(++last_id_,
               {.method = "POST", .target = client::kOrdersPath, .headers = headers, .body = body});
  }

  // Errors: why the order has no good reply.
  absl::StatusOr<bool> IsAnswered(int64_t wait_nanos) {
    if (!is_answered_) web_->RunFor(wait_nanos);
    RETURN_IF_ERROR(status_);
    return is_answered_;
  }

 private:
  Orderer(size_t account, client::Signatures& signatures)
      : key_id_(KalshiScene::KeyId(account)), signatures_(signatures) {}

  void OnReply(uint64_t, const tools::WebReply& reply) override {
    is_answered_ = true;
    if (reply.status != 201) {
      status_ = absl::AbortedError(absl::StrCat("an order: ", reply.status, " ", reply.body));
    }
  }
  void OnRequestFailed(uint64_t, const absl::Status& why, bool) override { status_ = why; }
  void OnFeedOpen() override {}
  void OnFrame(absl::string_view) override {}
  void OnFeedClosed(const absl::Status&) override {}

  const std::string key_id_;
  client::Signatures& signatures_;
  std::unique_ptr<tools::WebClient> web_;
  uint64_t last_id_ = 0;
  bool is_answered_ = true;
  absl::Status status_;
};

// All that is measured, on one thread, except for the servers.
class TickToTrade {
 public:
  explicit TickToTrade(const TickToTradeOptions& options)
      : options_(options), turn_nanos_(options.spins ? 0 : kTurnNanos) {}

  absl::Status Start() {
    ASSIGN_OR_RETURN(
        scene_,
        KalshiScene::Make({.key = options_.key, .accounts = 2, .markets = 1, .subscribed = 1}));
    ASSIGN_OR_RETURN(venue_, VenueUnderTest::Start({.ticktape = options_.ticktape,
                                                    .ack = "none",
                                                    .is_tls = options_.is_tls,
                                                    .venue_file = scene_->venue_file()}));
    RETURN_IF_ERROR(StartEcho());
    ASSIGN_OR_RETURN(signatures_, client::Signatures::Make(scene_->key(), clock_, {}));
    // What was started before keeps the cores and the policy of the system.
    result_.conditions = tools::TakeConditions(options_.conditions);
    ASSIGN_OR_RETURN(const tools::WebTerms direct, TermsOf(venue_->kalshi_address()));
    ASSIGN_OR_RETURN(mover_, Orderer::Make(direct, kMoverAccount, *signatures_));
    ASSIGN_OR_RETURN(const tools::WebTerms echo, Through(echo_server_->address(), echo_proxy_));
    ASSIGN_OR_RETURN(echo_, Orderer::Make(echo, kTraderAccount, *signatures_));
    return StartTrader();
  }

  absl::StatusOr<TickToTradeResult> Measure() {
    const std::string body = BodyOf(Side::kBid, engine::TimeInForce::kImmediateOrCancel);
    result_.request_bytes = body.size();
    const size_t warm_up = std::max<size_t>(options_.ticks / 10, 20);
    for (size_t i = 0; i < warm_up + options_.ticks; ++i) {
      if (i == warm_up) warm_up_round_trips_ = trader_->round_trips();
      const int64_t begin = NowNanos();
      RETURN_IF_ERROR(Tick(i >= warm_up));
      RETURN_IF_ERROR(Echo(body, i >= warm_up));
      RETURN_IF_ERROR(RestUntil(begin + kTickNanos));
    }
    if (options_.conditions.huge_pages) {
      result_.conditions.back() = tools::HugePagesReport(/*asked=*/true);
    }
    result_.order_round_trip = Since(warm_up_round_trips_, trader_->round_trips());
    return std::move(result_);
  }

 private:
  absl::Status StartEcho() {
    std::optional<tools::ServerIdentity> identity;
    if (options_.is_tls) {
      ASSIGN_OR_RETURN(const tools::VenueConfig config,
                       tools::ParseVenueFile(scene_->venue_file(), "venue.json"));
      ASSIGN_OR_RETURN(tools::TlsIdentity taken,
                       tools::TakeTlsIdentity(config.kalshi, venue_->folder(), clock_.Now()));
      authority_file_ = taken.certificate_file;
      identity = std::move(taken.identity);
    }
    ASSIGN_OR_RETURN(echo_server_, StartEchoingServer(scene_->venue_file(), std::move(identity)));
    return absl::OkStatus();
  }

  absl::StatusOr<tools::WebTerms> TermsOf(absl::string_view address) const {
    tools::WebTerms terms;
    ASSIGN_OR_RETURN(terms.rest, tools::ParseWebAddress(absl::StrCat(
                                     options_.is_tls ? "https://" : "http://", address)));
    terms.feed = terms.rest;
    terms.feed.path = "/trade-api/ws/v2";
    terms.authority_file = authority_file_;
    return terms;
  }

  // The terms of a server at `address`, over the link if there is one.
  absl::StatusOr<tools::WebTerms> Through(const std::string& address,
                                          std::unique_ptr<tools::DelayingProxy>& proxy) const {
    if (!options_.link.has_value()) return TermsOf(address);
    ASSIGN_OR_RETURN(proxy, tools::DelayingProxy::Start(address, *options_.link, options_.seed));
    return TermsOf(proxy->address());
  }

  absl::Status StartTrader() {
    ASSIGN_OR_RETURN(temporary_, tools::TemporaryDirectory::Make());
    machine_.emplace("take_the_ask", std::make_unique<TakeTheAsk>());
    ASSIGN_OR_RETURN(journal_, tools::MachineJournal::Create(
                                   temporary_->path() + "/run.tape",
                                   tools::StrategyMetadata("take_the_ask", "tick_to_trade_bench"),
                                   "tick_to_trade_bench", *machine_));
    tools::LiveTerms terms;
    terms.client = {.run = "bench", .tickers = {KalshiScene::Ticker(0)}};
    ASSIGN_OR_RETURN(terms.web, Through(venue_->kalshi_address(), trader_proxy_));
    terms.key_id = KalshiScene::KeyId(kTraderAccount);
    trader_.emplace(std::move(terms), *machine_, *journal_, *signatures_, clock_,
                    [this](absl::string_view line) { last_note_ = std::string(line); });
    RETURN_IF_ERROR(trader_->Begin());
    RETURN_IF_ERROR(Until("the client is live",
                          [this] { return trader_->client().phase() == client::Phase::kLive; }));
    return tools::KeepArrivalStamps(trader_->feed_descriptor());
  }

  // Runs the client until something is so.
  template <typename IsSo>
  absl::Status Until(absl::string_view what, const IsSo& is_so) {
    const int64_t begin = NowNanos();
    while (!is_so()) {
      RETURN_IF_ERROR(trader_->Turn(turn_nanos_));
      if (NowNanos() - begin > kPatienceNanos) {
        return absl::DeadlineExceededError(
            absl::StrCat("not within ", kPatienceNanos / kMilli, " ms: ", what, "; ", last_note_));
      }
    }
    return absl::OkStatus();
  }

  std::string BodyOf(Side side, engine::TimeInForce tif) {
    return client::CreateCall(
               Order(side, tif), KalshiScene::Ticker(0),
               client::ClientOrderId("bench", strategy::OrderNumber(++mover_orders_)))
        .body;
  }

  absl::Status Tick(bool is_counted) {
    const uint64_t orders = trader_->round_trips().count();
    mover_->Send(BodyOf(Side::kAsk, engine::TimeInForce::kGoodTillCancelled));
    // The arrival that counts is the last one before the order: messages about the order before may
    // come late.
    const uint64_t calls = trader_->client().counts().calls;
    int64_t arrival = 0;
    while (trader_->client().counts().calls == calls) {
      ASSIGN_OR_RETURN(arrival, Arrival());
      RETURN_IF_ERROR(trader_->Turn(0));
    }
    RETURN_IF_ERROR(
        Until("the reply to an order", [&] { return trader_->round_trips().count() > orders; }));
    const int64_t end = NowNanos();
    if (is_counted && arrival == 0) return absl::InternalError("the kernel stamps no arrivals");
    if (is_counted) result_.tick_to_trade.Record(static_cast<uint64_t>(end - arrival));
    return Settle();
  }

  // When the next frame of the feed arrives. The mover's connection is served meanwhile only until
  // its request is written, which Send() does if it is connected.
  absl::StatusOr<int64_t> Arrival() {
    const int64_t begin = NowNanos();
    const int64_t wait = options_.spins ? 0 : kMilli;
    while (NowNanos() - begin < kPatienceNanos) {
      const std::optional<int64_t> stamp =
          tools::AwaitArrival(trader_->feed_descriptor(), is_connected_ ? wait : 0);
      if (stamp.has_value()) return *stamp;
      if (!is_connected_) {
        ASSIGN_OR_RETURN(is_connected_, mover_->IsAnswered(0));
      }
    }
    return absl::DeadlineExceededError("no tick");
  }

  // Until all that an order has caused is read.
  absl::Status Settle() {
    RETURN_IF_ERROR(Until("the end of an order", [this] {
      return trader_->client().orders().live_count() == 0 &&
             machine_->desk().Find(MarketId(1))->book.best(Side::kAsk) == nullptr;
    }));
    return UntilAnswered(*mover_);
  }

  absl::Status UntilAnswered(Orderer& orderer) {
    const int64_t begin = NowNanos();
    while (NowNanos() - begin < kPatienceNanos) {
      ASSIGN_OR_RETURN(const bool is_answered, orderer.IsAnswered(turn_nanos_));
      if (is_answered) return absl::OkStatus();
    }
    return absl::DeadlineExceededError("no reply");
  }

  absl::Status Echo(absl::string_view body, bool is_counted) {
    const int64_t begin = NowNanos();
    echo_->Send(body);
    RETURN_IF_ERROR(UntilAnswered(*echo_));
    const int64_t end = NowNanos();
    if (is_counted) result_.echo.Record(static_cast<uint64_t>(end - begin));
    return absl::OkStatus();
  }

  // Frames that follow an order are read meanwhile.
  absl::Status RestUntil(int64_t end) {
    for (int64_t rest = end - NowNanos(); rest > 0; rest = end - NowNanos()) {
      RETURN_IF_ERROR(trader_->Turn(options_.spins ? 0 : rest));
    }
    return absl::OkStatus();
  }

  const TickToTradeOptions options_;
  const int64_t turn_nanos_;
  tools::SystemClock clock_;
  TickToTradeResult result_;
  std::optional<KalshiScene> scene_;
  std::unique_ptr<VenueUnderTest> venue_;
  std::string authority_file_;
  std::unique_ptr<KalshiServer> echo_server_;
  std::unique_ptr<tools::DelayingProxy> trader_proxy_;
  std::unique_ptr<tools::DelayingProxy> echo_proxy_;
  std::unique_ptr<client::Signatures> signatures_;
  std::unique_ptr<Orderer> mover_;
  std::unique_ptr<Orderer> echo_;
  uint64_t mover_orders_ = 0;
  LatencyHistogram warm_up_round_trips_;
  bool is_connected_ = false;  // The mover.
  std::unique_ptr<tools::TemporaryDirectory> temporary_;
  std::optional<strategy::StrategyMachine> machine_;
  std::unique_ptr<tools::MachineJournal> journal_;
  std::string last_note_;
  std::optional<tools::LiveRun> trader_;
};

}  // namespace

absl::StatusOr<TickToTradeResult> MeasureTickToTrade(const TickToTradeOptions& options) {
  TickToTrade run(options);
  RETURN_IF_ERROR(run.Start());
  return run.Measure();
}

}  // namespace bench
