#include "tools/cli/read/book_printer.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/console.h"

namespace tools {
namespace {

using engine::Side;
using ::testing::HasSubstr;

class BookPrinterTest : public ::testing::Test {
 protected:
  void Rest(Side side, int64_t price, uint64_t quantity) {
    engine::Event event;
    event.sequence = next_;
    event.order_id = engine::OrderIdOf(next_);
    event.price = engine::Price::FromUnits(price);
    event.quantity = engine::Quantity::FromUnits(quantity);
    event.quantity_remaining = event.quantity;
    event.market = market_.id;
    event.kind = engine::EventKind::kAccepted;
    event.side = side;
    view_.OnEvents(engine::Command(), {&event, 1});
    next_ = next_.Next();
  }

  std::string Book(const BookPrinterOptions& options = {}) {
    return std::string(FormatBook(view_, market_, options).WithoutStyles().bytes());
  }
  std::string Queue(Side side, int64_t price, size_t limit = 50) {
    return std::string(FormatQueue(view_, market_, side, engine::Price::FromUnits(price), limit)
                           .WithoutStyles()
                           .bytes());
  }

  const engine::MarketDefinition market_ = {
      .id = engine::MarketId(7), .symbol = "AAPL", .price_decimals = 4};
  engine::DepthView view_;
  engine::SequenceNumber next_ = engine::SequenceNumber(1);
};

TEST_F(BookPrinterTest, AnEmptyBookIsOneLine) {
  EXPECT_EQ(Book(), "AAPL  0 bid levels, 0 ask levels\n");
}

TEST_F(BookPrinterTest, AsksStandAboveBidsWithTheBestInTheMiddle) {
  Rest(Side::kBid, 3'201'400, 60);
  Rest(Side::kBid, 999'900, 5);
  Rest(Side::kAsk, 3'201'700, 100);
  Rest(Side::kAsk, 3'201'600, 1600);
  Rest(Side::kAsk, 3'201'700, 700);
  EXPECT_EQ(Book(),
            "AAPL  2 bid levels, 2 ask levels\n"
            "   ask 320.1700   800  2 orders  ████████████████\n"
            "   ask 320.1600  1600  1 order   ████████████████████████████████\n"
            "         0.0200 apart\n"
            "   bid 320.1400    60  1 order   █▎\n"
            "   bid  99.9900     5  1 order   ▏\n");
}

TEST_F(BookPrinterTest, WhatTheDepthHidesIsCounted) {
  for (int64_t i = 0; i < 4; ++i) Rest(Side::kBid, 100 - i, 10);
  for (int64_t i = 0; i < 3; ++i) Rest(Side::kAsk, 200 + i, 10);
  EXPECT_EQ(Book({.depth = 2, .order = {}}),
            "AAPL  4 bid levels, 3 ask levels\n"
            "        1 more ask level\n"
            "   ask 0.0201  10  1 order   ████████████████████████████████\n"
            "   ask 0.0200  10  1 order   ████████████████████████████████\n"
            "       0.0100 apart\n"
            "   bid 0.0100  10  1 order   ████████████████████████████████\n"
            "   bid 0.0099  10  1 order   ████████████████████████████████\n"
            "        2 more bid levels\n");
}

TEST_F(BookPrinterTest, TheBookOfAMirroredMarketMayBeCrossed) {
  Rest(Side::kBid, 250, 10);
  Rest(Side::kAsk, 200, 10);
  EXPECT_THAT(Book(), HasSubstr("       0.0050 crossed\n"));
}

TEST_F(BookPrinterTest, OneSideHasNothingToBeApartFrom) {
  Rest(Side::kAsk, 200, 10);
  EXPECT_THAT(Book(), HasSubstr("1 order   ████████████████████████████████\n           --\n"));
}

TEST_F(BookPrinterTest, MarksTheLevelOfAnOrder) {
  Rest(Side::kBid, 100, 10);
  Rest(Side::kBid, 99, 10);
  EXPECT_THAT(Book({.order = engine::OrderId(2)}),
              HasSubstr("0.0099  10  1 order   "
                        "████████████████████████████████  <"));
}

TEST_F(BookPrinterTest, ColoursOnlyATerminal) {
  Rest(Side::kBid, 100, 10);
  const auto printed = [&](bool is_terminal) {
    std::string output;
    Console console([&](absl::string_view text) { absl::StrAppend(&output, text); },
                    [](absl::string_view) {}, {.output_is_terminal = is_terminal});
    console.Print(FormatBook(view_, market_));
    console.Flush();
    return output;
  };
  EXPECT_EQ(printed(false).find('\x1b'), std::string::npos);
  EXPECT_THAT(printed(true), HasSubstr("\x1b[32mbid\x1b[0m"));
}

TEST_F(BookPrinterTest, AQueueIsInTheOrderOfItsTurns) {
  Rest(Side::kBid, 100, 10);
  Rest(Side::kBid, 100, 250);
  Rest(Side::kBid, 100, 5);
  EXPECT_EQ(Queue(Side::kBid, 100),
            "AAPL bid 0.0100  265 in 3 orders\n"
            "      1  order 1             10  up to here  10\n"
            "      2  order 2            250  up to here 260\n"
            "      3  order 3              5  up to here 265\n");
  EXPECT_EQ(Queue(Side::kBid, 100, 2),
            "AAPL bid 0.0100  265 in 3 orders\n"
            "      1  order 1             10  up to here  10\n"
            "      2  order 2            250  up to here 260\n"
            "   1 more order\n");
}

TEST_F(BookPrinterTest, AnEmptyLevelHasNoQueue) {
  EXPECT_EQ(Queue(Side::kAsk, 100), "AAPL ask 0.0100  no order rests there\n");
}

}  // namespace
}  // namespace tools
