#include "engine/gateway/kalshi/views.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/candles.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kMarket(7);

class KalshiViewsTest : public testing::Test {
 protected:
  KalshiViewsTest() {
    Event event;
    event.kind = EventKind::kMarketDefined;
    const MarketDefinition definition = {.id = kMarket,
                                         .symbol = "RAIN",
                                         .price_decimals = 4,
                                         .quantity_decimals = 2,
                                         .price_max = Price::FromUnits(9'999),
                                         .kind = MarketKind::kBinary};
    Fold(CommandKind::kDefineMarket, {event}, EncodeMarketDefinition(definition));
  }

  // A minute passes between commands.
  void Fold(CommandKind kind, std::initializer_list<Event> events,
            const std::vector<std::byte>& attachment = {}) {
    ++sequence_;
    Command command;
    command.sequence = SequenceNumber(sequence_);
    command.timestamp = Timestamp::FromNanos(static_cast<int64_t>(sequence_) * 60'000'000'000);
    command.kind = kind;
    command.market = kMarket;
    std::vector<Event> made(events);
    for (Event& event : made) {
      event.sequence = command.sequence;
      event.market = kMarket;
    }
    views_.Fold(command, attachment, made);
  }
  static Event Position(uint32_t account, int64_t position) {
    Event event;
    event.kind = EventKind::kPosition;
    event.account = AccountId(account);
    event.price = Price::FromUnits(position);
    return event;
  }

  KalshiViews views_;
  uint64_t sequence_ = 0;
};

// No order rests in a market that is settled: its depth does not change.
TEST_F(KalshiViewsTest, NoInterestIsOpenAfterASettlement) {
  Fold(CommandKind::kNewOrder, {Position(1, 500), Position(2, -500)});
  Fold(CommandKind::kSettleMarket, {Position(1, 0), Position(2, 0)});
  EXPECT_EQ(views_.stats().Find(kMarket)->open_interest, Quantity());
  const std::vector<Candle> candles =
      views_.candles().Candles(kMarket, CandlePeriod::kMinute, {}, 10);
  ASSERT_EQ(candles.size(), 2u);
  EXPECT_EQ(candles[0].open_interest, Quantity::FromUnits(500));
  EXPECT_EQ(candles[1].open_interest, Quantity());
}

}  // namespace
}  // namespace engine
