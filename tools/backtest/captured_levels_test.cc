// A capture's journal, level by level; records of other markets beside it; what no capture has.

#include "tools/backtest/captured_levels.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
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

namespace tools {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::OrderId;
using engine::Price;
using engine::Quantity;
using engine::Side;

constexpr MarketId kShares = MarketId(1);
constexpr MarketId kCapture = MarketId(2);

class CapturedLevelsTest : public testing::Test {
 protected:
  absl::Status Define(MarketId market, bool is_of_capture) {
    engine::MarketDefinition definition{.id = market, .symbol = absl::StrCat("M", market.value())};
    definition.mirrored = is_of_capture;
    if (is_of_capture) {
      definition.kind = engine::MarketKind::kBinary;
      definition.price_decimals = 4;
      definition.quantity_decimals = 2;
      definition.price_max = Price::FromUnits(9'999);
    }
    return Take({.kind = CommandKind::kDefineMarket, .market = market},
                engine::EncodeMarketDefinition(definition));
  }
  absl::Status Order(MarketId market, int64_t price, uint64_t quantity) {
    return Take({.kind = CommandKind::kNewOrder,
                 .market = market,
                 .price = price,
                 .quantity = quantity,
                 .side = Side::kBid});
  }

  struct Words {
    CommandKind kind = {};
    MarketId market = kCapture;
    uint64_t order = 0;
    int64_t price = 0;
    uint64_t quantity = 0;
    Side side = {};
  };
  absl::Status Take(const Words& words, const std::vector<std::byte>& attachment = {}) {
    Command command;
    command.sequence = last_ = last_.Next();
    command.kind = words.kind;
    command.market = words.market;
    command.order_id = OrderId(words.order);
    command.price = Price::FromUnits(words.price);
    command.quantity = Quantity::FromUnits(words.quantity);
    command.side = words.side;
    const journal::Row row = replay::ToRow(command);
    return levels_.Take({.row = &row, .attachment = attachment});
  }
  // All records but the definitions, with their numbers.
  std::string Seen() {
    EXPECT_TRUE(levels_.Finish().ok());
    return seen_;
  }

 private:
  absl::Status See(const journal::Record& record) {
    const Command command = replay::ToCommand(*record.row);
    EXPECT_EQ(command.sequence.value(), ++emitted_);
    if (command.kind == CommandKind::kDefineMarket) return absl::OkStatus();
    absl::StrAppend(&seen_, emitted_, " ", engine::NameOf(command.kind));
    if (command.order_id != OrderId()) absl::StrAppend(&seen_, " #", command.order_id.value());
    if (!command.quantity.is_zero()) absl::StrAppend(&seen_, " ", command.quantity.units());
    seen_ += "; ";
    return absl::OkStatus();
  }

  uint64_t emitted_ = 0;
  std::string seen_;
  engine::SequenceNumber last_;
  CapturedLevels levels_{[this](const journal::Record& record) { return See(record); }};
};

TEST_F(CapturedLevelsTest, WhatALevelGainsIsAnOrderOfItsOwn) {
  ASSERT_TRUE(Define(kCapture, /*is_of_capture=*/true).ok());
  ASSERT_TRUE(Order(kCapture, 4700, 10).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kAmend, .order = 2, .price = 4700, .quantity = 15}).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kReduceTo, .order = 2, .quantity = 9}).ok());
  ASSERT_TRUE(
      Take({.kind = CommandKind::kExecute, .price = 4700, .quantity = 4, .side = Side::kBid}).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kCancel, .order = 2}).ok());
  EXPECT_EQ(Seen(),
            "2 new_order 10; 3 new_order 5; 4 execute #2 4; 5 reduce #3 2; 6 advance_time; "
            "7 reduce #3 3; 8 reduce #2 6; ");
}

TEST_F(CapturedLevelsTest, RecordsOfOtherMarketsStay) {
  ASSERT_TRUE(Define(kShares, /*is_of_capture=*/false).ok());
  ASSERT_TRUE(Order(kShares, 10, 1).ok());
  ASSERT_TRUE(Define(kCapture, /*is_of_capture=*/true).ok());
  ASSERT_TRUE(Order(kCapture, 4700, 10).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kAmend, .order = 4, .price = 4700, .quantity = 15}).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kReduceTo, .order = 4, .quantity = 2}).ok());
  ASSERT_TRUE(Order(kShares, 11, 1).ok());  // Record 7.
  for (const uint64_t order : {2, 7, 99}) {
    ASSERT_TRUE(Take({.kind = CommandKind::kCancel, .market = kShares, .order = order}).ok());
  }
  EXPECT_EQ(Seen(),
            "2 new_order 1; 4 new_order 10; 5 new_order 5; 6 reduce #5 5; 7 reduce #4 8; "
            "8 new_order 1; 9 cancel #2; 10 cancel #8; 11 cancel #99; ");
}

TEST_F(CapturedLevelsTest, WhatNoCaptureHasIsRefused) {
  ASSERT_TRUE(Define(kCapture, /*is_of_capture=*/true).ok());
  ASSERT_TRUE(Order(kCapture, 4700, 10).ok());
  EXPECT_EQ(
      Take({.kind = CommandKind::kReplace, .order = 2, .price = 4700, .quantity = 1}).message(),
      "@3 is a replace in a market of levels, which no import of a capture writes");
  EXPECT_TRUE(absl::IsInvalidArgument(
      Take({.kind = CommandKind::kAmend, .order = 2, .price = 4800, .quantity = 1})));
}

TEST_F(CapturedLevelsTest, RecordsThatMakeNoSenseMeanNothing) {
  ASSERT_TRUE(Define(kCapture, /*is_of_capture=*/true).ok());
  ASSERT_TRUE(Order(kCapture, 4700, UINT64_MAX).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kCancel, .order = 2}).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kCancel, .order = 77}).ok());
  ASSERT_TRUE(Take({.kind = CommandKind::kExecute, .quantity = UINT64_MAX}).ok());
  EXPECT_EQ(Seen(), "2 advance_time; 3 advance_time; 4 advance_time; 5 advance_time; ");
}

}  // namespace
}  // namespace tools
