// Any rows are safe, and the same rows give the same decisions.

#include "tools/strategy/desk.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "tools/strategy/action.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/position.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/strategy_machine.h"
#include "tools/strategy/vocabulary.h"

namespace strategy {
namespace {

using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Side;

// Rows of which many make sense, and some do not at all.
class RandomRows {
 public:
  explicit RandomRows(uint64_t seed) : random_(seed) {}

  Input Next(const Desk& desk) {
    Input input;
    input.kind = static_cast<InputKind>(random_.Below(kInputKindCount + 2));
    input.market = MarketId(static_cast<uint32_t>(random_.Below(4)));
    input.price = Price::FromUnits(random_.Between(1'990, 2'010));
    input.quantity = Quantity::FromUnits(random_.Below(50));
    input.amount = random_.Between(-50, 50);
    input.side = static_cast<Side>(random_.Below(3));
    input.detail = static_cast<uint8_t>(random_.Below(9));
    input.flags = static_cast<uint8_t>(random_.Below(2));
    if (!desk.orders().all().empty() && random_.Below(4) != 0) {
      const size_t at = random_.Below(desk.orders().all().size());
      input.order = desk.orders().all()[at].number;
    }
    switch (random_.Below(200)) {
      case 0:
        input.price = Price::FromUnits(static_cast<int64_t>(random_.Next()));
        break;
      case 1:
        input.quantity = Quantity::FromUnits(random_.Next());
        break;
      case 2:
        input.amount = static_cast<int64_t>(random_.Next());
        break;
      case 3:
        input.market = MarketId(static_cast<uint32_t>(random_.Next()));
        break;
      case 4:
        input.order = OrderNumber(random_.Next());
        break;
      default:
        break;
    }
    // Most of the time the connection is live.
    if (input.kind == InputKind::kConnection && random_.Below(4) != 0) {
      input.detail = static_cast<uint8_t>(ConnectionState::kLive);
    }
    return input;
  }
  std::vector<std::byte> AttachmentOf(const Input& input) {
    if (input.kind != InputKind::kMarket || random_.Below(4) == 0) return {};
    return engine::EncodeMarketDefinition({.id = input.market,
                                           .symbol = "M" + std::to_string(input.market.value()),
                                           .price_decimals = 2,
                                           .quantity_decimals = 0});
  }
  int64_t Nanos() { return random_.Between(0, 300'000'000); }

