// What a run received, as a market: without its own orders, with its gaps, and what it measured.

#include "tools/backtest/run_market.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "tools/strategy/input.h"
#include "tools/strategy/registry.h"

namespace tools {
namespace {

using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;
using strategy::Input;
using strategy::InputKind;

constexpr engine::MarketId kMarket = engine::MarketId(1);

// A run of the ladder of the examples with one rung of 100 on each side. Times are in milliseconds.
class RecordedRun {
 public:
  explicit RecordedRun(RunOrders own = RunOrders::kTraded)
      : market_("ladder", strategy::FindStrategy("ladder")->make(), own,
                [this](const journal::Record& record) {
                  See(replay::ToCommand(*record.row));
                  return absl::OkStatus();
                }) {
    Take(0, {.amount = 1, .kind = InputKind::kParameter},
         engine::AsBytes(absl::string_view("rungs")));
    Take(0, {.kind = InputKind::kConnection,
             .detail = static_cast<uint8_t>(strategy::ConnectionState::kLive)});
    const engine::MarketDefinition acme{
        .id = kMarket, .symbol = "ACME", .price_decimals = 2, .quantity_decimals = 0};
    Take(0, {.kind = InputKind::kMarket}, engine::EncodeMarketDefinition(acme));
    Take(1, {.kind = InputKind::kBookClear});
  }

  void Level(int64_t millis, Side side, int64_t price, uint64_t quantity, bool is_last = true) {
    Take(millis, {.price = Price::FromUnits(price),
                  .quantity = Quantity::FromUnits(quantity),
                  .kind = InputKind::kBookLevel,
                  .side = side,
                  .flags = is_last ? Input::kLast : uint8_t{0}});
  }
  void Change(int64_t millis, Side side, int64_t price, int64_t amount) {
    Take(millis, {.price = Price::FromUnits(price),
                  .amount = amount,
                  .kind = InputKind::kBookChange,
                  .side = side,
                  .flags = Input::kLast});
  }
  // Of its own order `number`: the first is a bid, the second an ask.
  void Own(int64_t millis, InputKind kind, uint64_t number, int64_t price, uint64_t quantity) {
    Take(millis, {.price = Price::FromUnits(price),
                  .quantity = Quantity::FromUnits(quantity),
                  .order = strategy::OrderNumber(number),
                  .kind = kind});
  }
  void Trade(int64_t millis, Side taker, int64_t price, uint64_t quantity) {
    Take(millis, {.price = Price::FromUnits(price),
                  .quantity = Quantity::FromUnits(quantity),
                  .kind = InputKind::kTrade,
                  .side = taker});
  }
  void Say(int64_t millis, InputKind kind, int64_t price = 0) {
    Take(millis, {.price = Price::FromUnits(price),
                  .kind = kind,
                  .flags = kind == InputKind::kBookClear ? Input::kLast : uint8_t{0}});
  }

  // Levels follow.
  void Snapshot(int64_t millis) { Take(millis, {.kind = InputKind::kBookClear}); }

  // The commands so far, since the last call.
  std::string Seen() {
    EXPECT_TRUE(market_.Finish().ok());
    return std::exchange(seen_, std::string());
  }
  const RunMarket& market() const { return market_; }

 private:
  void Take(int64_t millis, Input input, engine::Bytes attachment = {}) {
    last_ = last_.Next();
    input.sequence = last_;
    input.time = Timestamp::FromNanos(millis * 1'000'000);
    if (input.kind >= InputKind::kBookClear || input.kind == InputKind::kMarket) {
      input.market = kMarket;
    }
    const journal::Row row = strategy::ToRow(input);
    EXPECT_TRUE(market_.Take({.row = &row, .attachment = attachment}).ok());
  }
  void See(const engine::Command& command) {
    if (command.kind == engine::CommandKind::kAdvanceTime) return;
    absl::StrAppend(&seen_, engine::NameOf(command.kind));
    if (command.order_id != engine::OrderId()) {
      absl::StrAppend(&seen_, " #", command.order_id.value());
    }
    if (IsValid(command.side)) absl::StrAppend(&seen_, " ", engine::NameOf(command.side));
    if (!command.quantity.is_zero()) absl::StrAppend(&seen_, " ", command.quantity.units());
    if (command.price != Price()) absl::StrAppend(&seen_, "@", command.price.units());
    seen_ += "; ";
  }

