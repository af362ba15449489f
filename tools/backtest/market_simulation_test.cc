// What recorded orders do when another participant is there, by the two policies.

#include "tools/backtest/market_simulation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/views/depth_view.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"

namespace tools {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::OrderId;
using engine::Price;
using engine::Quantity;
using engine::SequenceNumber;
using engine::Side;

constexpr engine::MarketId kMarket = engine::MarketId(1);
constexpr engine::AccountId kOwn = engine::AccountId(99);

// A recorded market, written down order by order, and what is traded in the simulation.
class Market {
 public:
  explicit Market(Impact impact, bool mirrored = false) : simulation_(impact) {
    Command define;
    define.kind = CommandKind::kDefineMarket;
    define.market = kMarket;
    Record(define, engine::EncodeMarketDefinition({.id = kMarket,
                                                   .symbol = "ACME",
                                                   .price_decimals = 2,
                                                   .quantity_decimals = 0,
                                                   .mirrored = mirrored}));
  }

  // Returns the id as recorded.
  OrderId Order(Side side, int64_t price, uint64_t quantity, uint32_t account = 1) {
    Record(NewOrder(side, price, quantity, engine::AccountId(account)));
    return OrderId(recorded_.value());
  }
  void Cancel(OrderId order, uint32_t account = 1) {
    Command command;
    command.kind = CommandKind::kCancel;
    command.market = kMarket;
    command.account = engine::AccountId(account);
    command.order_id = order;
    Record(command);
  }
  // Recorded commands about an order, for mirrored markets.
  OrderId Mirror(Side side, int64_t price, uint64_t quantity) {
    return Order(side, price, quantity, /*account=*/0);
  }
  void Execute(OrderId order, int64_t price, uint64_t quantity, Side side = {}) {
    Command command = About(CommandKind::kExecute, order, price, quantity);
    command.side = side;
    Record(command);
  }
  void Reduce(OrderId order, uint64_t quantity) {
    Record(About(CommandKind::kReduce, order, 0, quantity));
  }
  void ReduceTo(OrderId order, uint64_t quantity) {
    Record(About(CommandKind::kReduceTo, order, 0, quantity));
  }
  OrderId Replace(OrderId order, int64_t price, uint64_t quantity) {
    Record(About(CommandKind::kReplace, order, price, quantity));
    return OrderId(recorded_.value());
  }
  void SetState(CommandKind kind) { Record(About(kind, OrderId(), 0, 0)); }

  OrderId Own(Side side, int64_t price, uint64_t quantity,
              engine::TimeInForce tif = engine::TimeInForce::kGoodTillCancelled,
              engine::OrderFlags flags = {}) {
    Command command = NewOrder(side, price, quantity, kOwn);
    command.tif = tif;
    command.flags = flags;
    const OrderId order(Apply(command).value());
    own_.insert(order.value());
    return order;
  }
  void OwnUntil(Side side, int64_t price, uint64_t quantity, engine::Timestamp expires) {
    Command command = NewOrder(side, price, quantity, kOwn);
    command.tif = engine::TimeInForce::kGoodTillTime;
    command.set_expires_at(expires);
    Apply(command);
  }
  // From here on it is that late.
  void Wait(engine::Timestamp time) { now_ = time; }
  void OwnAmend(OrderId order, int64_t price, uint64_t total) {
    Command command = About(CommandKind::kAmend, order, price, total);
    command.account = kOwn;
    Apply(command);
  }
  void OwnCancel(OrderId order) {
    Command command = About(CommandKind::kCancel, order, 0, 0);
    command.account = kOwn;
    Apply(command);
  }
  bool IsOwn(OrderId order) const { return own_.contains(order.value()); }

