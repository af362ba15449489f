#include "tools/cli/feed/feed_recorder.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/book_update.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/testing/packets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/feed/live_feed.h"

namespace tools {
namespace {

using engine::CommandKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr engine::Timestamp kMidnight = engine::Timestamp::FromNanos(1'700'000'000'000'000'000);
constexpr engine::Timestamp kNow = engine::Timestamp::FromNanos(kMidnight.nanos() + 5);

class Sink final : public engine::CommandSink {
 public:
  explicit Sink(engine::Clock& clock) : clock_(clock) {}

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes) override {
    kinds.push_back(command.kind);
    last = command;
    last.timestamp = clock_.Now();
    return engine::SequenceNumber(kinds.size());
  }

  std::vector<CommandKind> kinds;
  engine::Command last;

 private:
  engine::Clock& clock_;
};

engine::ItchStock Stock(const std::string& symbol) {
  engine::ItchStock stock;
  stock.fill(' ');
  symbol.copy(stock.data(), stock.size());
  return stock;
}

std::string Frame(const engine::ItchMessage& message) {
  std::string frame;
  engine::AppendItchFrame(message, frame);
  return frame;
}

std::string Directory(const std::string& symbol, uint16_t locate = 7) {
  return Frame(
      engine::ItchStockDirectory{.header = {.stock_locate = locate}, .stock = Stock(symbol)});
}

std::string Add(uint64_t reference) {
  return Frame(engine::ItchAddOrder{.header = {.stock_locate = 7, .timestamp_ns = 9},
                                    .order_reference = reference,
                                    .side = engine::Side::kBid,
                                    .shares = 5,
                                    .stock = Stock("ABC"),
                                    .price = 100});
}

class FeedRecorderTest : public ::testing::Test {
 protected:
  explicit FeedRecorderTest(FeedFormat format = FeedFormat::kItch)
      : recorder_(format, sink_, clock_, kMidnight, "MINE") {}

  engine::ManualClock clock_;
  Sink sink_{clock_};
  FeedRecorder recorder_;
};

TEST_F(FeedRecorderTest, MessagesBecomeCommandsAtTheirTimes) {
  ASSERT_TRUE(recorder_.Take({.framed = Directory("ABC") + Add(1)}, kNow).ok());
  EXPECT_THAT(sink_.kinds, ElementsAre(CommandKind::kDefineMarket, CommandKind::kNewOrder));
  EXPECT_EQ(sink_.last.timestamp, engine::Timestamp::FromNanos(kMidnight.nanos() + 9));
  EXPECT_EQ(recorder_.counters().live_orders, 1u);
}

TEST_F(FeedRecorderTest, AFeedThatBeginsAgainCancelsWhatRests) {
  ASSERT_TRUE(
      recorder_.Take({.begins_again = true, .framed = Directory("ABC") + Add(1)}, kNow).ok());
  ASSERT_TRUE(
      recorder_.Take({.begins_again = true, .framed = Directory("ABC") + Add(1)}, kNow).ok());
  EXPECT_THAT(sink_.kinds, ElementsAre(CommandKind::kDefineMarket, CommandKind::kNewOrder,
                                       CommandKind::kCancel, CommandKind::kNewOrder));
  EXPECT_EQ(recorder_.counters().live_orders, 1u);
}

TEST_F(FeedRecorderTest, ABookThatGetsAnotherSymbolEndsIt) {
  ASSERT_TRUE(recorder_.Take({.framed = Directory("ABC") + Directory("DEF", 8)}, kNow).ok());
  const absl::Status status =
      recorder_.Take({.begins_again = true, .framed = Directory("DEF") + Add(1)}, kNow);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("book 7 was ABC and is now DEF"));
  EXPECT_EQ(recorder_.Take({.framed = Add(1)}, kNow), status);
  EXPECT_EQ(sink_.kinds.size(), 2u);
}

TEST_F(FeedRecorderTest, WhatIsNoMessageIsLeftOut) {
  std::string bad_side = Add(2);
  bad_side[2 + 1 + sizeof(engine::ItchHeader) + 8] = 'X';
  const std::string framed =
      engine::Framed({"", "z", "A", std::string(3'000, 'A')}) + bad_side + Add(1);
  ASSERT_TRUE(recorder_.Take({.framed = framed}, kNow).ok());
  EXPECT_EQ(recorder_.malformed(), 5u);
  EXPECT_EQ(recorder_.counters().live_orders, 1u);
}

class AddCancelRecorderTest : public FeedRecorderTest {
 protected:
  AddCancelRecorderTest() : FeedRecorderTest(FeedFormat::kAddCancel) {}

  static std::string Message(const engine::BookUpdate& update) {
    return std::string(engine::AsText(engine::AddCancelMessage::From(update)->bytes()));
  }
};

TEST_F(AddCancelRecorderTest, HasTheTimeOfItsReceiptAndTheNameOfTheBook) {
  const std::string add = Message({.reference = 1,
                                   .price = engine::Price::FromUnits(10),
                                   .quantity = engine::Quantity::FromUnits(2),
                                   .side = engine::Side::kAsk});
  const std::string framed = engine::Framed({add, "junk"});
  ASSERT_TRUE(recorder_.Take({.framed = framed}, kNow).ok());
  EXPECT_THAT(sink_.kinds, ElementsAre(CommandKind::kDefineMarket, CommandKind::kNewOrder));
  EXPECT_EQ(sink_.last.timestamp, kNow);
  EXPECT_EQ(sink_.last.price, engine::Price::FromUnits(10));
  EXPECT_EQ(recorder_.malformed(), 1u);
  const std::string cancel = Message({.reference = 1, .kind = engine::BookUpdateKind::kDelete});
  ASSERT_TRUE(recorder_.Take({.framed = engine::Framed({cancel})}, kNow).ok());
  EXPECT_EQ(sink_.kinds.back(), CommandKind::kCancel);
}

}  // namespace
}  // namespace tools
