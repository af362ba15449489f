// What levels and trades become, and that the book stays the recorded one.

#include "tools/backtest/level_orders.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"

namespace tools {
namespace {

using engine::Command;
using engine::Event;
using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

constexpr engine::MarketId kMarket = engine::MarketId(1);

LevelName Level(Side side, int64_t price) {
  return {.market = kMarket, .side = side, .price = Price::FromUnits(price)};
}

// Levels of one mirrored market, as an exchange has them. Times are in milliseconds.
class Levels {
 public:
  Levels() {
    Command define;
    define.kind = engine::CommandKind::kDefineMarket;
    define.market = kMarket;
    EXPECT_TRUE(orders_
                    .Pass(define, engine::EncodeMarketDefinition(
                                      {.id = kMarket, .symbol = "KXA", .mirrored = true}))
                    .ok());
  }

  void Set(int64_t millis, Side side, int64_t price, uint64_t quantity, int64_t moment = 0) {
    EXPECT_TRUE(
        orders_.SetLevel(TimeOf(millis), moment, Level(side, price), Quantity::FromUnits(quantity))
            .ok());
  }
  void Trade(int64_t millis, Side side, int64_t price, uint64_t quantity, int64_t moment = 0) {
    EXPECT_TRUE(
        orders_.Trade(TimeOf(millis), moment, Level(side, price), Quantity::FromUnits(quantity))
            .ok());
  }
  void Pause(int64_t millis) {
    Command command;
    command.kind = engine::CommandKind::kPauseMarket;
    command.market = kMarket;
    command.timestamp = TimeOf(millis);
    EXPECT_TRUE(orders_.Pass(command, {}).ok());
  }
  void Cancel(int64_t millis, uint64_t row) {
    Command command;
    command.kind = engine::CommandKind::kCancel;
    command.market = kMarket;
    command.order_id = engine::OrderId(row);
    command.timestamp = TimeOf(millis);
    EXPECT_TRUE(orders_.Pass(command, {}).ok());
  }
  void Skip(int64_t millis) { EXPECT_TRUE(orders_.Skip(TimeOf(millis)).ok()); }

  // The commands since the last call, without the definition, once all rows are released.
  std::string Seen() {
    EXPECT_TRUE(orders_.Finish().ok());
    return std::exchange(seen_, std::string());
  }
  uint64_t At(Side side, int64_t price) const {
    const auto* const level = depth_.FindLevel(kMarket, side, Price::FromUnits(price));
    return level == nullptr ? 0 : level->quantity.units();
  }
  uint64_t rejected() const { return rejected_; }

 private:
  static Timestamp TimeOf(int64_t millis) { return Timestamp::FromNanos(millis * 1'000'000); }

  absl::Status Apply(const journal::Record& record) {
    const Command command = replay::ToCommand(*record.row);
    EXPECT_EQ(command.sequence, driver_.last_applied().Next());
    const auto events = replay::AsEvents(driver_.Apply(record));
    depth_.OnEvents(command, events);
    for (const Event& event : events) rejected_ += event.kind == engine::EventKind::kRejected;
    if (command.kind == engine::CommandKind::kDefineMarket) return absl::OkStatus();
    absl::StrAppend(&seen_, engine::NameOf(command.kind));
    if (command.order_id != engine::OrderId()) {
      absl::StrAppend(&seen_, " #", command.order_id.value());
    }
    if (!command.quantity.is_zero()) absl::StrAppend(&seen_, " ", command.quantity.units());
    seen_ += "; ";
    return absl::OkStatus();
  }

