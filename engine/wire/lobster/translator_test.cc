#include "engine/wire/lobster/translator.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/names.h"
#include "engine/wire/lobster/lines.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// "new_order #0 bid 5 @ 100": order, side, quantity, price.
std::string TextOf(const Command& command) {
  return absl::StrCat(NameOf(command.kind), " #", command.order_id.value(), " ",
                      IsValid(command.side) ? NameOf(command.side) : "-", " ",
                      command.quantity.units(), " @ ", command.price.units());
}

class TextSink final : public CommandSink {
 public:
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes) override {
    texts.push_back(TextOf(command));
    return SequenceNumber(texts.size());
  }

  std::vector<std::string> texts;
};

class LobsterTranslatorTest : public ::testing::Test {
 protected:
  // The commands of a message; the first one has those of the market's definition, too. Without a
  // `book`, none is known.
  std::vector<std::string> Take(absl::string_view message, absl::string_view book = "") {
    const size_t before = sink_.texts.size();
    const auto parsed = ParseLobsterMessage(message);
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    LobsterBook levels;
    if (!book.empty()) {
      EXPECT_TRUE(ParseLobsterBook(book, levels).ok());
    }
    EXPECT_TRUE(translator_.Take(*parsed, book.empty() ? nullptr : &levels).ok());
    return {sink_.texts.begin() + static_cast<ptrdiff_t>(before), sink_.texts.end()};
  }
  using Texts = std::vector<std::string>;

