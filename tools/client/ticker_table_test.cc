#include "tools/client/ticker_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace client {
namespace {

using engine::MarketId;

TEST(TickerTableTest, IdsAreDenseInTheOrderGiven) {
  const std::vector<std::string> tickers = {"RAIN-26", "SNOW-26"};
  const TickerTable table(tickers);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.Find("RAIN-26"), MarketId(1));
  EXPECT_EQ(table.Find("SNOW-26"), MarketId(2));
  EXPECT_EQ(table.TickerOf(MarketId(1)), "RAIN-26");
  EXPECT_EQ(table.TickerOf(MarketId(2)), "SNOW-26");
  EXPECT_EQ(table.all(), tickers);
}

TEST(TickerTableTest, OthersAreNone) {
  const std::vector<std::string> tickers = {"RAIN-26"};
  const TickerTable table(tickers);
  EXPECT_EQ(table.Find(""), MarketId());
  EXPECT_EQ(table.Find("RAIN-2"), MarketId());
  EXPECT_EQ(table.Find(std::string(100'000, 'R')), MarketId());
  EXPECT_EQ(table.TickerOf(MarketId()), "");
  EXPECT_EQ(table.TickerOf(MarketId(2)), "");
  EXPECT_EQ(table.TickerOf(MarketId(~uint32_t{0})), "");
}

}  // namespace
}  // namespace client
