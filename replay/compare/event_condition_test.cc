#include "replay/compare/event_condition.h"

#include <string>

#include "engine/messages/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

using ::testing::HasSubstr;

class EventConditionTest : public ::testing::Test {
 protected:
  EventConditionTest() {
    engine::MarketDefinition market;
    market.id = engine::MarketId(1);
    market.symbol = "AAPL";
    market.price_decimals = 2;
    markets_.Add(market);
  }

  bool Matches(const std::string& condition, const std::string& event) {
    const auto parsed = EventCondition::Parse(condition);
    EXPECT_TRUE(parsed.ok()) << parsed.status().message();
    const auto read = engine::MessageText(markets_).ParseEvent(event);
    EXPECT_TRUE(read.ok()) << read.status().message();
    return parsed->Matches(*read, markets_);
  }

  engine::MarketDirectory markets_;
};

constexpr char kTrade[] =
    "8.1 trade maker=7 taker=8 side=bid market=AAPL price=3.20 quantity=60 remaining=40";

TEST_F(EventConditionTest, ComparesNumbersInTheUnitsOfTheMarket) {
  EXPECT_TRUE(Matches("trade", kTrade));
  EXPECT_TRUE(Matches("trade.price == 3.2", kTrade));
  EXPECT_TRUE(Matches("trade.price>3.19 && trade.quantity<=60", kTrade));
  EXPECT_TRUE(Matches("trade.price == #320", kTrade));
  EXPECT_FALSE(Matches("trade.price < 3.2", kTrade));
  EXPECT_FALSE(Matches("trade.quantity > 1000", kTrade));
  EXPECT_TRUE(Matches("trade.order != 8 && trade.counter == 8", kTrade));
}

TEST_F(EventConditionTest, ComparesNames) {
  EXPECT_TRUE(Matches("trade.market == AAPL && trade.side != ask", kTrade));
  EXPECT_TRUE(Matches("rejected.reason == price_off_tick",
                      "9.0 rejected market=AAPL reason=price_off_tick"));
  EXPECT_FALSE(Matches("rejected", kTrade));
}

TEST_F(EventConditionTest, SaysWhichWordIsWrong) {
  const auto error = [](const char* text) {
    return std::string(EventCondition::Parse(text).status().message());
  };
  EXPECT_THAT(error("trades"), HasSubstr("'trades' is not a kind of event"));
  EXPECT_THAT(error("trade.size > 3"), HasSubstr("a field of order, counter, price"));
  EXPECT_THAT(error("trade.quantity > many"), HasSubstr("'many' is no quantity"));
  EXPECT_THAT(error("trade.side > bid"), HasSubstr("side has no order"));
  EXPECT_THAT(error("trade.price = 3"), HasSubstr("expected one of =="));
  EXPECT_FALSE(EventCondition::Parse("").ok());
  EXPECT_FALSE(EventCondition::Parse("trade.price >").ok());
}

}  // namespace
}  // namespace replay