  // What was traded and what ended since the last call, "4@999 10@1000 missed 4@1000 ...".
  std::string Seen() { return std::exchange(seen_, std::string()); }
  const engine::DepthView& depth() const { return depth_; }
  uint64_t At(Side side, int64_t price) const {
    const auto* const level = depth_.FindLevel(kMarket, side, Price::FromUnits(price));
    return level == nullptr ? 0 : level->quantity.units();
  }
  uint64_t corrections() const { return simulation_.corrections(); }

 private:
  static Command NewOrder(Side side, int64_t price, uint64_t quantity, engine::AccountId account) {
    Command command;
    command.kind = CommandKind::kNewOrder;
    command.market = kMarket;
    command.account = account;
    command.side = side;
    command.type = engine::OrderType::kLimit;
    command.tif = engine::TimeInForce::kGoodTillCancelled;
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return command;
  }
  static Command About(CommandKind kind, OrderId order, int64_t price, uint64_t quantity) {
    Command command;
    command.kind = kind;
    command.market = kMarket;
    command.order_id = order;
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return command;
  }
  SequenceNumber Apply(const Command& command) {
    return simulation_.ApplyOwn(
        command, {},
        [&](const Command& applied, std::span<const Event> events) { See(applied, events); });
  }
  void Record(Command command, const std::vector<std::byte>& attachment = {}) {
    recorded_ = recorded_.Next();
    command.sequence = recorded_;
    command.timestamp = now_;
    const journal::Row row = replay::ToRow(command);
    simulation_.ApplyRecorded(
        {.row = &row, .attachment = attachment},
        [&](const Command& applied, std::span<const Event> events) { See(applied, events); },
        [&](const MarketSimulation::MissedTrade& missed) {
          Add("missed ", missed.quantity, missed.trade.price);
        });
  }
  void See(const Command& command, std::span<const Event> events) {
    depth_.OnEvents(command, events);
    for (const Event& event : events) {
      if (event.kind == engine::EventKind::kTrade) Add("", event.quantity, event.price);
      if (event.kind == engine::EventKind::kCancelled) Add("ends ", event.quantity, event.price);
      if (event.kind == engine::EventKind::kReduced) Add("less ", event.quantity, event.price);
      if (event.kind == engine::EventKind::kTimeAdvanced) seen_ += "advanced ";
      if (event.kind == engine::EventKind::kRejected) seen_ += "rejected ";
    }
  }
  void Add(const char* what, Quantity quantity, Price price) {
    seen_ += what + std::to_string(quantity.units()) + "@" + std::to_string(price.units()) + " ";
  }

  MarketSimulation simulation_;
  engine::DepthView depth_;
  SequenceNumber recorded_;
  engine::Timestamp now_;
  std::set<uint64_t> own_;
  std::string seen_;
};

TEST(MarketSimulation, TradesAsRecordedWithoutAStrategy) {
  Market market(Impact::kNone);
  const OrderId ask = market.Order(Side::kAsk, 1000, 10);
  market.Order(Side::kBid, 1000, 4);
  EXPECT_EQ(market.Seen(), "4@1000 ");
  market.Cancel(ask);
  EXPECT_EQ(market.Seen(), "ends 6@1000 ");
  EXPECT_EQ(market.corrections(), 0u);
}

TEST(MarketSimulation, RestingOrderThatWasPassedOverTradesAsRecorded) {
  Market market(Impact::kNone);
  market.Order(Side::kAsk, 1000, 10);
  market.Own(Side::kAsk, 999, 4);
  market.Order(Side::kBid, 1000, 10);
  EXPECT_EQ(market.Seen(), "4@999 6@1000 missed 4@1000 ends 4@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 0u);
}

TEST(MarketSimulation, RestingOrderThatWasPassedOverStaysIfDisplaced) {
  Market market(Impact::kDisplace);
  market.Order(Side::kAsk, 1000, 10);
  market.Own(Side::kAsk, 999, 4);
  market.Order(Side::kBid, 1000, 10);
  EXPECT_EQ(market.Seen(), "4@999 6@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 4u);
}

TEST(MarketSimulation, TheStrategyWaitsInTheQueue) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    Market market(impact);
    market.Order(Side::kAsk, 1000, 10);
    market.Own(Side::kAsk, 1000, 4);
    market.Order(Side::kBid, 1000, 10);
    EXPECT_EQ(market.Seen(), "10@1000 ");
    market.Order(Side::kBid, 1000, 3);
    // As recorded it rests: there was no seller left.
    EXPECT_EQ(market.Seen(), "3@1000 ");
    EXPECT_EQ(market.At(Side::kAsk, 1000), 1u);
    EXPECT_EQ(market.At(Side::kBid, 1000), 0u);
  }
}

TEST(MarketSimulation, WhatFindsLessIsDropped) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    Market market(impact);
    market.Order(Side::kAsk, 1000, 10);
    market.Own(Side::kBid, 1000, 4);
    EXPECT_EQ(market.Seen(), "4@1000 ");
    market.Order(Side::kBid, 1000, 10);
    const std::string missed = impact == Impact::kNone ? "missed 4@1000 rejected " : "";
    EXPECT_EQ(market.Seen(), "6@1000 " + missed + "ends 4@1000 ");
    EXPECT_EQ(market.At(Side::kBid, 1000), 0u);
  }
}

