#include "engine/messages/text.h"

#include <cstdint>

#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

MarketDefinition Aapl() {
  return {.id = MarketId(13), .symbol = "AAPL", .price_decimals = 4, .quantity_decimals = 0};
}

class TextTest : public testing::Test {
 protected:
  TextTest() { markets_.Add(Aapl()); }

  Command Parse(absl::string_view line) {
    const auto parsed = text_.ParseCommand(line);
    EXPECT_TRUE(parsed.ok()) << line << ": " << parsed.status();
    return parsed.ok() ? parsed->command : Command();
  }
  std::string Refusal(absl::string_view line) {
    const auto parsed = text_.ParseCommand(line);
    EXPECT_FALSE(parsed.ok()) << line;
    return std::string(parsed.status().message());
  }

  MarketDirectory markets_;
  const MessageText text_{markets_};
};

TEST_F(TextTest, ACommandIsInTheWordsOfATrader) {
  for (const char* line : {
           "bid market=AAPL price=320.1400 quantity=100",
           "7 2020-01-30T09:30:00.000000000Z ask market=AAPL price=320.1400 quantity=100 tif=ioc "
           "account=3 client_order_id=99",
           "ask market=AAPL type=market quantity=100",
           "bid market=AAPL type=market quantity=100 tif=fok",
           "cancel market=AAPL order=7",
           "reduce market=AAPL order=7 quantity=5",
           "replace market=AAPL order=7 price=1.0000 quantity=5",
           "amend market=AAPL order=7 price=-1.0000 quantity=5",
           "advance_time",
           "bid market=#99 price=#5600 quantity=#100",
           "new_order market=AAPL side=7 type=9 price=1.0000 quantity=5 tif=0",
           "command kind=77 flags=255 group=9",
           "bid market=AAPL price=1.0000 quantity=5 tif=gtt expires=2026-01-01T00:00:01.000000000Z "
           "post_only=1 cancel_on_pause=1 stp=maker group=7 account=2",
           "ask market=AAPL type=market quantity=5 reduce_only=1 account=2",
           "reduce_to market=AAPL order=7 quantity=5",
           "set_expiry market=AAPL order=7 expires=2026-01-01T00:00:01.000000000Z",
           "set_expiry market=AAPL order=7",
           "execute market=AAPL order=7 price=1.0000 quantity=5",
           "execute market=AAPL side=ask price=1.0000 quantity=5",
           "mass_cancel market=AAPL side=ask group=7 account=2",
           "determine_market market=AAPL price=1.0000",
           "deposit amount=12.340000 account=2",
           "set_risk_limits open_orders_max=7 order_notional_max=5.000000 account=2",
           "set_fees market=AAPL taker_coefficient=700 maker_coefficient=175 multiplier=100",
           "define_group window_ns=1000000000 quantity=#10 group=7 account=2",
           "note namespace=venue.keys version=1 bytes=00ff1b5b account=2",
           "7 2020-01-30T09:30:00.000000000Z note market=AAPL namespace=venue version=65535",
           "note attachment= client_order_id=9",
           "note attachment=00ff",
           "define_market id=6 symbol=RAIN kind=binary price_decimals=4 quantity_decimals=2 "
           "tick=0.0001 price_min=0.0010 price_max=0.9990 lot=0.01 quantity_min=1.00 "
           "quantity_max=100.00 unopened=1 fok_becomes_ioc=1 post_only_change_cancels=1 "
           "bands=0.0010:0.0010,0.1000:0.0100",
           "define_market id=5 symbol=ACME price_decimals=2 quantity_decimals=0 tick=0.01 "
           "price_min=0.01 price_max=1000.00 lot=1",
       }) {
    const auto parsed = text_.ParseCommand(line);
    ASSERT_TRUE(parsed.ok()) << line << ": " << parsed.status();
    EXPECT_EQ(text_.Format(parsed->command, parsed->attachment), line);
  }
}