  engine::SequenceNumber last_;
  std::string seen_;
  RunMarket market_;
};

// The market is there, with 100 on each side, and the ladder has sent its two orders.
void Begin(RecordedRun& run) {
  run.Level(2, Side::kBid, 1000, 100, /*is_last=*/false);
  run.Level(2, Side::kAsk, 1010, 100);
  EXPECT_EQ(run.Seen(),
            "define_market; pause_market; open_market; new_order bid 100@1000; "
            "new_order ask 100@1010; ");
}

TEST(RunMarket, LevelsAndTradesBecomeOrdersAndExecutions) {
  RecordedRun run;
  Begin(run);
  run.Change(10, Side::kBid, 1000, 20);
  run.Trade(20, Side::kAsk, 1000, 30);  // The taker sells.
  run.Change(20, Side::kBid, 1000, -30);
  run.Level(30, Side::kBid, 1000, 0);
  EXPECT_EQ(run.Seen(), "new_order bid 20@1000; execute #4 30@1000; reduce #6 20; reduce #4 70; ");
  EXPECT_EQ(run.market().market_rows(), 6u);
}

TEST(RunMarket, ItsOwnOrdersAreNoLiquidity) {
  RecordedRun run;
  Begin(run);
  run.Own(10, InputKind::kOrderAccepted, 1, 1000, 100);
  run.Level(10, Side::kBid, 1000, 200);
  EXPECT_EQ(run.Seen(), "");
  run.Own(20, InputKind::kOrderFilled, 1, 1000, 40);
  run.Level(20, Side::kBid, 1000, 160);
  EXPECT_EQ(run.Seen(), "");
  run.Level(30, Side::kBid, 1000, 130);
  EXPECT_EQ(run.Seen(), "reduce #4 30; ");
  run.Own(40, InputKind::kOrderCancelled, 1, 1000, 60);
  run.Level(40, Side::kBid, 1000, 70);
  EXPECT_EQ(run.Seen(), "");
}

TEST(RunMarket, AnAnswerAfterTheChangeOfTheLevelCounts) {
  RecordedRun run;
  Begin(run);
  run.Change(10, Side::kBid, 1000, 100);  // It is its own, which it does not know yet.
  run.Own(30, InputKind::kOrderAccepted, 1, 1000, 100);
  EXPECT_EQ(run.Seen(), "new_order bid 100@1000; ");
  run.Say(131, InputKind::kTime);
  EXPECT_EQ(run.Seen(), "reduce #6 100; ");
}

TEST(RunMarket, OrdersOfADryRunRestNowhere) {
  RecordedRun run(RunOrders::kDry);
  Begin(run);
  run.Own(10, InputKind::kOrderAccepted, 1, 1000, 100);
  run.Level(10, Side::kBid, 1000, 150);
  EXPECT_EQ(run.Seen(), "new_order bid 50@1000; ");
  EXPECT_EQ(run.market().answers().count(), 0u);
}

TEST(RunMarket, TradesOfItsOrdersAreTakersUnlessTheyWereAdded) {
  for (const RunOrders own : {RunOrders::kTraded, RunOrders::kAdded}) {
    RecordedRun run(own);
    Begin(run);
    run.Own(10, InputKind::kOrderAccepted, 1, 1000, 100);
    run.Level(10, Side::kBid, 1000, 200);
    run.Own(20, InputKind::kOrderFilled, 1, 1000, 40);
    run.Trade(20, Side::kAsk, 1000, 40);
    run.Level(20, Side::kBid, 1000, 160);
    run.Trade(30, Side::kAsk, 1000, 40);
    run.Level(30, Side::kBid, 1000, 120);
    EXPECT_EQ(run.Seen(), own == RunOrders::kAdded ? "execute #4 40@1000; "
                                                   : "execute #4 40@1000; execute #4 40@1000; ");
  }
}

TEST(RunMarket, AStaleBookIsAPauseUntilItsSnapshot) {
  RecordedRun run;
  Begin(run);
  run.Say(10, InputKind::kBookStale);
  run.Change(11, Side::kBid, 1000, 5);
  run.Say(12, InputKind::kBookStale);
  EXPECT_EQ(run.Seen(), "pause_market; ");
  run.Say(20, InputKind::kBookClear);
  EXPECT_EQ(run.Seen(), "open_market; reduce #4 100; reduce #5 100; ");
  // Less than nothing: it is not known from there on, as in the strategy's own book.
  run.Change(30, Side::kBid, 1000, -1);
  EXPECT_EQ(run.Seen(), "pause_market; ");
}

TEST(RunMarket, TheNextSnapshotIsTheDifference) {
  RecordedRun run;
  Begin(run);
  run.Say(10, InputKind::kBookStale);
  run.Snapshot(20);
  run.Level(20, Side::kBid, 1000, 120, /*is_last=*/false);
  run.Level(20, Side::kBid, 990, 5);
  EXPECT_EQ(
      run.Seen(),
      "pause_market; open_market; new_order bid 20@1000; new_order bid 5@990; reduce #5 100; ");
}

TEST(RunMarket, ASettlementEndsTheMarket) {
  RecordedRun run;
  Begin(run);
  run.Say(10, InputKind::kSettled, 100);
  run.Level(11, Side::kBid, 1000, 5);
  EXPECT_EQ(run.Seen(), "close_market; determine_market@100; ");
}

TEST(RunMarket, AnAnswerTakesTheTimeSinceItsRequest) {
  RecordedRun run;
  Begin(run);  // It sends at 2.
  run.Own(9, InputKind::kOrderAccepted, 1, 1000, 100);
  run.Own(12, InputKind::kOrderRefused, 2, 0, 0);
  run.Own(15, InputKind::kOrderFilled, 1, 1000, 100);
  EXPECT_EQ(run.market().answers().count(), 2u);
  EXPECT_EQ(run.market().answers().max(), 10'000'000u);
}

TEST(RunMarket, RowsThatMakeNoSenseMeanNothing) {
  RecordedRun run;
  Begin(run);
  run.Level(10, Side(), 1000, 5);
  run.Trade(10, Side::kBid, 1000, 0);
  run.Trade(10, Side::kBid, 1000, UINT64_MAX);
  run.Own(10, InputKind::kOrderAccepted, 999, 1000, 5);
  run.Change(10, Side::kBid, 999, 0);
  EXPECT_EQ(run.Seen(), "");
  run.Level(11, Side::kBid, 1000, UINT64_MAX);
  EXPECT_EQ(run.Seen(), "pause_market; ");
}

}  // namespace
}  // namespace tools