TEST(MarketSimulation, WhatRestedAsRecordedRests) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    Market market(impact);
    market.Order(Side::kAsk, 1000, 10);
    market.Own(Side::kBid, 1000, 4);
    market.Seen();
    const OrderId bid = market.Order(Side::kBid, 1000, 15);
    EXPECT_EQ(market.At(Side::kBid, 1000), 5u);
    market.Cancel(bid);
    EXPECT_EQ(market.At(Side::kBid, 1000), 0u);
  }
}

// Orders at random: what rests of recorded orders is at most what rests
// as recorded, if recorded orders trade as recorded.
TEST(MarketSimulation, RecordedOrdersNeverRestLonger) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    engine::Prng random(seed);
    Market alone(Impact::kNone);
    Market market(Impact::kNone);
    std::vector<OrderId> orders;
    uint64_t own = 0;
    for (int i = 0; i < 2'000; ++i) {
      if (random.Below(10) == 0) {
        const Side side = random.Below(2) == 0 ? Side::kBid : Side::kAsk;
        // Out of reach of what the strategy itself has there.
        const int64_t price =
            side == Side::kBid ? random.Between(990, 999) : random.Between(1001, 1010);
        const uint64_t quantity = 1 + random.Below(5);
        market.Own(side, price, quantity);
        ++own;
        continue;
      }
      if (!orders.empty() && random.Below(3) == 0) {
        const OrderId order = orders[random.Below(orders.size())];
        alone.Cancel(order);
        market.Cancel(order);
        continue;
      }
      const Side side = random.Below(2) == 0 ? Side::kBid : Side::kAsk;
      const int64_t price = random.Between(990, 1010);
      const uint64_t quantity = 1 + random.Below(10);
      const OrderId order = alone.Order(side, price, quantity);
      ASSERT_EQ(market.Order(side, price, quantity), order);
      orders.push_back(order);
    }
    EXPECT_GT(own, 100u);
    EXPECT_GT(market.corrections(), 10u);
    for (int64_t price = 980; price <= 1020; ++price) {
      for (const Side side : {Side::kBid, Side::kAsk}) {
        uint64_t recorded = 0;
        const auto* const level = market.depth().FindLevel(kMarket, side, Price::FromUnits(price));
        if (level == nullptr) continue;
        for (const engine::OrderPool::Place& place : level->queue) {
          if (!market.IsOwn(place.order)) recorded += place.quantity_remaining.units();
        }
        EXPECT_LE(recorded, alone.At(side, price)) << price;
      }
    }
  }
}

// Mirrored markets: trades are "quantity@price".