TEST_F(TextTest, AnEventIsInTheWordsOfATrader) {
  for (const char* line : {
           "7.0 accepted order=7 side=bid market=AAPL price=320.1400 quantity=100 remaining=100",
           "8.1 trade maker=7 taker=8 side=bid market=AAPL price=320.1400 quantity=60 remaining=40",
           "9.0 cancelled order=7 side=bid market=AAPL quantity=40 reason=requested",
           "9.0 amended order=7 side=bid market=AAPL quantity=40 remaining=1 priority=lost",
           "9.0 replaced order=9 from=7 side=bid market=AAPL price=1.0000 quantity=40",
           "10.0 rejected order=77 market=AAPL account=5 reason=unknown_order",
           "11.0 time_advanced",
           "12.0 event kind=77 detail=3",
           "13.0 rejected reason=200",
           "14.0 market_state market=AAPL state=paused",
           "14.1 determined market=AAPL price=1.0000",
           "14.2 exchange_state state=halted",
           "14.3 balance order=7 market=AAPL change=-0.537500 fee=0.017500 balance=9.462500 "
           "reserved=1.000000 account=2",
           "14.4 position order=7 market=AAPL position=-5 quantity=5 account=2",
           "14.5 group_tripped group=7 quantity=#10 account=2",
           "14.6 mass_cancelled orders=3 account=2",
           "15.0 noted market=AAPL account=2",
           "16.0 noted",
       }) {
    const auto event = text_.ParseEvent(line);
    ASSERT_TRUE(event.ok()) << line << ": " << event.status();
    EXPECT_EQ(text_.Format(*event), line);
  }
}

TEST_F(TextTest, TheDefaultMarketMayBeLeftOut) {
  const MessageText text(markets_, MarketId(13));
  EXPECT_EQ(text.ParseCommand("bid price=1 quantity=2")->command,
            Parse("bid market=AAPL price=1 quantity=2"));
  EXPECT_EQ(text.Format(Parse("bid market=AAPL price=1 quantity=2")),
            "bid price=1.0000 quantity=2");
  EXPECT_EQ(text.ParseCommand("advance_time")->command.market, MarketId());
  EXPECT_EQ(text.ParseCommand("cancel market=#0 order=1")->command.market, MarketId());
}

TEST_F(TextTest, ARefusalNamesTheWord) {
  EXPECT_EQ(Refusal(""), "an empty line is not a command");
  EXPECT_EQ(Refusal("buy market=AAPL"),
            "'buy' is not a command; expected bid, ask, cancel, reduce, replace, amend or another "
            "kind of command");
  EXPECT_EQ(Refusal("bid price"), "'price' is not a field; expected name=value");
  EXPECT_EQ(Refusal("bid market=MSFT"),
            "market=MSFT is not defined; expected a symbol, or a number such as #1");
  EXPECT_EQ(Refusal("bid market=AAPL price=1 price=2"), "field 'price' occurs twice");
  EXPECT_EQ(Refusal("bid market=AAPL prize=1"), "'bid' has no field 'prize'");
  EXPECT_EQ(Refusal("bid market=AAPL price=0.00001"), "price='0.00001' has more than 4 decimals");
  EXPECT_EQ(Refusal("bid market=AAPL quantity=-1"), "quantity='-1' is not a decimal number");
  EXPECT_EQ(Refusal("bid price=5"),
            "price=5 needs a known market, or a number of units such as #100");
  EXPECT_EQ(Refusal("cancel order=18446744073709551616"),
            "order=18446744073709551616 is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(Refusal("define_group account=1 group=16777216"),
            "group=16777216 is not a whole number from 0 to 16777215");
  EXPECT_EQ(Refusal("bid market=AAPL tif=week"), "tif=week is not one of its names");
  EXPECT_EQ(Refusal("bid market=AAPL tif=256"), "tif=256 is not one of its names");
  EXPECT_EQ(Refusal("0 2020-01-30T09:30:00Z bid"), "sequence number 0 is before the first");
  EXPECT_EQ(Refusal("define_market id=5 symbol=A price_decimals=99"), "decimals must be 0 to 9");
  EXPECT_EQ(Refusal("define_market id=5 attachment=abc"), "attachment=abc is not hexadecimal");
  EXPECT_EQ(Refusal("note bytes=0"), "bytes=0 is not hexadecimal");
  EXPECT_EQ(Refusal("note version=65536"), "version=65536 is not a whole number from 0 to 65535");
  EXPECT_EQ(Refusal("advance_time bytes=00"), "'advance_time' has no field 'bytes'");
}

