#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/market_reads.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/views.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/views/venue_memory.h"
#include "engine/wire/kalshi/query_string.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int kMinutes = 5'100;

// Three markets, A-1 to A-3, with a candle in each minute.
class CandleReadsTest : public testing::Test {
 protected:
  CandleReadsTest() {
    for (uint32_t i = 1; i <= 3; ++i) {
      const MarketDefinition definition = {.id = MarketId(i),
                                           .symbol = absl::StrCat("A-", i),
                                           .price_decimals = 4,
                                           .quantity_decimals = 2,
                                           .price_max = Price::FromUnits(9'999),
                                           .kind = MarketKind::kBinary};
      markets_.Add(definition);
      Fold(EventKind::kMarketDefined, i, 0, EncodeMarketDefinition(definition));
    }
    for (int minute = 0; minute < kMinutes; ++minute) {
      for (uint32_t i = 1; i <= 3; ++i) Fold(EventKind::kPosition, i, minute);
    }
  }

  static KalshiCatalogue MakeCatalogue() {
    std::vector<KalshiSeries> series(1);
    series[0].ticker = "A";
    std::vector<KalshiEvent> events(1);
    events[0].ticker = "A";
    events[0].series = "A";
    std::vector<KalshiMarket> markets(3);
    for (uint32_t i = 1; i <= 3; ++i) {
      markets[i - 1].id = MarketId(i);
      markets[i - 1].event = "A";
    }
    return {series, events, markets};
  }

  // Its position changes from minute to minute.
  void Fold(EventKind kind, uint32_t market, int64_t minute,
            const std::vector<std::byte>& attachment = {}) {
    Command command;
    command.sequence = SequenceNumber(++sequence_);
    command.timestamp = Timestamp::FromNanos(minute * 60'000'000'000);
    command.kind = CommandKind::kNewOrder;
    command.market = MarketId(market);
    Event event;
    event.sequence = command.sequence;
    event.kind = kind;
    event.account = AccountId(1);
    event.market = MarketId(market);
    event.price = Price::FromUnits(minute + 1);
    views_.Fold(command, attachment, {&event, 1});
  }

  static size_t CountIn(absl::string_view body) {
    size_t count = 0;
    for (size_t at = body.find("end_period_ts"); at != absl::string_view::npos;
         at = body.find("end_period_ts", at + 1)) {
      ++count;
    }
    return count;
  }

  uint64_t sequence_ = 0;
  MarketDirectory markets_;
  const KalshiCatalogue catalogue_ = MakeCatalogue();
  VenueMemory memory_;
  KalshiViews views_;
  const KalshiWorld world_ = {.markets = markets_,
                              .catalogue = catalogue_,
                              .memory = memory_,
                              .views = views_,
                              .ids = KalshiIds(Digest())};
  const KalshiMarketReads reads_{world_};
};

TEST_F(CandleReadsTest, AnAnswerHasABoundedNumber) {
  const auto query = [](absl::string_view tickers) {
    return kalshi::QueryString::Parse(absl::StrCat("start_ts=0&end_ts=", kMinutes * 60,
                                                   "&period_interval=1&market_tickers=", tickers));
  };
  EXPECT_EQ(CountIn(reads_.Candlesticks("A", "A-1", query("")).body), 5'000u);
  EXPECT_EQ(CountIn(reads_.BatchCandlesticks(query("A-1")).body), 5'000u);
  const KalshiReply all = reads_.BatchCandlesticks(query("A-1,A-2,A-3"));
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(CountIn(all.body), 10'000u);
  const size_t third = all.body.find("A-3");
  ASSERT_NE(third, std::string::npos);
  EXPECT_EQ(CountIn(absl::string_view(all.body).substr(third)), 0u);
}

}  // namespace
}  // namespace engine
