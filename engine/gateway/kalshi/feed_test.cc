// How many markets a subscription may have. tools/serve/kalshi_feed_test.cc has the rest, with an
// exchange.

#include "engine/gateway/kalshi/feed.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/gateway/kalshi/views.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/gateway/session_gateway.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/views/venue_memory.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr absl::string_view kTooMany =
    R"({"id":1,"type":"error","msg":{"code":26,"msg":"Subscription market limit exceeded"}})";

class KalshiFeedTest : public testing::Test, private KalshiFrameSink {
 protected:
  // Returns the frames that answer, each followed by a line feed.
  std::string Say(absl::string_view command, absl::string_view params) {
    sent_.clear();
    feed_.OnMessage({}, AccountId(1),
                    absl::StrCat(R"({"id":1,"cmd":")", command, R"(","params":{)", params, "}}"));
    return sent_;
  }

 private:
  void SendFrame(SessionId, absl::string_view frame) override { absl::StrAppend(&sent_, frame); }
  bool IsSlow(SessionId) const override { return false; }

  static MarketDirectory Markets() {
    MarketDirectory markets;
    for (const uint32_t id : {1, 2, 3}) {
      markets.Add({.id = MarketId(id),
                   .symbol = absl::StrCat("M", id),
                   .price_decimals = 4,
                   .quantity_decimals = 2,
                   .price_max = Price::FromUnits(9'999),
                   .kind = MarketKind::kBinary});
    }
    return markets;
  }
  static KalshiCatalogue Catalogue() {
    std::vector<KalshiSeries> series(1);
    series[0].ticker = "S";
    std::vector<KalshiEvent> events(1);
    events[0].ticker = "E";
    events[0].series = "S";
    std::vector<KalshiMarket> markets(3);
    for (uint32_t i = 0; i < 3; ++i) {
      markets[i].id = MarketId(i + 1);
      markets[i].event = "E";
    }
    return {std::move(series), std::move(events), std::move(markets)};
  }

  const MarketDirectory markets_ = Markets();
  const KalshiCatalogue catalogue_ = Catalogue();
  const VenueMemory memory_;
  const KalshiViews views_;
  const KalshiWorld world_ = {.markets = markets_,
                              .catalogue = catalogue_,
                              .memory = memory_,
                              .views = views_,
                              .ids = KalshiIds(Digest{.low = 1, .high = 2})};
  KalshiFaults faults_;
  KalshiFeed feed_{world_, *this, faults_, {.markets_max = 2}};
  std::string sent_;
};

TEST_F(KalshiFeedTest, ASubscriptionHasAtMostSoManyMarkets) {
  EXPECT_EQ(Say("subscribe", R"("channels":["trade"],"market_tickers":["M1","M2","M3"])"),
            kTooMany);
  EXPECT_EQ(Say("subscribe", R"("channels":["trade"],"market_ticker":"M1")"),
            R"({"type":"subscribed","id":1,"msg":{"channel":"trade","sid":1}})");
  EXPECT_EQ(Say("subscribe", R"("channels":["trade"],"market_tickers":["M2","M3"])"), kTooMany);
  EXPECT_EQ(
      Say("update_subscription", R"("sid":1,"action":"add_markets","market_tickers":["M2","M3"])"),
      kTooMany);
  EXPECT_EQ(Say("update_subscription", R"("sid":1,"action":"add_markets","market_ticker":"M2")"),
            R"({"type":"ok","id":1,"sid":1,"seq":1,"msg":{"market_tickers":["M1","M2"]}})");
  EXPECT_EQ(Say("subscribe", R"("channels":["trade"])"),
            R"({"type":"ok","id":1,"sid":1,"seq":2,"msg":{"market_tickers":[]}})")
      << "all markets, without a limit";
}

}  // namespace
}  // namespace engine
