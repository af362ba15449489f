// Hostile requests of Kalshi's API, over whole sessions on an in-memory network.

#include "tools/serve/testing/kalshi_hostile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {
namespace {

constexpr absl::string_view kRoot = "/trade-api/v2";
constexpr absl::string_view kOrders = "/trade-api/v2/portfolio/events/orders";
constexpr absl::string_view kBalance = "/trade-api/v2/portfolio/balance";
constexpr absl::string_view kMarket = "/trade-api/v2/markets/KXRAIN-26-NYC";
constexpr absl::string_view kUnsignedEnd = " HTTP/1.1\r\nHost: v\r\n\r\n";

// The answers in some bytes, one after the other.
std::vector<KalshiAnswer> AnswersIn(absl::string_view bytes) {
  std::vector<KalshiAnswer> answers;
  while (!bytes.empty()) {
    KalshiAnswer answer;
    const size_t head = bytes.find("\r\n\r\n");
    const size_t length = bytes.find("Content-Length: ") + 16;
    size_t size = 0;
    if (head == absl::string_view::npos || length > head ||
        !engine::ParseInteger(bytes.substr(9, 3), answer.status) ||
        !engine::ParseInteger(bytes.substr(length, bytes.find('\r', length) - length), size)) {
      ADD_FAILURE() << "no answer: " << bytes;
      break;
    }
    answer.body = std::string(bytes.substr(head + 4, size));
    bytes.remove_prefix(head + 4 + size);
    answers.push_back(std::move(answer));
  }
  return answers;
}

class KalshiHostileTest : public KalshiHostile {
 protected:
  KalshiHeard Create(absl::string_view body) {
    return Talk(Request(kTwoKey, "POST", kOrders, body));
  }
};

// ---- HTTP.

TEST_F(KalshiHostileTest, MalformedRequestsAreRefusedAndEnded) {
  const std::string get = absl::StrCat("GET ", kMarket, " HTTP/1.1\r\nHost: v\r\n");
  std::string many;
  for (int i = 0; i < 101; ++i) absl::StrAppend(&many, "A: b\r\n");
  for (const std::string& bytes : {
           std::string("\x16\x03\x01\x02\x00\x01\x00", 7),
           std::string("GET\r\n\r\n"),
           std::string("get / HTTP/1.1\r\nHost: v\r\n\r\n"),
           std::string("GET http://v/ HTTP/1.1\r\nHost: v\r\n\r\n"),
           std::string("CONNECT v:443 HTTP/1.1\r\nHost: v\r\n\r\n"),
           std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
           std::string("GET / HTTP/1.1\nHost: v\n\n"),
           std::string("GET / HTTP/1.1\r\n\r\n"),
           absl::StrCat(get, "Host: w\r\n\r\n"),
           absl::StrCat(get, "A: b\r\n c\r\n\r\n"),
           absl::StrCat(get, "A: b", absl::string_view("\0", 1), "\r\n\r\n"),
           absl::StrCat(get, "A : b\r\n\r\n"),
           absl::StrCat(get, "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
           absl::StrCat(get, "Content-Length: -1\r\n\r\n"),
           absl::StrCat(get, "Content-Length: 1048577\r\n\r\n"),
           absl::StrCat(get, "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"),
           absl::StrCat(get, "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc"),
           absl::StrCat(get, "Expect: the-worst\r\n\r\n"),
           absl::StrCat(get, many, "\r\n"),
           absl::StrCat(get, "A: ", std::string(17'000, 'b'), "\r\n\r\n"),
           absl::StrCat("GET /", std::string(9'000, 'a'), kUnsignedEnd),
       }) {
    SCOPED_TRACE(absl::CHexEscape(absl::string_view(bytes).substr(0, 200)));
    const KalshiHeard heard = Talk(bytes);
    EXPECT_GE(heard.status(), 400) << heard.bytes;
    EXPECT_TRUE(heard.has_ended);
    EXPECT_TRUE(absl::StrContains(heard.bytes, "Connection: close")) << heard.bytes;
    ExpectTrades();
  }
}

// Each byte of an order in turn is another: it is refused, or it is another sound order.
TEST_F(KalshiHostileTest, ChangedRequestsAreAnsweredOrAwaitMore) {
  AllowRefusedCommands();
  engine::Prng prng(1);
  for (int i = 0; i < 300; ++i) {
    std::string request =
        Request(kTwoKey, "POST", kOrders, Order("bid", "1", "0.02", absl::StrCat("changed-", i)));
    const int changes = 1 + static_cast<int>(prng.Below(3));
    for (int change = 0; change < changes; ++change) {
      request[prng.Below(request.size())] = static_cast<char>(prng.Below(256));
    }
    Talk(request);
    if (i % 10 == 0) ExpectTrades();
  }
}

TEST_F(KalshiHostileTest, NoiseIsNoRequest) {
  engine::Prng prng(2);
  for (int i = 0; i < 300; ++i) {
    std::string noise;
    for (uint64_t size = 1 + prng.Below(2'000); size > 0; --size) {
      noise.push_back(static_cast<char>(prng.Below(256)));
    }
    Talk(noise);
    if (i % 10 == 0) ExpectTrades();
  }
}

// ---- Bodies.

TEST_F(KalshiHostileTest, EachMemberOfAnOrderHasItsType) {
  using Values = std::vector<absl::string_view>;
  const Values no_text = {"5", "-1", "1.5", "1e400", "true", "[]", "{}", R"(["x"])"};
  const Values no_integer = {R"("5")", "1.5", "true", "[]", "{}", "1e400", "99999999999999999999"};
  const Values no_flag = {R"("true")", "1", "0", "[]", "{}"};
  const std::vector<std::pair<absl::string_view, Values>> members = {
      {"ticker", no_text},
      {"side", no_text},
      {"count", no_text},
      {"price", no_text},
      {"time_in_force", no_text},
      {"self_trade_prevention_type", no_text},
      {"client_order_id", no_text},
      {"order_group_id", no_text},
      {"expiration_time", no_integer},
      {"subaccount", no_integer},
      {"exchange_index", no_integer},
      {"post_only", no_flag},
      {"reduce_only", no_flag},
      {"cancel_order_on_pause", no_flag},
  };
  for (const auto& [member, values] : members) {
    for (const absl::string_view value : values) {
      // The last of two members with one name counts.
      const KalshiHeard heard =
          Create(Order("bid", "1", "0.02", "typed", absl::StrCat(",\"", member, "\":", value)));
      EXPECT_EQ(heard.status(), 400) << member << " " << value << ": " << heard.bytes;
      EXPECT_TRUE(absl::StrContains(heard.bytes, R"("code":"bad_request")"))
          << member << " " << value << ": " << heard.bytes;
    }
    ExpectTrades();
  }
}

TEST_F(KalshiHostileTest, ValuesWithoutSenseAreRefused) {
  AllowRefusedCommands();
  const std::vector<std::pair<absl::string_view, std::vector<std::string>>> members = {
      {"count",
       {"-1", "1e5", "0", "0.001", "9999999999999999999", " 1", "1 ", "+1", "0x1", "1,5", "\\u0000",
        "\xEF\xBC\x91", "NaN", "."}},
      {"price", {"1.01", "-0.1", "0.00001", "NaN", "1e-2", "0", "0.0150", "0x1", "", " "}},
      {"side", {"buy", "BID", "yes", "", "\\u0000"}},
      {"ticker", {"", "NOTHING", "kxrain-26-nyc", "KXRAIN-26-NYC\\u0000", "../KXRAIN-26-NYC"}},
      {"time_in_force", {"gtc", "", "GOOD_TILL_CANCELED"}},
      {"self_trade_prevention_type", {"", "none"}},
      {"client_order_id", {std::string(129, 'x'), std::string(100'000, 'x')}},
      {"order_group_id", {"x", "11111111-1111-4111-8111-111111111111"}},
  };
  for (const auto& [member, values] : members) {
    for (const std::string& value : values) {
      const KalshiHeard heard = Create(
          Order("bid", "1", "0.02", "valued", absl::StrCat(",\"", member, "\":\"", value, "\"")));
      EXPECT_GE(heard.status(), 400) << member << " " << value << ": " << heard.bytes;
      EXPECT_LT(heard.status(), 500) << member << " " << value << ": " << heard.bytes;
    }
    ExpectTrades();
  }
  for (const absl::string_view more :
       {R"("expiration_time":-1)", R"("expiration_time":1)", R"("subaccount":64)",
        R"("expiration_time":9223372036854775807)", R"("subaccount":-1)", R"("exchange_index":1)",
        R"("reduce_only":true)"}) {
    const KalshiHeard heard = Create(Order("bid", "1", "0.02", "more", absl::StrCat(",", more)));
    EXPECT_EQ(heard.status(), 400) << more << ": " << heard.bytes;
  }
}

TEST_F(KalshiHostileTest, BodiesThatAreNoJsonAreRefused) {
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("null"), std::string("[]"), std::string("1"),
        std::string(1 << 20, '['), std::string(1 << 20, ' '),
        absl::StrCat(R"({"ticker":)", std::string(40, '['), std::string(40, ']'), "}"),
        absl::StrCat("{\"ticker\":\"", std::string(1'000'000, 'x'), "\"}"),
        std::string(R"({"ticker":"\ud800"})"), std::string(R"({"ticker":"\x"})"),
        std::string("{\"ticker\":\"\xFF\"}"), std::string("{\"ticker\":\"\xC0\x80\"}"),
        std::string("{\"ticker\":\"\xED\xA0\x80\"}"), std::string("\xEF\xBB\xBF{}"),
        absl::StrCat(Order("bid", "1", "0.02", "two"), Order("bid", "1", "0.02", "three"))}) {
    for (const absl::string_view target : {"", "/batched", "/x/amend", "/x/decrease"}) {
      const KalshiHeard heard = Talk(Request(kTwoKey, "POST", absl::StrCat(kOrders, target), body));
      EXPECT_TRUE(heard.status() == 400 || heard.status() == 404) << heard.bytes;
      EXPECT_FALSE(absl::StrContains(heard.bytes, "\xFF"));
    }
    ExpectTrades();
  }
}

// Without a key nothing is kept but a head and a short body.
TEST_F(KalshiHostileTest, ALongBodyIsTakenOnlyOfWhoSigns) {
  const auto head_of = [](const std::string& request) {
    return request.substr(0, request.find("\r\n\r\n") + 4);
  };
  const std::string body(20'000, ' ');
  const std::string unsigned_head = head_of(Request("", "POST", kOrders, body));
  for (const auto& [head, status] : std::vector<std::pair<std::string, int>>{
           {unsigned_head, 401},
           {head_of(Request("", "GET", kMarket, body)), 413},
           {head_of(Request(kTwoKey, "GET", "/nowhere", body)), 404}}) {
    for (const std::string& request : {head, head + body}) {
      const KalshiHeard heard = Talk(request);
      EXPECT_EQ(heard.status(), status) << head;
      EXPECT_EQ(AnswersIn(heard.bytes).size(), 1u);
      EXPECT_TRUE(heard.has_ended);
    }
  }
  EXPECT_EQ(Talk(head_of(Request(kTwoKey, "POST", kOrders, body))).bytes, "") << "it is awaited";
  EXPECT_EQ(Talk(head_of(Request("", "POST", kOrders, body.substr(0, 16'384)))).bytes, "");
}

TEST_F(KalshiHostileTest, ASlowBodyDelaysNoOther) {
  const std::string body = Order("bid", "1", "0.02", "slow");
  const std::string request = Request(kTwoKey, "POST", kOrders, body + std::string(500, ' '));
  const std::unique_ptr<MemoryPeer> peer = Connect();
  std::string received;
  for (size_t i = 0; i + 1 < request.size(); ++i) {
    ASSERT_EQ(peer->Send(engine::AsBytes(request).subspan(i, 1)), 1u);
    venue_->Turn();
    ASSERT_EQ(peer->Receive(), "");
    if (i % 100 == 0) ExpectTrades();
  }
  EXPECT_EQ(Talk(*peer, " ").status(), 201);
}

TEST_F(KalshiHostileTest, PipelinedRequestsAreAnsweredInOrder) {
  const std::string order = Order("bid", "1", "0.02", "piped");
  std::string all;
  for (const std::string& request :
       {Request("", "GET", kMarket), Request(kTwoKey, "POST", kOrders, order),
        Request("", "GET", "/nowhere"), Request(kTwoKey, "GET", "/trade-api/v2/portfolio/orders"),
        Request(kTwoKey, "POST", kOrders, "{"), Request("", "GET", kBalance),
        Request(kTwoKey, "GET", kBalance), Request(kTwoKey, "POST", kOrders, order),
        Request(kTwoKey, "POST", "/trade-api/v2/portfolio/orders", "{}"),
        Request("", "GET", "/trade-api/v2/exchange/status")}) {
    all += request;
  }
  AllowRefusedCommands();
  const KalshiHeard heard = Talk(all);
  std::vector<int> statuses;
  for (const KalshiAnswer& answer : AnswersIn(heard.bytes)) statuses.push_back(answer.status);
  EXPECT_EQ(statuses, (std::vector<int>{200, 201, 404, 200, 400, 401, 200, 409, 410, 200}));
  EXPECT_FALSE(heard.has_ended);
}

// ---- Paths.

TEST_F(KalshiHostileTest, NoPathLeadsAroundTheKey) {
  for (const absl::string_view path : {"//trade-api/v2/portfolio/balance",
                                       "/trade-api//v2/portfolio/balance",
                                       "/trade-api/v2//portfolio/balance",
                                       "/trade-api/v2/markets/../portfolio/balance",
                                       "/trade-api/v2/./portfolio/balance",
                                       "/trade-api/v2/%2e%2e/v2/portfolio/balance",
                                       "/trade-api/v2/portfolio%2Fbalance",
                                       "/trade-api/v2/portfolio/balance/",
                                       "/trade-api/v2/portfolio/balance;x=1",
                                       "/trade-api/v2/portfolio/balance%00",
                                       "/trade-api/v2/portfolio/balance%3Fx",
                                       "/trade-api/v2/PORTFOLIO/balance",
                                       "/TRADE-API/v2/portfolio/balance",
                                       "/trade-api/v2/portfolio/%62alance",
                                       "/trade-api/ws/../v2/portfolio/balance",
                                       "/trade-api/v2\\portfolio\\balance",
                                       "/trade-api/v2/markets/%2e%2e%2fportfolio%2fbalance",
                                       "/trade-api/v2/portfolio/balance?x",
                                       "/trade-api/v2/portfolio/balance?/trade-api/v2/markets",
                                       "/../trade-api/v2/portfolio/fills",
                                       "/trade-api/v2/portfolio/balance??",
                                       "/trade-api/v2/markets?/../../portfolio/balance"}) {
    SCOPED_TRACE(path);
    const KalshiHeard heard = Talk(Request("", "GET", path));
    EXPECT_FALSE(absl::StrContains(heard.bytes, "balance_dollars")) << heard.bytes;
    const bool is_refused = heard.status() >= 400 && heard.status() < 500;
    EXPECT_TRUE(is_refused || absl::StartsWith(path, "/trade-api/v2/markets?")) << heard.bytes;
    const std::string orders = absl::StrCat(path, "/../events/orders");
    EXPECT_GE(Talk(Request("", "POST", orders, Order("bid", "1", "0.02", "x"))).status(), 400);
    ExpectTrades();
  }
}

TEST_F(KalshiHostileTest, LongAndBrokenQueriesAreAnswered) {
  std::string many = "?limit=1";
  for (int i = 0; i < 1'900; ++i) absl::StrAppend(&many, "&a=b");
  const std::string commas(7'000, ',');
  for (const std::string& query :
       {many, absl::StrCat("?tickers=", commas), std::string("?limit=%ff"), std::string("?%zz=%"),
        std::string("?cursor=%00%ff"), std::string("?limit=99999999999999999999"),
        std::string("?status=%ff"), std::string("?=&=&&;;=?"), std::string("?limit=-1"),
        std::string("?min_close_ts=9223372036854775807&max_close_ts=9223372036854775807")}) {
    for (const absl::string_view list :
         {"/markets", "/events", "/markets/trades", "/markets/orderbooks", "/portfolio/fills",
          "/portfolio/orders", "/portfolio/positions", "/portfolio/settlements"}) {
      const KalshiHeard heard = Talk(Request(kTwoKey, "GET", absl::StrCat(kRoot, list, query)));
      EXPECT_TRUE(heard.status() == 200 || heard.status() == 400) << list << query << heard.bytes;
      EXPECT_FALSE(absl::StrContains(heard.bytes, "\xFF")) << list << query;
    }
  }
  EXPECT_EQ(
      Talk(absl::StrCat("GET ", kMarket, "?", std::string(9'000, 'a'), kUnsignedEnd)).status(),
      414);
}

TEST_F(KalshiHostileTest, BytesThatAreNoUtf8AreRefused) {
  EXPECT_EQ(Talk("GET /trade-api/v2/markets/\xFF HTTP/1.1\r\nHost: v\r\n\r\n").status(), 400);
  EXPECT_EQ(Talk(Request("", "GET", "/trade-api/v2/markets/%FF")).status(), 404);
  EXPECT_EQ(Talk(Request(kTwoKey, "GET", "/trade-api/v2/portfolio/orders/%FF")).status(), 400);
  EXPECT_EQ(
      Talk(absl::StrCat("GET ", kMarket, " HTTP/1.1\r\nHost: v\r\nX\xFF: a\r\n\r\n")).status(),
      400);
  const std::string headers = Headers(one_, "\xFF\xFE", "1795000000000", "x");
  EXPECT_EQ(
      Talk(absl::StrCat("GET ", kBalance, " HTTP/1.1\r\nHost: v\r\n", headers, "\r\n")).status(),
      401);
}

// ---- Keys.

// `good` with changes after which it does not show that the key's holder has sent it.
std::vector<std::string> SpoiltHeaders(const std::string& good) {
  const auto changed = [&](absl::string_view to) {
    return absl::StrReplaceAll(good, {{"KALSHI-ACCESS-SIGNATURE: ", to}});
  };
  return {
      changed("KALSHI-ACCESS-SIGNATURE: A"),
      changed(absl::StrCat("X: ", std::string(9'000, 'A'), "\r\nY: ")),
      changed("KALSHI-ACCESS-SIGNATURE: !\r\nZ: "),
      absl::StrCat("KALSHI-ACCESS-SIGNATURE: AAAA\r\n", good),
      absl::StrCat("KALSHI-ACCESS-KEY: ", kTwoKey, "\r\n", good),
      std::string(),
  };
}

TEST_F(KalshiHostileTest, OnlyItsOwnKeySignsForAnAccount) {
  const std::string now = absl::StrCat(kNowMs);
  const std::string right = absl::StrCat(now, "GET", kBalance);
  const std::string good = Headers(one_, kOneKey, now, right);
  std::vector<std::string> refused = SpoiltHeaders(good);
  const PrivateKey third = PrivateKey::Generate(KeyKind::kEd25519).value();
  refused.push_back(Headers(third, kOneKey, now, right));
  refused.push_back(Headers(two_, kOneKey, now, right));
  refused.push_back(Headers(one_, kTwoKey, now, right));
  refused.push_back(Headers(third, "33333333-3333-4333-8333-333333333333", now, right));
  refused.push_back(Headers(one_, absl::StrCat(kOneKey, "x"), now, right));
  for (const std::string& time :
       {absl::StrCat(kNowMs - 21'000), absl::StrCat(kNowMs + 21'000), absl::StrCat(kNowMs / 1'000),
        "+" + now, "-" + now, std::string("99999999999999999999"), std::string()}) {
    refused.push_back(Headers(one_, kOneKey, time, absl::StrCat(time, "GET", kBalance)));
  }
  for (const std::string& text :
       {absl::StrCat(now, "POST", kBalance), right + "?a=b", now + "GET/portfolio/balance",
        absl::StrCat(kNowMs + 1, "GET", kBalance)}) {
    refused.push_back(Headers(one_, kOneKey, now, text));
  }
  const auto ask = [&](const std::string& headers) {
    return Talk(absl::StrCat("GET ", kBalance, "?a=b HTTP/1.1\r\nHost: v\r\n", headers, "\r\n"));
  };
  EXPECT_EQ(ask(good).status(), 200);
  for (const std::string& headers : refused) {
    EXPECT_EQ(ask(headers).status(), 401) << headers;
    EXPECT_EQ(Talk(UpgradeWith(headers)).status(), 401) << headers;
    const std::string order = Order("bid", "1", "0.02", "forged");
    EXPECT_EQ(Talk(absl::StrCat("POST ", kOrders, " HTTP/1.1\r\nHost: v\r\n", headers,
                                "Content-Length: ", order.size(), "\r\n\r\n", order))
                  .status(),
              401);
    ExpectTrades();
  }
}

}  // namespace
}  // namespace tools
