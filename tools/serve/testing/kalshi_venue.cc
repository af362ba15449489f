#include "tools/serve/testing/kalshi_venue.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"

namespace tools {

using engine::AccountId;
using engine::MarketId;

namespace {

// Once in a program: an RSA key takes longer than a test.
template <KeyKind kind>
const PrivateKey& Key() {
  static const auto* const key = new PrivateKey(PrivateKey::Generate(kind).value());
  return *key;
}

}  // namespace

KalshiVenue::KalshiVenue() : one_(Key<KeyKind::kEd25519>()), two_(Key<KeyKind::kRsa>()) {
  clock_.Set(engine::Timestamp::FromNanos(kNowMs * 1'000'000));
  config_.text.listen = "";
  config_.accounts = {{.id = AccountId(1), .money = engine::Money::Parse("100").value()},
                      {.id = AccountId(2), .money = engine::Money::Parse("100").value()}};
  config_.markets = {{.definition = {.id = MarketId(7),
                                     .symbol = "KXRAIN-26-NYC",
                                     .price_decimals = 4,
                                     .quantity_decimals = 2,
                                     .tick = engine::Price::FromUnits(100),
                                     .price_min = engine::Price::FromUnits(100),
                                     .price_max = engine::Price::FromUnits(9'900),
                                     .kind = engine::MarketKind::kBinary}}};
  KalshiConfig& kalshi = config_.kalshi;
  kalshi.listen = "127.0.0.1:0";
  kalshi.sends_date = true;
  kalshi.series.emplace_back();
  kalshi.series.back().ticker = "KXRAIN";
  kalshi.series.back().fee_type = "quadratic";
  kalshi.events.emplace_back();
  kalshi.events.back().ticker = "KXRAIN-26";
  kalshi.events.back().series = "KXRAIN";
  kalshi.markets.emplace_back();
  kalshi.markets.back().id = MarketId(7);
  kalshi.markets.back().event = "KXRAIN-26";
  kalshi.markets.back().price_level_structure = "linear_cent";
  kalshi.keys = {{std::string(kOneKey), AccountId(1), one_.PublicPem().value()},
                 {std::string(kTwoKey), AccountId(2), two_.PublicPem().value()}};
}

void KalshiVenue::Start() {
  venue_.reset();
  engine::TalkSink* const talk = talks_.emplace_back(std::make_unique<KeptTalk>(clock_)).get();
  venue_ = std::make_unique<SmallVenue>(
      config_, directory_, clock_, steady_,
      VenueConversation{
          .talk = talk, .options = {.keeps_sent_bytes = true}, .configuration = "its file"});
  ASSERT_TRUE(venue_->started.ok()) << venue_->started;
}

void KalshiVenue::TearDown() {
  venue_.reset();
  config_.admin.token.clear();
  for (const std::unique_ptr<KeptTalk>& talk : talks_) {
    const auto report = ReplayTalk(
        talk->rows(), directory_, {},
        [](const replay::ExchangeMachine&, const engine::MarketDefinition*, std::string&) {},
        &config_);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->early_end, "");
    EXPECT_EQ(report->rows, talk->rows().size());
    if (!report->difference.has_value()) continue;
    const TalkDifference& difference = *report->difference;
    ADD_FAILURE() << "row " << difference.row.value() << ", after command "
                  << difference.applied.value() << ", request " << difference.request
                  << "\nexpected " << difference.expected << "\nactual   " << difference.actual;
  }
}

std::unique_ptr<MemoryPeer> KalshiVenue::Connect() {
  return venue_->sockets.Connect(venue_->server.kalshi_address()).value();
}

std::string KalshiVenue::Headers(absl::string_view key, absl::string_view method,
                                 absl::string_view path, int64_t at_ms) const {
  return Headers(key == kOneKey ? one_ : two_, key, absl::StrCat(at_ms),
                 absl::StrCat(at_ms, method, path));
}

std::string KalshiVenue::Headers(const PrivateKey& signer, absl::string_view key_id,
                                 absl::string_view time, absl::string_view text) {
  return absl::StrCat("KALSHI-ACCESS-KEY: ", key_id, "\r\nKALSHI-ACCESS-TIMESTAMP: ", time,
                      "\r\nKALSHI-ACCESS-SIGNATURE: ", signer.SignBase64(text).value(), "\r\n");
}

std::string KalshiVenue::Request(absl::string_view key, absl::string_view method,
                                 absl::string_view target, absl::string_view body) const {
  const absl::string_view path = target.substr(0, target.find('?'));
  return absl::StrCat(method, " ", target, " HTTP/1.1\r\nHost: venue\r\n",
                      key.empty() ? std::string() : Headers(key, method, path, kNowMs),
                      "Content-Type: application/json\r\nContent-Length: ", body.size(), "\r\n\r\n",
                      body);
}

std::string KalshiVenue::Upgrade(absl::string_view key) const {
  return UpgradeWith(Headers(key, "GET", kKalshiSocket, kNowMs));
}

std::string KalshiVenue::UpgradeWith(absl::string_view headers) {
  return absl::StrCat("GET ", kKalshiSocket,
                      " HTTP/1.1\r\nHost: venue\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      "Sec-WebSocket-Version: 13\r\n",
                      headers, "\r\n");
}

KalshiAnswer KalshiVenue::Send(MemoryPeer& peer, absl::string_view request) {
  std::string received;
  size_t sent = 0;
  for (int turn = 0; turn < 10'000; ++turn) {
    sent += peer.Send(engine::AsBytes(request).subspan(sent));
    venue_->Turn();
    received += peer.Receive();
    const size_t head = received.find("\r\n\r\n");
    if (head == std::string::npos) continue;
    KalshiAnswer answer;
    if (!engine::ParseInteger(received.substr(9, 3), answer.status)) break;
    size_t size = 0;
    const size_t length = received.find("Content-Length: ");
    if (length < head) size = std::strtoul(&received[length + 16], nullptr, 10);
    if (received.size() < head + 4 + size) continue;
    answer.body = received.substr(head + 4);
    return answer;
  }
  ADD_FAILURE() << "no answer to " << request.substr(0, 1'000) << " in " << received;
  return {};
}

KalshiAnswer KalshiVenue::Ask(absl::string_view key, absl::string_view method,
                              absl::string_view target, absl::string_view body) {
  const std::unique_ptr<MemoryPeer> peer = Connect();
  return Send(*peer, Request(key, method, absl::StrCat("/trade-api/v2", target), body));
}

std::string KalshiVenue::Order(absl::string_view side, absl::string_view count,
                               absl::string_view price, absl::string_view client_order_id,
                               absl::string_view more) {
  return absl::StrCat(R"({"ticker":"KXRAIN-26-NYC","side":")", side, R"(","count":")", count,
                      R"(","price":")", price, R"(","client_order_id":")", client_order_id,
                      R"(","time_in_force":"good_till_canceled",)",
                      R"("self_trade_prevention_type":"taker_at_cross")", more, "}");
}

std::string KalshiVenue::IdIn(const KalshiAnswer& answer) {
  const size_t at = answer.body.find(R"("order_id":")");
  EXPECT_NE(at, std::string::npos) << answer.body;
  return at == std::string::npos ? std::string() : answer.body.substr(at + 12, 36);
}

}  // namespace tools
