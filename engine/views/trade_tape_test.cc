#include "engine/views/trade_tape.h"

#include <cstdint>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/page.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Trades at times 1, 2, 3, ... whose prices are the same numbers.
void Trade(TradeTape& tape, uint64_t number, uint32_t market) {
  Command command;
  command.timestamp = Timestamp::FromNanos(static_cast<int64_t>(number));
  Event event;
  event.kind = EventKind::kTrade;
  event.sequence = SequenceNumber(number);
  event.market = MarketId(market);
  event.price = Price::FromUnits(static_cast<int64_t>(number));
  event.quantity = Quantity::FromUnits(5);
  event.side = Side::kAsk;
  Event other;
  other.kind = EventKind::kPosition;
  other.market = MarketId(market);
  const Event events[] = {other, event};
  tape.OnEvents(command, events);
}

std::vector<int64_t> PricesOf(const Page<TapeTrade>& page) {
  std::vector<int64_t> prices;
  for (const TapeTrade* const trade : page.rows) prices.push_back(trade->price.units());
  return prices;
}

using Prices = std::vector<int64_t>;

TEST(TradeTape, HasTheNewestFirst) {
  TradeTape tape;
  for (uint64_t i = 1; i <= 4; ++i) Trade(tape, i, i % 2 == 0 ? 7 : 8);
  EXPECT_EQ(PricesOf(tape.Trades(MarketId(), {}, {})), (Prices{4, 3, 2, 1}));
  EXPECT_EQ(PricesOf(tape.Trades(MarketId(7), {}, {})), (Prices{4, 2}));
  EXPECT_TRUE(tape.Trades(MarketId(9), {}, {}).rows.empty());
  EXPECT_EQ(tape.Trades(MarketId(7), {}, {}).rows.front()->taker_side, Side::kBid);
}

TEST(TradeTape, PagesFollowEachOther) {
  TradeTape tape;
  for (uint64_t i = 1; i <= 5; ++i) Trade(tape, i, 7);
  const Page<TapeTrade> first = tape.Trades(MarketId(7), {}, {.limit = 2});
  EXPECT_EQ(PricesOf(first), (Prices{5, 4}));
  const Page<TapeTrade> second = tape.Trades(MarketId(7), {}, {.from = first.next, .limit = 3});
  EXPECT_EQ(PricesOf(second), (Prices{3, 2, 1}));
  EXPECT_EQ(second.next, 0u);
}

TEST(TradeTape, TimesAndCursorsOfOthersLimitWhatIsShown) {
  TradeTape tape;
  for (uint64_t i = 1; i <= 6; ++i) Trade(tape, i, i % 2 == 0 ? 7 : 8);
  const TimeRange range = {.since = Timestamp::FromNanos(2), .until = Timestamp::FromNanos(5)};
  EXPECT_EQ(PricesOf(tape.Trades(MarketId(), range, {})), (Prices{4, 3, 2}));
  EXPECT_TRUE(tape.Trades(MarketId(7), {}, {.from = 5}).rows.empty()) << "of another market";
  EXPECT_TRUE(tape.Trades(MarketId(7), {}, {.from = UINT64_MAX}).rows.empty());
}

TEST(TradeTape, ForgetsTheOldest) {
  TradeTape tape(3);
  for (uint64_t i = 1; i <= 5; ++i) Trade(tape, i, 7);
  EXPECT_EQ(PricesOf(tape.Trades(MarketId(7), {}, {})), (Prices{5, 4, 3}));
}

}  // namespace
}  // namespace engine