TEST(MirroredMarket, TheStrategyWaitsInTheQueue) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    Market market(impact, /*mirrored=*/true);
    const OrderId first = market.Mirror(Side::kAsk, 1000, 10);
    market.Own(Side::kAsk, 1000, 4);
    market.Execute(first, 1000, 6);
    EXPECT_EQ(market.Seen(), "6@1000 ");
    market.Execute(first, 1000, 4);
    EXPECT_EQ(market.Seen(), "4@1000 ");
    EXPECT_EQ(market.At(Side::kAsk, 1000), 4u);
  }
}

TEST(MirroredMarket, WhatIsBeforeTheNamedOrderIsFilledUpToTheTakersQuantity) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Own(Side::kAsk, 1000, 4);
  const OrderId order = market.Mirror(Side::kAsk, 1000, 10);
  market.Execute(order, 1000, 3);
  EXPECT_EQ(market.Seen(), "3@1000 3@1000 ");
  market.Execute(order, 1000, 3);
  EXPECT_EQ(market.Seen(), "3@1000 1@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 4u);
}

TEST(MirroredMarket, ABetterPriceIsBeforeAndTradesAtItsOwn) {
  Market market(Impact::kNone, /*mirrored=*/true);
  const OrderId order = market.Mirror(Side::kBid, 1000, 10);
  market.Own(Side::kBid, 1002, 3);
  market.Own(Side::kBid, 1001, 3);
  market.Own(Side::kBid, 999, 3);
  market.Execute(order, 1000, 5);
  EXPECT_EQ(market.Seen(), "5@1000 3@1002 2@1001 ");
}

