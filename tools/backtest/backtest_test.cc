// When a strategy hears what, and when its orders arrive; what is refused.

#include "tools/backtest/backtest.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "tools/strategy/input.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy_machine.h"
#include "tools/strategy/vocabulary.h"

namespace tools {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

constexpr MarketId kMarket = MarketId(1);

// The ladder of the examples with one rung, in a market that is written down order by order. Times
// are in microseconds.
class Session {
 public:
  explicit Session(BacktestTerms terms)
      : backtest_(WithOneRung(std::move(terms)), machine_, Apply()) {}

  absl::Status Define(const engine::MarketDefinition& definition) {
    Command command;
    command.kind = CommandKind::kDefineMarket;
    command.market = definition.id;
    return Record(0, command, engine::EncodeMarketDefinition(definition));
  }
  absl::Status Order(int64_t micros, Side side, int64_t price, uint64_t quantity,
                     engine::AccountId account = engine::AccountId(5)) {
    Command command = CommandOf(CommandKind::kNewOrder);
    command.account = account;
    command.side = side;
    command.type = engine::OrderType::kLimit;
    command.tif = engine::TimeInForce::kGoodTillCancelled;
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return Record(micros, command, {});
  }

  // In mirrored markets.
  absl::Status Mirror(int64_t micros, Side side, int64_t price, uint64_t quantity) {
    return Order(micros, side, price, quantity, engine::AccountId());
  }
  absl::Status Execute(int64_t micros, uint64_t order, int64_t price, uint64_t quantity) {
    Command command = CommandOf(CommandKind::kExecute);
    command.order_id = engine::OrderId(order);
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return Record(micros, command, {});
  }
  absl::Status SetState(int64_t micros, CommandKind kind) {
    return Record(micros, CommandOf(kind), {});
  }

  Backtest& backtest() { return backtest_; }
  // What was heard and decided, each line after its time.
  const std::string& seen() const { return seen_; }

