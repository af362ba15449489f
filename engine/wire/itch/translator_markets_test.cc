// Stocks become markets.

#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/testing/translator_test_base.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST_F(ItchTranslatorTest, ADirectoryMessageDefinesAMarket) {
  Directory("AAPL");
  ASSERT_EQ(CommandCount(), 1u);
  EXPECT_EQ(Last().kind, CommandKind::kDefineMarket);
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId());
  const auto definition = DecodeMarketDefinition(sink_.attachments[0]);
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->id, MarketId(13));
  EXPECT_EQ(definition->symbol, "AAPL") << "trimmed";
  EXPECT_EQ(definition->price_decimals, 4);
  EXPECT_EQ(definition->quantity_decimals, 0);
  EXPECT_EQ(definition->tick, Price::FromUnits(1));
  EXPECT_EQ(definition->price_min, Price::FromUnits(1));
  EXPECT_EQ(definition->price_max, Price::FromUnits(0xffffffff));
}

TEST_F(ItchTranslatorTest, AnOrderOfAStockWithoutDirectoryDefinesItsMarketFirst) {
  Add(1, Side::kBid, 100, 10'000, 14);
  ASSERT_EQ(CommandCount(), 2u);
  EXPECT_EQ(sink_.commands[0].kind, CommandKind::kDefineMarket);
  EXPECT_EQ(sink_.commands[0].market, MarketId(14));
  EXPECT_EQ(sink_.commands[1].market, MarketId(14));
  EXPECT_EQ(Counters().markets_defined_by_orders, 1u);
  EXPECT_EQ(Counters().markets_defined, 1u);
}

TEST_F(ItchTranslatorTest, ARepeatedDirectoryMessageIsCounted) {
  Directory("AAPL");
  Directory("AAPL");
  Directory("MSFT");
  EXPECT_EQ(CommandCount(), 1u);
  EXPECT_EQ(Counters().markets_repeated, 2u);
}

TEST_F(ItchTranslatorTest, InvalidMarketsAndTheirOrdersAreCounted) {
  Directory("AAPL");
  Directory("AAPL", 14);  // The symbol is taken.
  Directory("", 15);
  Directory("A B", 16);
  Directory("ZERO", 0);
  EXPECT_EQ(Counters().markets_refused, 4u);
  Add(1, Side::kBid, 100, 10'000, 14);  // Tries AAPL again.
  EXPECT_EQ(Counters().orders_without_market, 1u);
  EXPECT_EQ(CommandCount(), 1u);
  Delete(1);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 1u);
}

}  // namespace
}  // namespace engine