  replay::ExchangeMachine machine_;
  replay::Driver driver_{machine_, engine::SequenceNumber()};
  engine::DepthView depth_;
  LevelOrders orders_{[this](const journal::Record& record) { return Apply(record); }};
  std::string seen_;
  uint64_t rejected_ = 0;
};

TEST(LevelOrders, WhatIsMoreJoinsTheEndAndWhatIsLessLeavesIt) {
  Levels levels;
  levels.Set(0, Side::kBid, 1000, 10);
  levels.Set(1, Side::kBid, 1000, 15);
  levels.Set(2, Side::kBid, 1000, 15);
  levels.Set(3, Side::kBid, 1000, 8);
  levels.Set(4, Side::kBid, 1000, 0);
  EXPECT_EQ(levels.Seen(),
            "new_order 10; new_order 5; advance_time; reduce #3 5; reduce #2 2; reduce #2 8; ");
}

TEST(LevelOrders, ATradeTakesTheFrontWhicheverIsReportedFirst) {
  for (const bool trade_first : {false, true}) {
    Levels levels;
    levels.Set(0, Side::kBid, 1000, 10);
    levels.Set(1, Side::kBid, 1000, 15);
    levels.Seen();
    if (trade_first) levels.Trade(200, Side::kBid, 1000, 12);
    levels.Set(210, Side::kBid, 1000, 2);  // One cancels at the same time.
    if (!trade_first) levels.Trade(220, Side::kBid, 1000, 12);
    EXPECT_EQ(levels.Seen(), trade_first
                                 ? "execute #2 10; execute #3 2; reduce #3 1; "
                                 : "execute #2 10; execute #3 2; reduce #3 1; advance_time; ");
    EXPECT_EQ(levels.At(Side::kBid, 1000), 2u);
  }
}

TEST(LevelOrders, WhatHasAnotherMomentIsAnotherTrade) {
  Levels levels;
  levels.Set(0, Side::kBid, 1000, 10);
  levels.Set(1, Side::kBid, 1000, 15);
  levels.Seen();
  levels.Set(2, Side::kBid, 1000, 12, /*moment=*/7);
  levels.Trade(2, Side::kBid, 1000, 3, /*moment=*/8);
  levels.Set(2, Side::kBid, 1000, 9, /*moment=*/8);
  EXPECT_EQ(levels.Seen(), "reduce #3 3; execute #2 3; advance_time; ");
}

TEST(LevelOrders, ATradeOfMoreThanTheLevelIsAPrint) {
  Levels levels;
  levels.Trade(0, Side::kBid, 1000, 4);
  levels.Set(0, Side::kBid, 999, 3);
  levels.Trade(1, Side::kBid, 999, 5);
  levels.Set(1, Side::kBid, 999, 0);
  levels.Trade(2, Side(), 1001, 5);
  EXPECT_EQ(levels.Seen(),
            "execute 4; new_order 3; execute #3 3; execute 2; advance_time; execute 5; ");
}

TEST(LevelOrders, ATradeWhoseLevelStaysIsPutBack) {
  Levels levels;
  levels.Set(0, Side::kBid, 1000, 10);
  levels.Trade(1, Side::kBid, 1000, 4);
  levels.Skip(50);
  EXPECT_EQ(levels.Seen(), "new_order 10; execute #2 4; advance_time; ");
  EXPECT_EQ(levels.At(Side::kBid, 1000), 6u);
  levels.Skip(102);
  EXPECT_EQ(levels.Seen(), "new_order 4; advance_time; ");
  EXPECT_EQ(levels.At(Side::kBid, 1000), 10u);
  // In time for a market whose book is not known from now on.
  levels.Trade(103, Side::kBid, 1000, 4);
  levels.Pause(104);
  EXPECT_EQ(levels.Seen(), "execute #2 4; new_order 4; pause_market; ");
  EXPECT_EQ(levels.rejected(), 0u);
}

TEST(LevelOrders, OrdersThatCommandsNameAreRows) {
  Levels levels;
  levels.Set(0, Side::kBid, 1000, 10);  // Row 2.
  levels.Set(1, Side::kBid, 1000, 14);
  levels.Set(2, Side::kBid, 1000, 3);  // Two commands.
  levels.Set(3, Side::kAsk, 1001, 3);  // Row 5.
  levels.Cancel(4, 5);
  EXPECT_EQ(levels.Seen(),
            "new_order 10; new_order 4; reduce #3 4; reduce #2 7; new_order 3; cancel #6; ");
}

TEST(LevelOrders, ATimeOutOfReachIsRefused) {
  LevelOrders orders([](const journal::Record&) { return absl::OkStatus(); });
  EXPECT_TRUE(absl::IsInvalidArgument(orders.Skip(Timestamp::Max())));
  EXPECT_TRUE(absl::IsInvalidArgument(orders.Skip(Timestamp::Min())));
  EXPECT_TRUE(orders.Skip(Timestamp::FromNanos(-LevelOrders::kNanosMax)).ok());
  EXPECT_TRUE(orders.Skip(Timestamp::FromNanos(LevelOrders::kNanosMax)).ok());
}

// At random, trades before, after and without what they take: in the end the book is the recorded
// one, and the exchange has refused nothing.
TEST(LevelOrders, TheBookIsTheRecordedOne) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    engine::Prng random(seed);
    Levels levels;
    std::map<std::pair<Side, int64_t>, uint64_t> recorded;
    int64_t millis = 0;
    for (int64_t i = 0; i < 3'000; ++i) {
      millis += random.Between(0, 40);
      const Side side = random.Below(2) == 0 ? Side::kBid : Side::kAsk;
      const int64_t price = random.Between(990, 993);
      const uint64_t quantity = random.Below(20);
      const uint64_t kind = random.Below(4);
      const int64_t moment = random.Between(0, 1) * i;
      if (kind == 1) levels.Trade(millis, side, price, 1 + random.Below(20), moment);
      if (kind != 2) {
        levels.Set(millis, side, price, quantity, moment);
        recorded[{side, price}] = quantity;
      }
      if (kind > 1) levels.Trade(millis, side, price, 1 + random.Below(20), moment);
    }
    levels.Skip(millis + 1'000);
    levels.Seen();
    EXPECT_EQ(levels.rejected(), 0u);
    for (const auto& [name, quantity] : recorded) {
      EXPECT_EQ(levels.At(name.first, name.second), quantity) << name.second;
    }
  }
}

}  // namespace
}  // namespace tools