 private:
  static Command CommandOf(CommandKind kind) {
    Command command;
    command.kind = kind;
    command.market = kMarket;
    return command;
  }
  static BacktestTerms WithOneRung(BacktestTerms terms) {
    terms.parameters.push_back({.name = "rungs", .value = 1});
    return terms;
  }
  Backtest::Apply Apply() {
    return [this](const strategy::Input& input,
                  engine::Bytes attachment) -> absl::StatusOr<std::span<const replay::Output>> {
      journal::Row row = strategy::ToRow(input);
      row.sequence = driver_.last_applied().Next();
      const journal::Record record{.row = &row, .attachment = attachment};
      vocabulary_.Follow(record);
      See(input.time, vocabulary_.RowKindName(vocabulary_.KindOf(row)));
      const auto outputs = driver_.Apply(record);
      for (const replay::Output& output : outputs) {
        See(input.time, vocabulary_.OutputKindName(output.kind));
      }
      return outputs;
    };
  }
  void See(Timestamp time, const std::string& what) {
    absl::StrAppend(&seen_, time.nanos() / 1'000, " ", what, "\n");
  }
  absl::Status Record(int64_t micros, Command command, const std::vector<std::byte>& attachment) {
    last_ = last_.Next();
    command.sequence = last_;
    command.timestamp = Timestamp::FromNanos(micros * 1'000);
    const journal::Row row = replay::ToRow(command);
    return backtest_.ApplyRecorded({.row = &row, .attachment = attachment});
  }

  strategy::StrategyMachine machine_{"ladder", strategy::FindStrategy("ladder")->make()};
  replay::Driver driver_{machine_, engine::SequenceNumber()};
  strategy::StrategyVocabulary vocabulary_;
  engine::SequenceNumber last_;
  std::string seen_;
  Backtest backtest_;
};

engine::MarketDefinition Acme() {
  return {.id = kMarket, .symbol = "ACME", .price_decimals = 2, .quantity_decimals = 0};
}

engine::MarketDefinition Mirrored() {
  engine::MarketDefinition definition = Acme();
  definition.mirrored = true;
  return definition;
}

BacktestTerms Terms() { return {.to_strategy = {.least = 50'000}, .to_venue = {.least = 80'000}}; }

TEST(Backtest, ALatencyIsTheTimeUntilSomethingIsHeardOrArrives) {
  Session session(Terms());
  ASSERT_TRUE(session.Define(Acme()).ok());
  ASSERT_TRUE(session.Order(1'000, Side::kBid, 1'000, 100).ok());
  ASSERT_TRUE(session.Order(1'000, Side::kAsk, 1'010, 100).ok());
  // Its orders arrive at 1'131: 50 and 80, and 1 for the decision. At the same time a record is
  // first.
  ASSERT_TRUE(session.Order(1'131, Side::kBid, 1'010, 100).ok());
  ASSERT_TRUE(session.Order(2'000, Side::kBid, 1'010, 30).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  EXPECT_EQ(session.seen(),
            "0 parameter\n"
            "0 connection\n"
            "50 market\n"
            "50 book_clear\n"
            "1050 book_level\n"
            "1050 book_level\n"
            "1050 new_order\n"
            "1050 new_order\n"
            "1181 trade\n"
            "1181 book_level\n"
            "1181 order_accepted\n"
            "1181 book_level\n"
            "1181 order_accepted\n"
            "1181 book_level\n"
            "2050 order_filled\n"
            "2050 trade\n"
            "2050 book_level\n");
  ASSERT_EQ(session.backtest().results().fills().size(), 1u);
  const Fill& fill = session.backtest().results().fills().front();
  EXPECT_TRUE(fill.is_maker);
  EXPECT_EQ(fill.side, Side::kAsk);
  EXPECT_EQ(fill.quantity.units(), 30u);
  EXPECT_EQ(fill.level, 0u);
}

TEST(Backtest, AFillIsMarkedAtTheMidLater) {
  Session session(Terms());
  ASSERT_TRUE(session.Define(Acme()).ok());
  ASSERT_TRUE(session.Order(1'000, Side::kBid, 1'000, 1'000).ok());
  ASSERT_TRUE(session.Order(1'000, Side::kAsk, 1'010, 10).ok());
  ASSERT_TRUE(session.Order(2'000, Side::kBid, 1'010, 40).ok());  // 10 of the other, 30 of its 100.
  ASSERT_TRUE(session.Order(50'000, Side::kBid, 1'004, 1).ok());
  ASSERT_TRUE(session.Order(200'000, Side::kBid, 1'005, 1).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  const Fill& fill = session.backtest().results().fills().at(0);
  EXPECT_EQ(fill.twice_mid, 2'010);
  EXPECT_EQ(fill.twice_mid_later[0], 2'014);
  EXPECT_EQ(fill.twice_mid_later[1], std::nullopt);
  // It sold, and the mid rose by two.
  const LevelResults& best = session.backtest().results().levels().at(0);
  EXPECT_EQ(best.filled, 30u);
  EXPECT_EQ(best.marked[0], 30u);
  EXPECT_EQ(static_cast<int64_t>(best.twice_markout[0]), -4 * 30);
}

TEST(Backtest, AnExecutionInAMirroredMarketFillsWhatIsBeforeItsOrder) {
  Session session(Terms());
  ASSERT_TRUE(session.Define(Mirrored()).ok());
  ASSERT_TRUE(session.Mirror(1'000, Side::kBid, 1'000, 100).ok());
  ASSERT_TRUE(session.Mirror(1'000, Side::kAsk, 1'010, 100).ok());
  // Its orders arrive at 1'131, after these two.
  ASSERT_TRUE(session.Execute(2'000, 3, 1'010, 100).ok());
  ASSERT_TRUE(session.Mirror(2'000, Side::kAsk, 1'010, 50).ok());
  ASSERT_TRUE(session.Execute(3'000, 5, 1'010, 30).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  ASSERT_EQ(session.backtest().results().fills().size(), 1u);
  const Fill& fill = session.backtest().results().fills().front();
  EXPECT_TRUE(fill.is_maker);
  EXPECT_EQ(fill.time.nanos(), 3'000'000);
  EXPECT_EQ(fill.side, Side::kAsk);
  EXPECT_EQ(fill.quantity.units(), 30u);
  EXPECT_EQ(fill.fee, engine::Money());
}

TEST(Backtest, FeesOfAMirroredMarketAreThoseOfTheVenuesRules) {
  BacktestTerms terms = Terms();
  terms.fees = {.taker_coefficient = 0, .maker_coefficient = 700};
  Session session(std::move(terms));
  engine::MarketDefinition binary = Mirrored();
  binary.kind = engine::MarketKind::kBinary;
  binary.price_min = Price::FromUnits(1);
  binary.price_max = Price::FromUnits(99);
  ASSERT_TRUE(session.Define(binary).ok());
  ASSERT_TRUE(session.Mirror(1'000, Side::kBid, 50, 100).ok());
  ASSERT_TRUE(session.Mirror(1'000, Side::kAsk, 52, 100).ok());
  // Its ask comes between these two.
  ASSERT_TRUE(session.Mirror(2'000, Side::kAsk, 52, 50).ok());
  ASSERT_TRUE(session.Execute(2'000, 3, 52, 100).ok());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(session.Execute(3'000, 4, 52, 1).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  ASSERT_TRUE(session.backtest().CheckMarkets().ok());
  // 0.07 x 0.52 x 0.48 = 0.017472. What rounding charged too much is credited to the same order.
  std::vector<int64_t> fees;
  for (const Fill& fill : session.backtest().results().fills()) fees.push_back(fill.fee.micros());
  EXPECT_EQ(fees, std::vector<int64_t>({17'500, 17'500, 17'500, 17'400}));
}

TEST(Backtest, FeesThatNoMarketHasAreRefused) {
  for (const engine::MarketDefinition& definition : {Acme(), Mirrored()}) {
    BacktestTerms terms = Terms();
    terms.fees = {.taker_coefficient = 700};
    Session session(std::move(terms));
    ASSERT_TRUE(session.Define(definition).ok());
    EXPECT_TRUE(absl::IsInvalidArgument(session.backtest().CheckMarkets()));
  }
}

TEST(Backtest, APausedMirroredMarketHasNoBookUntilItsSnapshot) {
  Session session(Terms());
  ASSERT_TRUE(session.Define(Mirrored()).ok());
  ASSERT_TRUE(session.Mirror(1'000, Side::kBid, 1'000, 100).ok());
  ASSERT_TRUE(session.SetState(2'000, CommandKind::kPauseMarket).ok());
  ASSERT_TRUE(session.SetState(3'000, CommandKind::kOpenMarket).ok());
  ASSERT_TRUE(session.Mirror(3'000, Side::kBid, 999, 100).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  EXPECT_EQ(session.seen(),
            "0 parameter\n"
            "0 connection\n"
            "50 market\n"
            "50 book_clear\n"
            "1050 book_level\n"
            "2050 book_stale\n"
            "3050 book_clear\n"
            "3050 book_level\n"
            "3050 book_level\n");
}

TEST(Backtest, TheStrategysAccountIsItsOwn) {
  Session session(Terms());
  ASSERT_TRUE(session.Define(Acme()).ok());
  const absl::Status refused = session.Order(1, Side::kBid, 1'000, 1, kOwnAccount);
  EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
}

TEST(Backtest, AnUnknownMarketIsRefused) {
  BacktestTerms terms = Terms();
  terms.markets = {"NONE"};
  Session session(terms);
  ASSERT_TRUE(session.Define(Acme()).ok());
  ASSERT_TRUE(session.backtest().Finish().ok());
  EXPECT_EQ(session.backtest().CheckMarkets().message(), "the journal has no market NONE");
}

}  // namespace
}  // namespace tools
