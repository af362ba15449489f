// Feeds of a venue's orders as markets: an order of the strategy waits in the queues of DBN's and
// LOBSTER's books, and their executions reach it in its turn.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/side.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/testing/streams.h"
#include "engine/wire/dbn/translator.h"
#include "engine/wire/lobster/lines.h"
#include "engine/wire/lobster/translator.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "tools/backtest/backtest.h"
#include "tools/backtest/market_simulation.h"
#include "tools/strategy/input.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// The ladder of the examples in the market that a translator writes: one bid of 100 and one ask of
// 100 join the best levels of the first book, 131 microseconds after it.
class LadderIn final : public engine::CommandSink {
 public:
  LadderIn(Impact impact, engine::ManualClock& clock)
      : clock_(clock),
        backtest_({.impact = impact,
                   .to_strategy = {.least = 50'000},
                   .to_venue = {.least = 80'000},
                   .parameters = {{.name = "rungs", .value = 1}}},
                  machine_, [this](const strategy::Input& input, engine::Bytes attachment) {
                    return Apply(input, attachment);
                  }) {}

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    last_ = last_.Next();
    engine::Command recorded = command;
    recorded.sequence = last_;
    recorded.timestamp = clock_.Now();
    const journal::Row row = replay::ToRow(recorded);
    const absl::Status applied = backtest_.ApplyRecorded({.row = &row, .attachment = attachment});
    if (!applied.ok()) return applied;
    return last_;
  }

  // "ask 30 @ 101 at 3", in seconds since `begin`.
  std::vector<std::string> FillsSince(engine::Timestamp begin) {
    EXPECT_TRUE(backtest_.Finish().ok());
    std::vector<std::string> fills;
    for (const Fill& fill : backtest_.results().fills()) {
      EXPECT_TRUE(fill.is_maker);
      EXPECT_EQ(fill.level, 0u);
      fills.push_back(absl::StrCat(fill.side == engine::Side::kBid ? "bid " : "ask ",
                                   fill.quantity.units(), " @ ", fill.price.units(), " at ",
                                   (fill.time.nanos() - begin.nanos()) / kSecond));
    }
    return fills;
  }

 private:
  absl::StatusOr<std::span<const replay::Output>> Apply(const strategy::Input& input,
                                                        engine::Bytes attachment) {
    journal::Row row = strategy::ToRow(input);
    row.sequence = driver_.last_applied().Next();
    return driver_.Apply({.row = &row, .attachment = attachment});
  }

  engine::ManualClock& clock_;
  strategy::StrategyMachine machine_{"ladder", strategy::FindStrategy("ladder")->make()};
  replay::Driver driver_{machine_, engine::SequenceNumber()};
  engine::SequenceNumber last_;
  Backtest backtest_;
};

using Fills = std::vector<std::string>;

// The fills of the ladder in a stream. Its time is the record's `sequence`, in seconds.
Fills FillsInDbn(Impact impact, std::vector<engine::DbnMbo> records) {
  engine::DbnMarkets markets;
  EXPECT_TRUE(markets.Begin({}).ok());
  for (engine::DbnMbo& record : records) {
    record.ts_recv = engine::kDbnTestStart + uint64_t{record.sequence} * kSecond;
    EXPECT_TRUE(markets.Learn(record).ok());
  }
  engine::ManualClock clock;
  LadderIn ladder(impact, clock);
  engine::DbnTranslator translator(ladder, clock, markets);
  for (const engine::DbnMbo& record : records) {
    const absl::Status taken = translator.Take(record);
    EXPECT_TRUE(taken.ok()) << taken;
  }
  EXPECT_TRUE(translator.Finish().ok());
  return ladder.FillsSince(
      engine::Timestamp::FromNanos(static_cast<int64_t>(engine::kDbnTestStart)));
}

// `price` in whole dollars.
engine::DbnMbo Dbn(uint32_t second, char action, char side, uint64_t order, uint32_t size,
                   int64_t price, uint8_t flags = engine::kDbnLast) {
  engine::DbnMbo record = engine::DbnTestRecord(action, side);
  record.sequence = second;
  record.order_id = order;
  record.size = size;
  record.price = price * kSecond;
  record.flags = flags;
  return record;
}

TEST(Feeds, AnOrderWaitsInTheQueuesOfDbn) {
  const std::vector<engine::DbnMbo> stream = {
      Dbn(0, 'A', 'B', 1, 100, 100), Dbn(0, 'A', 'A', 2, 60, 101),
      // Comes after the ladder's ask.
      Dbn(1, 'A', 'A', 3, 50, 101),
      // What is before the ladder trades, or leaves.
      Dbn(2, 'T', 'B', 0, 40, 101, 0), Dbn(2, 'F', 'A', 2, 40, 101, 0),
      Dbn(2, 'C', 'A', 2, 40, 101), Dbn(3, 'C', 'A', 2, 20, 101),
      // What is after it trades: the taker reached the ladder first.
      Dbn(4, 'T', 'B', 0, 30, 101, 0), Dbn(4, 'F', 'A', 3, 30, 101, 0),
      Dbn(4, 'C', 'A', 3, 30, 101),
      // A trade with an order that the feed does not show.
      Dbn(5, 'T', 'B', 0, 5, 101),
      // A cancel is no trade, and a bid that gives up its place lets the ladder's bid go first.
      Dbn(6, 'C', 'A', 3, 10, 101), Dbn(7, 'M', 'B', 1, 100, 99), Dbn(8, 'A', 'B', 4, 7, 100),
      Dbn(9, 'T', 'A', 0, 7, 100, 0), Dbn(9, 'F', 'B', 4, 7, 100, 0), Dbn(9, 'C', 'B', 4, 7, 100)};
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    EXPECT_EQ(FillsInDbn(impact, stream),
              Fills({"ask 30 @ 101 at 4", "ask 5 @ 101 at 5", "bid 7 @ 100 at 9"}));
  }
}