  TextSink sink_;
  ManualClock clock_;
  LobsterTranslator translator_{sink_, clock_, Timestamp::FromNanos(1'000), "AAPL"};
};

TEST_F(LobsterTranslatorTest, MessagesAreCommands) {
  EXPECT_EQ(Take("34200.5,1,7,5,100,1"),
            Texts({"define_market #0 - 0 @ 0", "new_order #0 bid 5 @ 100"}));
  EXPECT_EQ(clock_.Now().nanos(), 34'200'500'001'000);
  EXPECT_EQ(Take("34201,2,7,1,100,1"), Texts({"reduce #2 - 1 @ 0"}));
  EXPECT_EQ(Take("34201,4,7,3,100,1"), Texts({"execute #2 - 3 @ 100"}));
  EXPECT_EQ(Take("34201,3,7,1,100,1"), Texts({"cancel #2 - 0 @ 0"}));
  EXPECT_EQ(Take("34202,5,0,9,101,-1"), Texts({"execute #0 ask 9 @ 101"}));
  EXPECT_EQ(Take("34202,6,-1,90,102,-1"), Texts({"execute #0 - 90 @ 102"}));
  EXPECT_EQ(Take("34202,6,-1,0,0,-1"), Texts());
  EXPECT_EQ(Take("34203,7,0,0,-1,-1"), Texts({"pause_market #0 - 0 @ 0"}));
  EXPECT_EQ(Take("34204,7,0,0,0,-1"), Texts({"open_market #0 - 0 @ 0"}));
  EXPECT_EQ(Take("34205,7,0,0,1,-1"), Texts()) << "it is open";
  EXPECT_EQ(translator_.counters().commands, 9u);
}

TEST_F(LobsterTranslatorTest, AnOrderDuringAHaltOpensTheMarket) {
  Take("34203,7,0,0,-1,-1");
  EXPECT_EQ(Take("34203,1,7,5,100,1"),
            Texts({"open_market #0 - 0 @ 0", "new_order #0 bid 5 @ 100"}));
  EXPECT_EQ(translator_.counters().opened_by_orders, 1u);
}

TEST_F(LobsterTranslatorTest, WithoutBooksUnknownOrdersOnlyTrade) {
  EXPECT_EQ(Take("34200,3,7,5,100,1"), Texts({"define_market #0 - 0 @ 0"}));
  EXPECT_EQ(Take("34200,4,7,5,100,1"), Texts({"execute #0 bid 5 @ 100"}));
  EXPECT_EQ(translator_.counters().unknown_orders[3], 1u);
  EXPECT_EQ(translator_.counters().unknown_orders[4], 1u);
}

TEST_F(LobsterTranslatorTest, TheFirstBookIsFilledByOrdersOfItsOwn) {
  EXPECT_EQ(
      Take("34200,1,7,5,100,1", "110,9,100,5,111,8,99,4"),
      Texts({"define_market #0 - 0 @ 0", "new_order #0 bid 5 @ 100", "new_order #0 bid 4 @ 99",
             "new_order #0 ask 9 @ 110", "new_order #0 ask 8 @ 111"}));
  EXPECT_EQ(translator_.counters().corrected_first_view, 3u);
  // The order at 110 is one of those.
  EXPECT_EQ(Take("34201,4,50,2,110,-1", "110,7,100,5,111,8,99,4"), Texts({"execute #4 - 2 @ 110"}));
  EXPECT_EQ(Take("34201,3,51,7,110,-1", "111,8,100,5,112,6,99,4"),
            Texts({"cancel #4 - 0 @ 0", "new_order #0 ask 6 @ 112"}));
  EXPECT_EQ(translator_.counters().corrected_first_view, 4u);
  EXPECT_EQ(translator_.counters().corrected_later_views, 0u);
  EXPECT_EQ(translator_.counters().unknown_orders[4], 1u);
}

TEST_F(LobsterTranslatorTest, AnExecutionOfAnOrderThatWasNotInViewNamesOne) {
  EXPECT_EQ(Take("34200,4,50,2,110,-1", "110,7,100,5"),
            Texts({"define_market #0 - 0 @ 0", "new_order #0 ask 2 @ 110", "execute #2 - 2 @ 110",
                   "new_order #0 bid 5 @ 100", "new_order #0 ask 7 @ 110"}));
}

TEST_F(LobsterTranslatorTest, LevelsThatChangedOutOfViewAreCorrected) {
  Take("34200,1,1,5,100,1", "110,9,100,5");
  Take("34200,1,2,3,100,1", "110,9,100,8");
  Take("34200,1,3,1,101,1", "110,9,101,1");
  // Out of view 2 of 8 left; order 2 came last.
  EXPECT_EQ(Take("34200,3,3,1,101,1", "110,9,100,6"),
            Texts({"cancel #5 - 0 @ 0", "reduce #4 - 2 @ 0"}));
  EXPECT_EQ(translator_.counters().corrected_later_views, 1u);
  Take("34200,1,4,1,101,1", "110,9,101,1");
  EXPECT_EQ(Take("34200,3,4,1,101,1", "110,9,100,2"),
            Texts({"cancel #8 - 0 @ 0", "cancel #4 - 0 @ 0", "reduce #2 - 3 @ 0"}));
  // A side that has fewer levels than the row is shown whole.
  EXPECT_EQ(Take("34200,5,0,1,105,1", "110,9,-9999999999,0"),
            Texts({"execute #0 bid 1 @ 105", "cancel #2 - 0 @ 0"}));
}

TEST_F(LobsterTranslatorTest, OdditiesAreCounted) {
  Take("34200.2,1,7,5,100,1");
  EXPECT_EQ(Take("34200.1,1,7,5,100,1"), Texts());
  EXPECT_EQ(translator_.counters().orders_repeated, 1u);
  EXPECT_EQ(translator_.counters().times_before, 1u);
  EXPECT_EQ(Take("34200.1,4,7,6,100,1"), Texts({"execute #2 - 5 @ 100"}));
  EXPECT_EQ(translator_.counters().quantities_exceeded, 1u);
}

TEST(LobsterLinesTest, WhatIsMalformedIsNamed) {
  const std::vector<std::pair<absl::string_view, absl::string_view>> lines = {
      {"", "1 columns, expected time, type, order, size, price and direction"},
      {"1,1,1,1,1,1,1,1", "8 columns, expected"},
      {"x,1,1,1,1,1", "time: 'x', expected seconds after midnight, with up to nine decimals"},
      {"1.0123456789,1,1,1,1,1", "time: '1.0123456789', expected"},
      {"-1,1,1,1,1,1", "time: '-1', expected"},
      {"1.,1,1,1,1,1", "time: '1.', expected"},
      {"1,8,1,1,1,1", "type: '8', expected a whole number from 1 to 7"},
      {"1,1,a,1,1,1", "order: 'a', expected a whole number from -1"},
      {"1,1,1,0,1,1", "size: '0', expected a whole number from 1 to 10000000000"},
      {"1,1,1,1,0,1", "price: '0', expected a whole number from 1 to 9999999999"},
      {"1,1,1,1,1,0", "direction: '0', expected 1 or -1"},
      {"1,7,0,0,2,-1", "price: '2', expected -1, 0 or 1, as the type is 7 (halt)"},
  };
  for (const auto& [line, error] : lines) {
    const auto message = ParseLobsterMessage(line);
    ASSERT_FALSE(message.ok()) << line;
    EXPECT_NE(message.status().message().find(error), absl::string_view::npos) << message.status();
  }
  const std::vector<std::pair<absl::string_view, absl::string_view>> books = {
      {"1,2,3", "3 columns, expected four a level: ask price, ask size, bid price, bid size"},
      {"a,2,3,4", "ask price: 'a', expected a whole number"},
      {"5,2,3,", "bid size: '', expected a whole number"},
      {"5,2,3,4,5,2,2,4", "ask price: '5', expected a price above zero that is worse than that of"},
      {"9999999999,0,3,4,5,2,2,4", "ask price: '5', expected a price above zero"},
  };
  LobsterBook book;
  for (const auto& [line, error] : books) {
    const absl::Status status = ParseLobsterBook(line, book);
    ASSERT_FALSE(status.ok()) << line;
    EXPECT_NE(status.message().find(error), absl::string_view::npos) << status;
  }
}

}  // namespace
}  // namespace engine
