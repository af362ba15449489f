#include "engine/views/market_stats.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 24 * 3'600;
constexpr MarketId kMarket(7);

Timestamp At(int64_t seconds) {
  return Timestamp::FromNanos(1'800'000'000 * kSecond + seconds * kSecond);
}

class MarketStatsTest : public testing::Test {
 protected:
  MarketStatsTest() {
    const MarketDefinition definition = {.id = kMarket,
                                         .symbol = "RAIN",
                                         .price_decimals = 4,
                                         .quantity_decimals = 2,
                                         .price_max = Price::FromUnits(9'999),
                                         .kind = MarketKind::kBinary,
                                         .starts_unopened = true};
    Fold(CommandKind::kDefineMarket, Of(EventKind::kMarketDefined), 0,
         EncodeMarketDefinition(definition));
  }

  static Event Of(EventKind kind) {
    Event event;
    event.kind = kind;
    event.market = kMarket;
    return event;
  }
  void Fold(CommandKind kind, const Event& event, int64_t seconds,
            const std::vector<std::byte>& attachment = {}) {
    Command command;
    command.kind = kind;
    command.market = kMarket;
    command.timestamp = At(seconds);
    view_.OnEvents(command, attachment, {&event, 1});
  }
  void Trade(int64_t seconds, int64_t price, uint64_t quantity) {
    Event event = Of(EventKind::kTrade);
    event.price = Price::FromUnits(price);
    event.quantity = Quantity::FromUnits(quantity);
    Fold(CommandKind::kNewOrder, event, seconds);
  }
  void Position(uint32_t account, int64_t position) {
    Event event = Of(EventKind::kPosition);
    event.account = AccountId(account);
    event.price = Price::FromUnits(position);
    Fold(CommandKind::kNewOrder, event, 1);
  }
  void State(MarketState state, int64_t seconds) {
    Event event = Of(EventKind::kMarketState);
    event.detail = static_cast<uint8_t>(state);
    Fold(CommandKind::kOpenMarket, event, seconds);
  }
  const MarketStats& stats() const { return *view_.Find(kMarket); }

  MarketStatsView view_;
};

TEST_F(MarketStatsTest, ItsStatesHaveTheirTimes) {
  EXPECT_EQ(stats().state, MarketState::kUnopened);
  EXPECT_EQ(stats().opened_at, Timestamp());
  State(MarketState::kOpen, 5);
  State(MarketState::kPaused, 6);
  State(MarketState::kOpen, 7);
  EXPECT_EQ(stats().opened_at, At(5)) << "the first time";
  State(MarketState::kClosed, 8);
  Event determined = Of(EventKind::kDetermined);
  determined.price = Price::FromUnits(10'000);
  Fold(CommandKind::kDetermineMarket, determined, 9);
  EXPECT_EQ(stats().closed_at, At(8));
  EXPECT_EQ(stats().settlement_value, Price::FromUnits(10'000));
  EXPECT_EQ(stats().changed_at, At(9));
  EXPECT_EQ(view_.Find(MarketId(8)), nullptr);
}

TEST_F(MarketStatsTest, TradesAddUp) {
  Trade(1, 5'000, 100);
  Trade(2, 6'000, 300);
  EXPECT_EQ(stats().trade_count, 2u);
  EXPECT_EQ(stats().last_price, Price::FromUnits(6'000));
  EXPECT_EQ(stats().last_size, Quantity::FromUnits(300));
  EXPECT_EQ(stats().volume, Quantity::FromUnits(400));
  EXPECT_EQ(stats().dollar_volume, Money::FromMicros(2'300'000));
}

// Quantity × price of an equity market may not fit 64 bits.
TEST_F(MarketStatsTest, ThereAreNoDollarsInAnEquityMarket) {
  const MarketId equity(8);
  Event event = Of(EventKind::kMarketDefined);
  event.market = equity;
  Command command;
  command.market = equity;
  const std::vector<std::byte> definition =
      EncodeMarketDefinition({.id = equity, .symbol = "ACME", .price_decimals = 2});
  view_.OnEvents(command, definition, {&event, 1});
  event.kind = EventKind::kTrade;
  event.price = Price::FromUnits(kPriceUnitsMax);
  event.quantity = kQuantityMax;
  view_.OnEvents(command, {}, {&event, 1});
  EXPECT_EQ(view_.Find(equity)->volume, kQuantityMax);
  EXPECT_EQ(view_.Find(equity)->dollar_volume, Money());
}

TEST_F(MarketStatsTest, ADayIsOfTwentyFourHours) {
  Trade(30, 5'000, 100);
  Trade(3'600, 6'000, 300);
  EXPECT_EQ(view_.DayOf(kMarket, At(3'600)).volume, Quantity::FromUnits(400));
  EXPECT_EQ(view_.DayOf(kMarket, At(3'600)).previous_price, std::nullopt);
  const MarketDay next = view_.DayOf(kMarket, At(kDay + 60));
  EXPECT_EQ(next.volume, Quantity::FromUnits(300));
  EXPECT_EQ(next.previous_price, Price::FromUnits(5'000));
  Trade(2 * kDay, 7'000, 10);
  EXPECT_EQ(view_.DayOf(kMarket, At(2 * kDay)).volume, Quantity::FromUnits(10));
  EXPECT_EQ(view_.DayOf(kMarket, At(2 * kDay)).previous_price, Price::FromUnits(6'000));
}

TEST_F(MarketStatsTest, OpenInterestIsWhatIsHeldOfYes) {
  Position(1, 500);
  Position(2, -500);
  EXPECT_EQ(stats().open_interest, Quantity::FromUnits(500));
  Position(1, 200);
  Position(3, 300);
  EXPECT_EQ(stats().open_interest, Quantity::FromUnits(500));
  Position(1, -100);
  EXPECT_EQ(stats().open_interest, Quantity::FromUnits(300));
}

TEST_F(MarketStatsTest, NothingIsHeldAfterASettlement) {
  Position(1, 500);
  Position(2, -500);
  Event event = Of(EventKind::kPosition);
  event.account = AccountId(2);
  event.price = Price();
  Fold(CommandKind::kSettleMarket, event, 2);
  EXPECT_EQ(stats().open_interest, Quantity::FromUnits(500));
  event.account = AccountId(1);
  Fold(CommandKind::kSettleMarket, event, 2);
  EXPECT_EQ(stats().open_interest, Quantity());
}

}  // namespace
}  // namespace engine