 private:
  engine::Prng random_;
};

struct Ran {
  engine::Digest digest;
  uint64_t outputs = 0;
};

Ran RunRandomly(std::unique_ptr<Strategy> strategy, uint64_t seed) {
  StrategyMachine machine("test", std::move(strategy));
  replay::Driver driver(machine);
  StrategyVocabulary vocabulary;
  RandomRows rows(seed);
  int64_t nanos = 0;
  for (uint64_t sequence = 1; sequence <= 4'096; ++sequence) {
    Input input = rows.Next(machine.desk());
    if (sequence <= 3)
      input = {.market = MarketId(static_cast<uint32_t>(sequence)), .kind = InputKind::kMarket};
    nanos += rows.Nanos();
    input.sequence = engine::SequenceNumber(sequence);
    input.time = engine::Timestamp::FromNanos(nanos);
    const std::vector<std::byte> attachment = rows.AttachmentOf(input);
    const journal::Row row = ToRow(input);
    const journal::Record record{.row = &row, .attachment = attachment};
    vocabulary.Follow(record);
    EXPECT_FALSE(vocabulary.Text(record).empty());
    for (const replay::Output& output : driver.Apply(record)) {
      EXPECT_FALSE(vocabulary.Text(output).empty());
    }
    if (sequence % 64 == 0) machine.CheckInvariants();
  }
  return {*driver.Checkpoint().trace, driver.output_count()};
}

TEST(Desk, AnyRowsAreSafeAndRepeatable) {
  uint64_t outputs = 0;
  ASSERT_EQ(AllStrategies().size(), 3u);
  for (const auto& [name, make] : AllStrategies()) {
    SCOPED_TRACE(name);
    for (uint64_t seed = 1; seed <= 30; ++seed) {
      const Ran first = RunRandomly(make(), seed);
      EXPECT_EQ(first.digest, RunRandomly(make(), seed).digest) << seed;
      outputs += first.outputs;
    }
  }
  EXPECT_GT(outputs, 10'000u);
}

TEST(Book, KeepsLevelsSorted) {
  Book book;
  EXPECT_FALSE(book.is_good());
  book.Clear();
  engine::Prng random(1);
  std::map<int64_t, uint64_t> bids;
  for (int i = 0; i < 20'000; ++i) {
    const int64_t price = random.Between(1, 60);
    const uint64_t quantity = random.Below(3);
    book.Set(Side::kBid, Price::FromUnits(price), Quantity::FromUnits(quantity));
    if (quantity == 0) {
      bids.erase(price);
    } else {
      bids[price] = quantity;
    }
    ASSERT_EQ(book.size(Side::kBid), bids.size());
    size_t at = 0;
    for (auto it = bids.rbegin(); it != bids.rend(); ++it, ++at) {
      ASSERT_EQ(book.at(Side::kBid, at),
                (Book::Level{Price::FromUnits(it->first), Quantity::FromUnits(it->second)}));
      ASSERT_EQ(book.QuantityAt(Side::kBid, Price::FromUnits(it->first)).units(), it->second);
    }
  }
  EXPECT_TRUE(book.is_good());
}

TEST(Book, AsksAreBestWhenLow) {
  Book book;
  book.Clear();
  book.Set(Side::kAsk, Price::FromUnits(12), Quantity::FromUnits(1));
  book.Change(Side::kAsk, Price::FromUnits(11), 5);
  book.Change(Side::kAsk, Price::FromUnits(13), 5);
  EXPECT_EQ(book.best(Side::kAsk)->price, Price::FromUnits(11));
  book.Change(Side::kAsk, Price::FromUnits(11), -5);
  EXPECT_EQ(book.best(Side::kAsk)->price, Price::FromUnits(12));
  EXPECT_TRUE(book.is_good());
  book.Change(Side::kAsk, Price::FromUnits(11), -1);
  EXPECT_FALSE(book.is_good());
}

TEST(Position, ProfitIsExact) {
  Position position(
      {.id = MarketId(1), .symbol = "A", .price_decimals = 4, .quantity_decimals = 2});
  position.Fill(Side::kBid, Price::FromUnits(4'200), Quantity::FromUnits(5'000), {});
  EXPECT_EQ(position.Profit(2 * 4'201).micros(), 5'000);
  position.Fill(Side::kAsk, Price::FromUnits(4'300), Quantity::FromUnits(6'000),
                engine::Money::FromMicros(7));
  EXPECT_EQ(position.units(), -1'000);
  // 60 sold at 0.43, 50 bought at 0.42, 10 short at 0.40.
  EXPECT_EQ(position.Profit(2 * 4'000).micros(), 25'800'000 - 21'000'000 - 4'000'000 - 7);
}

TEST(Parameters, TextsAreChecked) {
  Parameters parameters;
  parameters.Add("spread", {.decimals = 2, .value = 5, .low = 1, .high = 100});
  EXPECT_EQ(parameters.Parse("spread=0.10")->value, 10);
  EXPECT_EQ(parameters.Parse("spread=1.01").status().message(),
            "spread=1.01: expected from 0.01 to 1.00");
  EXPECT_EQ(parameters.Parse("spread").status().message(), "'spread': expected NAME=VALUE");
  EXPECT_EQ(parameters.Parse("sprad=1").status().message(),
            "no parameter 'sprad', expected one of spread");
  EXPECT_FALSE(parameters.Parse("spread=1e9").ok());
  EXPECT_FALSE(parameters.Set("spread", 0).ok());
  EXPECT_EQ(parameters.Find("spread")->value, 5);
}

}  // namespace
}  // namespace strategy
