#include "bench/kalshi_scene.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "engine/base/status_macros.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/private_key.h"

namespace bench {
namespace {

constexpr absl::string_view kOrderPath = "/trade-api/v2/portfolio/events/orders";
constexpr absl::string_view kSocketPath = "/trade-api/ws/v2";
// A run takes minutes, and its signatures are made at its beginning.
constexpr int kWindowSeconds = 3'600;

std::string Accounts(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", R"({"id":)", i + 1, R"(,"money":"1000000.00"})");
  }
  return text;
}

std::string Keys(size_t count, const std::string& public_pem) {
  const std::string pem = absl::StrReplaceAll(public_pem, {{"\n", "\\n"}});
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", R"({"id":")", KalshiScene::KeyId(i),
                    R"(","account":)", i + 1, R"(,"public_key":")", pem, R"("})");
  }
  return text;
}

std::string Tiers(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", R"({"account":)", i + 1, R"(,"tier":"prestige"})");
  }
  return text;
}

std::string Markets(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", R"({"definition":{"id":)", i + 1, R"(,"symbol":")",
                    KalshiScene::Ticker(i),
                    R"(","kind":"binary","price_decimals":4,"tick":"0.01",)",
                    R"("price_min":"0.01","price_max":"0.99","quantity_decimals":2}})");
  }
  return text;
}

std::string Listings(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", R"({"market":)", i + 1,
                    R"(,"event":"KXBENCH-26NOV26","title":"Over )", i, R"(?",)",
                    R"("price_level_structure":"linear_cent"})");
  }
  return text;
}

std::string VenueFile(const KalshiSceneOptions& options, const std::string& public_pem) {
  return absl::StrCat(
      R"({"schema":"ticktape.venue/1","accounts":[)", Accounts(options.accounts),
      R"(],"markets":[)", Markets(options.markets),
      R"(],"logins":[],"text":{"listen":"127.0.0.1:0","login_seconds_max":60},)",
      R"("kalshi":{"listen":"127.0.0.1:0","connections_max":)", options.connections_max + 64,
      R"(,"connections_per_user_max":)", options.connections_max + 64,
      R"(,"signature_window_seconds":)", kWindowSeconds,
      R"(,"series":[{"ticker":"KXBENCH","title":"A bench","category":"Benches",)",
      R"("frequency":"daily","fee_type":"quadratic"}],)",
      R"("events":[{"ticker":"KXBENCH-26NOV26","series":"KXBENCH","title":"How fast?"}],)",
      R"("markets":[)", Listings(options.markets), R"(],"keys":[)",
      Keys(options.accounts, public_pem), R"(],"tiers":[)", Tiers(options.accounts), "]}}");
}

// The first bytes of a request, with the three fields of a key.
absl::StatusOr<std::string> SignedHead(const tools::PrivateKey& key, size_t account,
                                       absl::string_view method, absl::string_view path) {
  const int64_t now_ms = tools::SystemClock().Now().nanos() / 1'000'000;
  ASSIGN_OR_RETURN(const std::string signature, key.SignBase64(absl::StrCat(now_ms, method, path)));
  return absl::StrCat(method, " ", path, " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n",
                      "KALSHI-ACCESS-KEY: ", KalshiScene::KeyId(account),
                      "\r\nKALSHI-ACCESS-SIGNATURE: ", signature,
                      "\r\nKALSHI-ACCESS-TIMESTAMP: ", now_ms, "\r\n");
}

// A masked text frame; the mask is zero.
std::string MaskedFrame(absl::string_view text) {
  const auto high = static_cast<char>(text.size() >> 8);
  const auto low = static_cast<char>(text.size() & 0xff);
  return absl::StrCat("\x81\xfe", absl::string_view(&high, 1), absl::string_view(&low, 1),
                      absl::string_view("\0\0\0\0", 4), text);
}

}  // namespace

absl::StatusOr<KalshiScene> KalshiScene::Make(const KalshiSceneOptions& options) {
  ASSIGN_OR_RETURN(tools::PrivateKey made, tools::PrivateKey::Generate(options.key));
  KalshiScene scene(options, std::move(made));
  const tools::PrivateKey& key = scene.key_;
  ASSIGN_OR_RETURN(scene.signed_.public_pem, key.PublicPem());
  scene.signed_.message = absl::StrCat("1703123456789POST", kOrderPath);
  ASSIGN_OR_RETURN(scene.signed_.signature, key.SignBase64(scene.signed_.message));
  scene.venue_file_ = VenueFile(options, scene.signed_.public_pem);
  for (size_t i = 0; i < options.accounts; ++i) {
    ASSIGN_OR_RETURN(const std::string order, SignedHead(key, i, "POST", kOrderPath));
    scene.order_heads_.push_back(
        absl::StrCat(order, "Content-Type: application/json\r\nContent-Length: "));
    ASSIGN_OR_RETURN(const std::string upgrade, SignedHead(key, i, "GET", kSocketPath));
    scene.upgrades_.push_back(absl::StrCat(
        upgrade, "Upgrade: websocket\r\nConnection: Upgrade\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
  }
  return scene;
}

std::string KalshiScene::Ticker(size_t market) { return absl::StrCat("KXBENCH-26NOV26-T", market); }

// Account `number` has the id 1 + number.
std::string KalshiScene::KeyId(size_t number) {
  return absl::StrFormat("00000000-0000-4000-8000-%012d", number + 1);
}

std::string KalshiScene::Order(size_t number) const {
  const absl::string_view side = number % 2 == 0 ? "bid" : "ask";
  const std::string body = absl::StrCat(
      R"({"ticker":")", KalshiScene::Ticker(number / 2 % options_.markets), R"(","side":")", side,
      R"(","count":"1.00","price":"0.5000","client_order_id":"order-)", number,
      R"(","time_in_force":"good_till_canceled","self_trade_prevention_type":"taker_at_cross"})");
  return absl::StrCat(order_heads_[number % options_.accounts], body.size(), "\r\n\r\n", body);
}

std::string KalshiScene::Subscribe(size_t session) const {
  std::string tickers;
  for (size_t i = 0; i < options_.subscribed; ++i) {
    const size_t market = (session * options_.subscribed + i) % options_.markets;
    absl::StrAppend(&tickers, i == 0 ? "" : ",", "\"", KalshiScene::Ticker(market), "\"");
  }
  return MaskedFrame(
      absl::StrCat(R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta"],)",
                   R"("market_tickers":[)", tickers, "]}}"));
}

}  // namespace bench
