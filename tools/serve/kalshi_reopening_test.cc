// A market that is active again after a pause, as clients of Kalshi's API and operators see it.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {
namespace {

class KalshiReopeningTest : public KalshiVenue {
 protected:
  KalshiReopeningTest() {
    config_.admin = {.listen = "127.0.0.1:7002", .token = "5ecret"};
    Start();
  }

  // Returns what the operator is answered.
  std::string Operate(absl::string_view lines, absl::string_view last = "DONE") {
    const auto admin = venue_->sockets.Connect(venue_->server.admin_address()).value();
    return venue_->Say(*admin, absl::StrCat("TOKEN 5ecret\n", lines, "\n"), last);
  }
  std::string Place(absl::string_view key, absl::string_view side, absl::string_view price,
                    absl::string_view client_order_id) {
    const KalshiAnswer answer =
        Ask(key, "POST", "/portfolio/events/orders", Order(side, "1", price, client_order_id));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return IdIn(answer);
  }
  void ExpectStatus(absl::string_view key, absl::string_view order, absl::string_view status) {
    const std::string body = Ask(key, "GET", absl::StrCat("/portfolio/orders/", order)).body;
    EXPECT_TRUE(absl::StrContains(body, absl::StrCat(R"("status":")", status, "\""))) << body;
  }
  uint64_t commands() const { return venue_->server.counts().commands; }
};

constexpr absl::string_view kPause = "pause_market market=KXRAIN-26-NYC";
constexpr absl::string_view kOpen = "open_market market=KXRAIN-26-NYC";

TEST_F(KalshiReopeningTest, ItsOrdersAreCancelled) {
  const std::string bid = Place(kOneKey, "bid", "0.40", "a");
  const std::string ask = Place(kTwoKey, "ask", "0.60", "b");
  Operate(kPause);
  ExpectStatus(kOneKey, bid, "resting");
  const uint64_t before = commands();
  const std::string answer = Operate(kOpen);
  EXPECT_EQ(commands(), before + 2) << "the cancel is a command of the journal";
  EXPECT_FALSE(absl::StrContains(answer, "cancelled")) << "it is not the operator's: " << answer;
  ExpectStatus(kOneKey, bid, "canceled");
  ExpectStatus(kTwoKey, ask, "canceled");
  EXPECT_TRUE(absl::StrContains(Ask("", "GET", "/markets/KXRAIN-26-NYC/orderbook").body,
                                R"({"yes_dollars":[],"no_dollars":[]})"));
  ExpectStatus(kOneKey, Place(kOneKey, "bid", "0.40", "c"), "resting");
}

TEST_F(KalshiReopeningTest, AlsoIfItWasPausedInALifeBefore) {
  const std::string bid = Place(kOneKey, "bid", "0.40", "a");
  Operate(kPause);
  Start();
  ExpectStatus(kOneKey, bid, "resting");
  Operate(kOpen);
  ExpectStatus(kOneKey, bid, "canceled");
}

TEST_F(KalshiReopeningTest, AlsoIfThePauseIsOfTheSameRead) {
  const std::string bid = Place(kOneKey, "bid", "0.40", "a");
  Operate(absl::StrCat(kPause, "\n", kOpen), "state=open");
  ExpectStatus(kOneKey, bid, "canceled");
}

// What the exchange refuses cancels nothing.
TEST_F(KalshiReopeningTest, AMarketThatDoesNotOpenKeepsItsOrders) {
  const std::string bid = Place(kOneKey, "bid", "0.40", "a");
  Operate(kOpen, "REFUSED");
  ExpectStatus(kOneKey, bid, "resting");
  Operate(kPause);
  Operate("pause_exchange");
  Operate(kOpen, "REFUSED");
  ExpectStatus(kOneKey, bid, "resting");
  Operate("resume_exchange");
  Operate(kOpen);
  ExpectStatus(kOneKey, bid, "canceled");
}

}  // namespace
}  // namespace tools