// The fills of the ladder in a message file and its book file: a line of each in turn.
Fills FillsInLobster(Impact impact, std::initializer_list<absl::string_view> lines) {
  engine::ManualClock clock;
  LadderIn ladder(impact, clock);
  engine::LobsterTranslator translator(ladder, clock, engine::Timestamp(), "AAPL");
  for (auto line = lines.begin(); line != lines.end(); line += 2) {
    const auto message = engine::ParseLobsterMessage(*line);
    EXPECT_TRUE(message.ok()) << message.status();
    engine::LobsterBook book;
    EXPECT_TRUE(engine::ParseLobsterBook(*(line + 1), book).ok());
    EXPECT_TRUE(translator.Take(*message, &book).ok());
  }
  EXPECT_EQ(translator.counters().corrected_later_views, 0u);
  return ladder.FillsSince(engine::Timestamp::FromNanos(34'200 * kSecond));
}

TEST(Feeds, AnOrderWaitsInTheQueuesOfLobster) {
  for (const Impact impact : {Impact::kNone, Impact::kDisplace}) {
    const Fills fills = FillsInLobster(
        impact, {// 80 at the ask have rested since before the file.
                 "34200,1,1,100,1000000,1", "1000100,80,1000000,100",
                 // Comes after the ladder's ask.
                 "34201,1,3,50,1000100,-1", "1000100,130,1000000,100",
                 // What is before the ladder trades, one of the file's beginning.
                 "34202,4,2,80,1000100,-1", "1000100,50,1000000,100",
                 // What is after it trades: the taker reached the ladder first.
                 "34203,4,3,30,1000100,-1", "1000100,20,1000000,100",
                 // A hidden order trades.
                 "34204,5,0,9,1000100,-1", "1000100,20,1000000,100",
                 // A cancel is no trade, and lets the ladder's bid go first.
                 "34205,3,1,100,1000000,1", "1000100,20,-9999999999,0", "34206,1,4,10,1000000,1",
                 "1000100,20,1000000,10", "34207,4,4,10,1000000,1", "1000100,20,-9999999999,0"});
    EXPECT_EQ(fills,
              Fills({"ask 30 @ 1000100 at 3", "ask 9 @ 1000100 at 4", "bid 10 @ 1000000 at 7"}));
  }
}

}  // namespace
}  // namespace tools