Command AnyCommand() {
  Command command;
  command.sequence = SequenceNumber(*rc::gen::arbitrary<uint64_t>());
  if (command.sequence != SequenceNumber()) {
    command.timestamp = Timestamp::FromNanos(*rc::gen::arbitrary<int64_t>());
  }
  command.order_id = OrderId(*rc::gen::arbitrary<uint64_t>());
  command.price = Price::FromUnits(*rc::gen::arbitrary<int64_t>());
  command.quantity = Quantity::FromUnits(*rc::gen::arbitrary<uint64_t>());
  command.client_order_id = ClientOrderId(*rc::gen::arbitrary<uint64_t>());
  command.account = AccountId(*rc::gen::arbitrary<uint32_t>());
  command.market = MarketId(*rc::gen::element<uint32_t>(0, 13, 99));
  command.kind = static_cast<CommandKind>(
      *rc::gen::oneOf(rc::gen::inRange<uint8_t>(0, 34), rc::gen::arbitrary<uint8_t>()));
  command.side = static_cast<Side>(*rc::gen::inRange(0, 5));
  command.type = static_cast<OrderType>(*rc::gen::inRange(0, 5));
  command.tif = static_cast<TimeInForce>(*rc::gen::inRange(0, 6));
  command.flags =
      OrderFlags::FromBits(*rc::gen::element<uint8_t>(0, 1, 2, 4, 8, 16, 24, 31, 32, 255));
  command.set_group(
      GroupId(*rc::gen::element<uint32_t>(0, 0, 7, 65535, 65536, kGroupIdMax.value())));
  return command;
}

RC_GTEST_FIXTURE_PROP(TextTest, AnyCommandParsesBack, ()) {
  const Command command = AnyCommand();
  std::vector<std::byte> attachment;
  if (command.kind == CommandKind::kDefineMarket) {
    MarketDefinition definition = Aapl();
    definition.id = command.market == MarketId() ? MarketId(1) : command.market;
    attachment = EncodeMarketDefinition(definition);
  }
  const MessageText with_default(markets_, MarketId(13));
  for (const MessageText* text : {&text_, &with_default}) {
    const std::string line = text->Format(command, attachment);
    RC_LOG() << line;
    const auto parsed = text->ParseCommand(line);
    RC_ASSERT(parsed.ok());
    RC_ASSERT(parsed->command == command);
    RC_ASSERT(parsed->attachment == attachment);
  }
}

RC_GTEST_FIXTURE_PROP(TextTest, AnyEventParsesBack, ()) {
  Event event;
  event.sequence = SequenceNumber(*rc::gen::arbitrary<uint64_t>());
  event.order_id = OrderId(*rc::gen::arbitrary<uint64_t>());
  event.counter_order_id = OrderId(*rc::gen::arbitrary<uint64_t>());
  event.price = Price::FromUnits(*rc::gen::arbitrary<int64_t>());
  event.quantity = Quantity::FromUnits(*rc::gen::arbitrary<uint64_t>());
  event.quantity_remaining = Quantity::FromUnits(*rc::gen::arbitrary<uint64_t>());
  event.account = AccountId(*rc::gen::arbitrary<uint32_t>());
  event.market = MarketId(*rc::gen::element<uint32_t>(0, 13, 99));
  event.index = *rc::gen::arbitrary<uint32_t>();
  event.kind = static_cast<EventKind>(*rc::gen::inRange<uint16_t>(0, 28));
  event.side = static_cast<Side>(*rc::gen::inRange(0, 5));
  event.detail = *rc::gen::arbitrary<uint8_t>();
  const MessageText with_default(markets_, MarketId(13));
  for (const MessageText* text : {&text_, &with_default}) {
    const std::string line = text->Format(event);
    RC_LOG() << line;
    const auto parsed = text->ParseEvent(line);
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == event);
  }
}

RC_GTEST_FIXTURE_PROP(TextTest, NoTextBreaksTheParser, (const std::string& noise)) {
  const auto ignore = [](const auto&) {};
  ignore(text_.ParseCommand(noise));
  ignore(text_.ParseEvent(noise));
  ignore(text_.ParseCommand("bid " + noise));
  ignore(text_.ParseEvent("1.0 trade " + noise));
}

}  // namespace
}  // namespace engine