TEST(MirroredMarket, DisplacedOrdersKeepWhatTheTakerDidNotFind) {
  Market market(Impact::kDisplace, /*mirrored=*/true);
  market.Own(Side::kAsk, 1000, 4);
  const OrderId first = market.Mirror(Side::kAsk, 1000, 10);
  const OrderId second = market.Mirror(Side::kAsk, 1001, 10);
  market.Execute(first, 1000, 10);
  EXPECT_EQ(market.Seen(), "6@1000 4@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 4u);
  // The next taker finds the rest.
  market.Execute(second, 1001, 3);
  EXPECT_EQ(market.Seen(), "advanced 3@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 1u);
  EXPECT_EQ(market.At(Side::kAsk, 1001), 10u);
}

TEST(MirroredMarket, ACancelEndsAlsoWhatWasDisplaced) {
  Market market(Impact::kDisplace, /*mirrored=*/true);
  market.Own(Side::kAsk, 1000, 4);
  const OrderId order = market.Mirror(Side::kAsk, 1000, 10);
  market.Execute(order, 1000, 5);
  EXPECT_EQ(market.Seen(), "1@1000 4@1000 ");
  market.ReduceTo(order, 3);
  EXPECT_EQ(market.Seen(), "less 2@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 7u);
  market.Reduce(order, 3);  // All of it as recorded.
  EXPECT_EQ(market.Seen(), "less 3@1000 ends 4@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 0u);
}

TEST(MirroredMarket, AnOwnOrderTakesByPriceAndTime) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    Market market(impact, /*mirrored=*/true);
    const OrderId first = market.Mirror(Side::kAsk, 1001, 5);
    const OrderId second = market.Mirror(Side::kAsk, 1000, 4);
    market.Own(Side::kBid, 1001, 7);
    EXPECT_EQ(market.Seen(), "4@1000 3@1001 ");
    EXPECT_EQ(market.At(Side::kBid, 1001), 0u);
    // As recorded they trade with others.
    market.Execute(second, 1000, 4);
    market.Execute(first, 1001, 5);
    const std::string missed =
        impact == Impact::kNone ? "missed 4@1000 2@1001 missed 3@1001 " : "2@1001 ";
    EXPECT_EQ(market.Seen(), "advanced " + missed);
  }
}

TEST(MirroredMarket, WhatIsLeftOfAnOwnOrderRestsAndTradesWithWhatArrives) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Mirror(Side::kAsk, 1000, 4);
  market.Own(Side::kBid, 1000, 7);
  EXPECT_EQ(market.Seen(), "4@1000 ");
  EXPECT_EQ(market.At(Side::kBid, 1000), 3u);
  market.Mirror(Side::kAsk, 999, 5);
  EXPECT_EQ(market.Seen(), "3@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 999), 2u);
  const OrderId away = market.Mirror(Side::kAsk, 1005, 2);
  market.Own(Side::kBid, 998, 5);
  market.Replace(away, 998, 6);
  EXPECT_EQ(market.Seen(), "5@998 ");
}

TEST(MirroredMarket, TermsOfOwnOrdersAreThoseOfTheRules) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Mirror(Side::kAsk, 1000, 4);
  market.Own(Side::kBid, 1000, 1, engine::TimeInForce::kGoodTillCancelled,
             engine::OrderFlags().WithPostOnly());
  EXPECT_EQ(market.Seen(), "advanced rejected ");
  market.Own(Side::kBid, 1000, 9, engine::TimeInForce::kFillOrKill);
  EXPECT_EQ(market.Seen(), "ends 9@1000 ");
  market.Own(Side::kBid, 1000, 3, engine::TimeInForce::kFillOrKill);
  EXPECT_EQ(market.Seen(), "3@1000 ");
  market.Own(Side::kBid, 1000, 3, engine::TimeInForce::kImmediateOrCancel);
  EXPECT_EQ(market.Seen(), "1@1000 ends 2@1000 ");
  // Of two own orders none takes the other.
  market.Own(Side::kBid, 1000, 3);
  market.Own(Side::kAsk, 1000, 3);
  EXPECT_EQ(market.Seen(), "");
}

TEST(MirroredMarket, AnAmendThatCrossesTakes) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Mirror(Side::kAsk, 1000, 4);
  const OrderId own = market.Own(Side::kBid, 990, 5);
  const OrderId cautious = market.Own(Side::kBid, 990, 5, engine::TimeInForce::kGoodTillCancelled,
                                      engine::OrderFlags().WithPostOnly());
  market.OwnAmend(cautious, 1000, 5);
  EXPECT_EQ(market.Seen(), "advanced rejected ");
  market.OwnAmend(own, 1000, 5);
  EXPECT_EQ(market.Seen(), "4@1000 ");
  EXPECT_EQ(market.At(Side::kBid, 1000), 1u);
  market.OwnAmend(own, 1000, 7);  // Four of them are filled.
  EXPECT_EQ(market.At(Side::kBid, 1000), 3u);
  market.OwnCancel(own);
  EXPECT_EQ(market.Seen(), "ends 3@1000 ");
}

TEST(MirroredMarket, AnOwnOrderThatExpiresIsNotThereAnyMore) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.OwnUntil(Side::kBid, 1000, 4, engine::Timestamp::FromNanos(50));
  market.Own(Side::kBid, 1000, 2);
  market.Wait(engine::Timestamp::FromNanos(50));
  market.Mirror(Side::kAsk, 1000, 5);
  EXPECT_EQ(market.Seen(), "ends 4@1000 advanced 2@1000 ");
  EXPECT_EQ(market.At(Side::kAsk, 1000), 3u);
}

TEST(MirroredMarket, APrintFillsWhatItsQuantityReaches) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Mirror(Side::kBid, 1000, 10);
  market.Own(Side::kBid, 1000, 4);
  market.Execute(OrderId(), 1000, 10, Side::kBid);
  EXPECT_EQ(market.Seen(), "10@1000 ");
  market.Execute(OrderId(), 1000, 12, Side::kBid);
  EXPECT_EQ(market.Seen(), "12@1000 2@1000 ");
  market.Execute(OrderId(), 999, 1, Side::kBid);
  EXPECT_EQ(market.Seen(), "1@999 1@1000 ");
  market.Execute(OrderId(), 900, 9);  // A cross: no side.
  EXPECT_EQ(market.Seen(), "9@900 ");
}

TEST(MirroredMarket, ACrossedBookStaysAsRecorded) {
  Market market(Impact::kNone, /*mirrored=*/true);
  market.Own(Side::kBid, 900, 1);
  market.Mirror(Side::kBid, 1005, 4);
  market.Mirror(Side::kAsk, 1000, 4);
  EXPECT_EQ(market.Seen(), "");
  EXPECT_EQ(market.At(Side::kBid, 1005), 4u);
  EXPECT_EQ(market.At(Side::kAsk, 1000), 4u);
}

TEST(MirroredMarket, APausedMarketRefuses) {
  Market market(Impact::kNone, /*mirrored=*/true);
  const OrderId order = market.Mirror(Side::kAsk, 1000, 4);
  const OrderId own = market.Own(Side::kBid, 900, 1);
  market.SetState(CommandKind::kPauseMarket);
  market.Own(Side::kBid, 1000, 1);
  EXPECT_EQ(market.Seen(), "rejected ");
  market.OwnAmend(own, 1000, 1);
  EXPECT_EQ(market.Seen(), "rejected ");
  market.SetState(CommandKind::kOpenMarket);
  market.OwnAmend(own, 1000, 1);
  EXPECT_EQ(market.Seen(), "1@1000 ");
  market.Execute(order, 1000, 3);
  EXPECT_EQ(market.Seen(), "3@1000 ");
}

// Orders at random. Without an order of the strategy in its way, each recorded order has what it
// has as recorded; with some, none has more if recorded orders trade as recorded, and the
// strategy's are never passed over.
TEST(MirroredMarket, TheBookIsTheRecordedOne) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    engine::Prng random(seed);
    const bool has_own = seed % 2 == 0;
    Market alone(Impact::kNone, /*mirrored=*/true);
    Market market(Impact::kNone, /*mirrored=*/true);
    // One far away makes the simulation look at each record.
    market.Own(Side::kBid, 1, 1);
    std::vector<OrderId> orders;
    const auto check = [&] {
      for (int64_t price = 989; price <= 1011; ++price) {
        for (const Side side : {Side::kBid, Side::kAsk}) {
          uint64_t recorded = 0;
          const auto* const level =
              market.depth().FindLevel(kMarket, side, Price::FromUnits(price));
          if (level != nullptr) {
            for (const engine::OrderPool::Place& place : level->queue) {
              if (!market.IsOwn(place.order)) recorded += place.quantity_remaining.units();
            }
          }
          if (has_own) {
            ASSERT_LE(recorded, alone.At(side, price)) << price;
          } else {
            ASSERT_EQ(recorded, alone.At(side, price)) << price;
          }
        }
      }
    };
    for (int i = 0; i < 1'000; ++i) {
      ASSERT_NO_FATAL_FAILURE(check());
      const Side side = random.Below(2) == 0 ? Side::kBid : Side::kAsk;
      const int64_t price = random.Between(990, 1010);
      const uint64_t quantity = 1 + random.Below(10);
      const uint64_t kind = random.Below(10);
      if (has_own && kind == 0) {
        market.Own(side, price, quantity);
        continue;
      }
      if (orders.empty() || kind < 5) {
        const OrderId order = alone.Mirror(side, price, quantity);
        ASSERT_EQ(market.Mirror(side, price, quantity), order);
        orders.push_back(order);
        continue;
      }
      const OrderId order = orders[random.Below(orders.size())];
      for (Market* const each : {&alone, &market}) {
        if (kind == 5) each->Cancel(order, /*account=*/0);
        if (kind == 6) each->Reduce(order, quantity);
        if (kind > 6) each->Execute(order, price, quantity);
      }
    }
  }
}

}  // namespace
}  // namespace tools
