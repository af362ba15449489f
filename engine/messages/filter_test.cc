#include "engine/messages/filter.h"

#include <cstdlib>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {
size_t allocation_count = 0;
}  // namespace

void* operator new(size_t bytes) {
  ++allocation_count;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FilterTest : public ::testing::Test {
 protected:
  FilterTest() {
    Define(1, "AAPL", 4, 0);
    Define(2, "KX-RAIN", 2, 2);
    order_ = {.sequence = SequenceNumber(77),
              .timestamp = *Timestamp::Parse("2020-01-30T09:30:00.5Z"),
              .order_id = {},
              .price = Price::FromUnits(3'201'400),
              .quantity = Quantity::FromUnits(100),
              .client_order_id = ClientOrderId(UINT64_MAX),
              .account = AccountId(3),
              .market = MarketId(1),
              .kind = CommandKind::kNewOrder,
              .side = Side::kBid,
              .type = OrderType::kLimit,
              .tif = TimeInForce::kGoodTillCancelled,
              .flags = OrderFlags().WithPostOnly()};
    order_.set_group(GroupId(7));
  }

  void Define(uint32_t id, const char* symbol, int price_decimals, int quantity_decimals) {
    CHECK(markets_.Add({.id = MarketId(id),
                        .symbol = symbol,
                        .price_decimals = price_decimals,
                        .quantity_decimals = quantity_decimals}));
  }

  // Whether the expression holds for the order.
  bool Holds(absl::string_view text, bool has_attachment = false) {
    auto filter = Filter::Parse(text);
    CHECK(filter.ok()) << filter.status().message();
    return filter->Matches(order_, has_attachment, markets_);
  }

  static std::string ErrorOf(absl::string_view text) {
    const auto filter = Filter::Parse(text);
    EXPECT_EQ(filter.status().code(), absl::StatusCode::kInvalidArgument) << text;
    return std::string(filter.status().message());
  }

  MarketDirectory markets_;
  Command order_;
};

TEST_F(FilterTest, WithoutAnExpressionEverythingHolds) {
  EXPECT_TRUE(Filter().Matches(order_, false, markets_));
}

TEST_F(FilterTest, ComparesEveryField) {
  for (const char* text :
       {"sequence==77", "time==2020-01-30T09:30:00.5Z", "kind==new_order", "market==AAPL",
        "market==#1", "side==bid", "type==limit", "tif==gtc", "price==320.14", "price==#3201400",
        "quantity==100", "order==0", "account==3", "client_order_id==18446744073709551615",
        "flags==1", "group==7"}) {
    EXPECT_TRUE(Holds(text)) << text;
    EXPECT_FALSE(Holds(absl::StrCat("!", text))) << text;
  }
}

TEST_F(FilterTest, HasTheSixComparisons) {
  const auto holds = [&](absl::string_view symbol) {
    return std::string(Holds(absl::StrCat("sequence", symbol, "76")) ? "1" : "0") +
           (Holds(absl::StrCat("sequence", symbol, "77")) ? "1" : "0") +
           (Holds(absl::StrCat("sequence", symbol, "78")) ? "1" : "0");
  };
  EXPECT_EQ(holds("=="), "010");
  EXPECT_EQ(holds("!="), "101");
  EXPECT_EQ(holds("<"), "001");
  EXPECT_EQ(holds("<="), "011");
  EXPECT_EQ(holds(">"), "100");
  EXPECT_EQ(holds(">="), "110");
}

TEST_F(FilterTest, AndBindsCloserThanOr) {
  const char* yes = "sequence==77";
  const char* no = "sequence==0";
  EXPECT_TRUE(Holds(absl::StrCat(yes, "||", yes, "&&", no)));
  EXPECT_FALSE(Holds(absl::StrCat("(", yes, "||", yes, ")&&", no)));
  EXPECT_TRUE(Holds(absl::StrCat("!", no, "&&", yes)));
  EXPECT_FALSE(Holds(absl::StrCat("!(", no, "||", yes, ")")));
  EXPECT_TRUE(Holds(absl::StrCat("!!", yes)));
  EXPECT_TRUE(Holds(absl::StrCat(no, "||", no, "||", no, "||", yes)));
  EXPECT_FALSE(Holds(absl::StrCat(yes, "&&", yes, "&&", yes, "&&", no)));
  EXPECT_TRUE(Holds(absl::StrCat("((", no, "||", yes, ")&&(", yes, "||", no, "))")));
}

TEST_F(FilterTest, SpacesAreFreeAndQuotationsAreWords) {
  EXPECT_TRUE(Holds("  kind == new_order\t&& market == 'AAPL' && market==\"AAPL\" "));
  Define(3, "A==B&&(", 0, 0);
  order_.market = MarketId(3);
  EXPECT_TRUE(Holds("market=='A==B&&('"));
}

TEST_F(FilterTest, DecimalsAreThoseOfTheCommandsMarket) {
  EXPECT_TRUE(Holds("price>=320 && price<320.15 && price==320.140000000"));
  order_.market = MarketId(2);  // 32014.00 there, and 1.00.
  EXPECT_TRUE(Holds("price==32014 && quantity==1 && quantity>0.99"));
}

TEST_F(FilterTest, ANumberFinerThanTheUnitStillCompares) {
  order_.market = MarketId(2);
  EXPECT_TRUE(Holds("price>32013.999999999 && price<32014.000000001 && price!=32014.001"));
}

TEST_F(FilterTest, PricesMayBeNegative) {
  order_.price = Price::FromUnits(-5'000);
  EXPECT_TRUE(Holds("price==-0.5 && price<0 && price>-0.5001 && price<-0.4 && price==#-5000"));
}

TEST_F(FilterTest, TheLargestNumbersDoNotOverflow) {
  order_.price = Price::FromUnits(INT64_MAX);
  order_.quantity = Quantity::FromUnits(UINT64_MAX);
  EXPECT_TRUE(Holds("price>18446744073 && quantity==18446744073709551615"));
  EXPECT_TRUE(Holds("price==#9223372036854775807 && price<18446744073709551615.999999999"));
}

TEST_F(FilterTest, WhereTheMarketIsUnknownOnlyUnitsCompare) {
  order_.market = MarketId(9);
  EXPECT_TRUE(Holds("price==#3201400 && market==#9"));
  EXPECT_FALSE(Holds("price>0"));
  EXPECT_FALSE(Holds("price<=0"));
}

TEST_F(FilterTest, AttachmentAsksWhetherThereIsOne) {
  EXPECT_TRUE(Holds("attachment", true));
  EXPECT_FALSE(Holds("attachment", false));
  EXPECT_TRUE(Holds("!attachment && sequence==77", false));
}

TEST_F(FilterTest, ASymbolIsKnownOnceItsMarketIsDefined) {
  auto filter = *Filter::Parse("market==MSFT");
  order_.market = MarketId(5);
  EXPECT_FALSE(filter.Matches(order_, false, markets_));
  EXPECT_THAT(filter.UnknownSymbols(markets_), ElementsAre("MSFT"));
  Define(5, "MSFT", 4, 0);
  EXPECT_TRUE(filter.Matches(order_, false, markets_));
  EXPECT_THAT(filter.UnknownSymbols(markets_), ElementsAre());
}

TEST_F(FilterTest, AnUnknownSymbolDiffersFromEveryMarket) {
  EXPECT_TRUE(Holds("market!=NOPE"));
  order_.market = MarketId();
  EXPECT_FALSE(Holds("market==NOPE"));
}

TEST_F(FilterTest, AnUnnamedKindIsItsNumber) {
  order_.kind = static_cast<CommandKind>(211);
  EXPECT_TRUE(Holds("kind==211 && kind!=new_order"));
}

TEST_F(FilterTest, EvaluationAllocatesNothing) {
  auto filter = *Filter::Parse("(market==AAPL || market==KX-RAIN) && price>=320 && !attachment");
  EXPECT_TRUE(filter.Matches(order_, false, markets_));
  const size_t before = allocation_count;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(filter.Matches(order_, false, markets_));
  EXPECT_EQ(allocation_count, before);
}

TEST_F(FilterTest, WordsAndSignsAreTheSameOperators) {
  const char* yes = "sequence==77";
  const char* no = "sequence==0";
  EXPECT_TRUE(Holds(absl::StrCat(yes, " or ", yes, " and ", no)));
  EXPECT_FALSE(Holds(absl::StrCat("(", yes, " or ", yes, ") and ", no)));
  EXPECT_TRUE(Holds(absl::StrCat("not ", no, " && not(", no, ")")));
  Define(4, "and", 0, 0);
  order_.market = MarketId(4);
  EXPECT_TRUE(Holds("market=='and'"));
}

TEST_F(FilterTest, AKindAloneOrBeforeAFieldIsACondition) {
  EXPECT_TRUE(Holds("new_order"));
  EXPECT_FALSE(Holds("cancel or amend"));
  EXPECT_TRUE(Holds("new_order.price==320.14 and not cancel.price==320.14"));
  EXPECT_FALSE(Holds("cancel.price==320.14"));
}

TEST_F(FilterTest, FieldsOfSomeKindsHaveTheirOwnNames) {
  EXPECT_FALSE(Holds("amount==5 or amount!=5"));
  order_.kind = CommandKind::kDeposit;
  order_.set_amount(Money::FromMicros(5'000'000));
  EXPECT_TRUE(Holds("amount==5 and deposit.amount<5.5 and price==#5000000"));
  order_.kind = CommandKind::kDefineGroup;
  EXPECT_TRUE(Holds("window_ns==5000000"));
}

TEST_F(FilterTest, OnlyAnOrderUntilATimeExpires) {
  order_.set_expires_at(Timestamp::FromNanos(5));
  EXPECT_FALSE(Holds("expires>=1970-01-01T00:00:00Z"));
  order_.tif = TimeInForce::kGoodTillTime;
  EXPECT_TRUE(
      Holds("expires==1970-01-01T00:00:00.000000005Z and new_order.expires<2020-01-01T00:00:00Z"));
}

// ---- Events

class FilterEventTest : public FilterTest {
 protected:
  bool Holds(const std::string& condition, const std::string& event) {
    auto filter = Filter::Parse(condition, Messages::kEvents, "event");
    EXPECT_TRUE(filter.ok()) << filter.status().message();
    const auto parsed = MessageText(markets_).ParseEvent(event);
    EXPECT_TRUE(parsed.ok()) << parsed.status().message();
    return filter->Matches(*parsed, markets_);
  }

  static std::string ErrorOf(absl::string_view text) {
    return std::string(Filter::Parse(text, Messages::kEvents, "event").status().message());
  }
};

constexpr char kTrade[] =
    "8.1 trade maker=7 taker=8 side=bid market=KX-RAIN price=3.20 quantity=60.00 remaining=40.00";

TEST_F(FilterEventTest, ComparesNumbersInTheUnitsOfTheMarket) {
  EXPECT_TRUE(Holds("trade", kTrade));
  EXPECT_TRUE(Holds("trade.price == 3.2", kTrade));
  EXPECT_TRUE(Holds("trade.price>3.19 && trade.quantity<=60", kTrade));
  EXPECT_TRUE(Holds("trade.price == #320", kTrade));
  EXPECT_FALSE(Holds("trade.price < 3.2", kTrade));
  EXPECT_FALSE(Holds("trade.quantity > 1000", kTrade));
  EXPECT_TRUE(Holds("trade.order != 8 && trade.counter == 8", kTrade));
  EXPECT_TRUE(Holds("maker==7 and taker==8 and sequence==8 and index==1", kTrade));
  EXPECT_TRUE(Holds("(cancelled or trade) and not quantity>60", kTrade));
}

TEST_F(FilterEventTest, ComparesNames) {
  EXPECT_TRUE(Holds("trade.market == KX-RAIN && trade.side != ask && market!=AAPL", kTrade));
  EXPECT_TRUE(
      Holds("rejected.reason == price_off_tick", "9.0 rejected market=AAPL reason=price_off_tick"));
  EXPECT_FALSE(Holds("rejected", kTrade));
  EXPECT_TRUE(Holds("state==open", "9.0 market_state market=AAPL state=open"));
  EXPECT_TRUE(Holds("amended.priority==lost", "9.0 amended order=3 priority=lost"));
}

TEST_F(FilterEventTest, AReasonOfAnotherKindIsNoMatch) {
  const char* cancelled = "9.0 cancelled order=3 reason=self_trade";
  EXPECT_TRUE(Holds("reason==self_trade and reason!=price_off_tick", cancelled));
  EXPECT_FALSE(Holds("reason==price_off_tick", cancelled));
  EXPECT_FALSE(Holds("reason==self_trade", "9.0 rejected reason=price_off_tick"));
  EXPECT_FALSE(Holds("reason!=self_trade", kTrade));  // A trade has no reason.
}

TEST_F(FilterEventTest, AmountsAndPositionsHaveTheirUnits) {
  EXPECT_TRUE(Holds("balance.change==-1.5 and fee>0 and balance<=98.5",
                    "9.1 balance change=-1.500000 fee=0.010000 balance=98.500000 account=3"));
  EXPECT_TRUE(Holds("position and position.position==-2.5",
                    "9.2 position market=KX-RAIN position=-2.50 account=3"));
  EXPECT_FALSE(Holds("order==5", "9.0 group_reset group=5"));
  EXPECT_TRUE(Holds("group==5", "9.0 group_reset group=5"));
}

TEST_F(FilterEventTest, SaysWhichWordIsWrong) {
  EXPECT_THAT(ErrorOf("trades"), HasSubstr("event: expected a field: sequence, index, kind, "));
  EXPECT_THAT(ErrorOf("trade.size > 3"), HasSubstr("expected a field: sequence, index, kind"));
  EXPECT_THAT(ErrorOf("trade.quantity > many"), HasSubstr("'many' is not a decimal number"));
  EXPECT_EQ(ErrorOf("trade.side > bid"),
            "event: after side expected == or !=\n"
            "  trade.side > bid\n"
            "             ^");
  EXPECT_THAT(ErrorOf("trade.price = 3"), HasSubstr("expected =="));
  EXPECT_THAT(ErrorOf("rejected.reason==self_trade"),
              HasSubstr("'self_trade' is not a name, e.g."));
  EXPECT_THAT(ErrorOf("attachment"), HasSubstr("a kind of event"));
  EXPECT_FALSE(Filter::Parse("", Messages::kEvents, "event").ok());
  EXPECT_FALSE(Filter::Parse("trade.price >", Messages::kEvents, "event").ok());
}

// ---- Errors

TEST_F(FilterTest, AnErrorPointsAtItsColumn) {
  EXPECT_EQ(ErrorOf("kind==new_order && px>5"),
            "--where: expected a field: sequence, time, kind, market, order, side, type, tif, "
            "price, quantity, account, client_order_id, flags, group, attachment, expires, "
            "amount, window_ns; or a kind of command\n"
            "  kind==new_order && px>5\n"
            "                     ^");
  EXPECT_EQ(ErrorOf("price=="),
            "--where: expected a decimal number of at most 9 decimals, or a count of units, e.g. "
            "#5600\n"
            "  price==\n"
            "         ^");
  EXPECT_EQ(ErrorOf("(side==bid"),
            "--where: expected ), && or ||\n"
            "  (side==bid\n"
            "            ^");
  EXPECT_EQ(ErrorOf("side<bid"),
            "--where: after side expected == or !=\n"
            "  side<bid\n"
            "      ^");
}

TEST_F(FilterTest, SaysWhatValueItExpected) {
  EXPECT_THAT(ErrorOf("time>9:30"), HasSubstr("'9:30' is not a time, e.g. 2020-01-30T09:30:00"));
  EXPECT_THAT(ErrorOf("kind==buy"),
              HasSubstr("'buy' is not a kind, e.g. define_market, new_order,"));
  EXPECT_THAT(ErrorOf("account==-1"), HasSubstr("'-1' is not a whole number"));
  EXPECT_THAT(ErrorOf("price>0.0000000001"), HasSubstr("at most 9 decimals"));
}

TEST_F(FilterTest, RefusesWhatIsNoExpression) {
  for (const char* text : {"",
                           " ",
                           "&&",
                           "||",
                           "!",
                           "(",
                           ")",
                           "()",
                           "price",
                           "deposit.",
                           ".price>5",
                           "deposit.price.x>5",
                           "buy.price>5",
                           "cancel.amount==5",
                           "trade",
                           "new_order==5",
                           "price>5 and",
                           "and price>5",
                           "not",
                           "price>5 xor price<6",
                           "price>",
                           "price 5",
                           "price=5",
                           "price>5 price<6",
                           "price>5 &&",
                           "&& price>5",
                           "price>5 & price<6",
                           "price>5 ||| side==bid",
                           "320<=price",
                           "market==''",
                           "market=='AAPL",
                           "market==\"AAPL'",
                           "'price'>5",
                           "price>>5",
                           "price>.",
                           "price>5.",
                           "price>.5",
                           "price>--5",
                           "price>+5",
                           "price>1e3",
                           "price>#",
                           "price>#1.5",
                           "quantity>-1",
                           "quantity>#-1",
                           "sequence==18446744073709551616",
                           "market==#4294967296",
                           "side==buy",
                           "side==300",
                           "attachment==true",
                           "attachment attachment",
                           "price>5)",
                           "price>99999999999999999999"}) {
    EXPECT_FALSE(Filter::Parse(text).ok()) << text;
  }
}

TEST_F(FilterTest, DeepNestingIsRefusedNotFollowed) {
  EXPECT_THAT(ErrorOf(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(ErrorOf(std::string(100'000, '!')), HasSubstr("nested too deeply"));
}

TEST_F(FilterTest, ALongChainIsNotDeep) {
  std::string chain = "sequence==1";
  for (int i = 0; i < 20'000; ++i) chain += "||sequence==2";
  EXPECT_FALSE(Holds(chain));
  EXPECT_TRUE(Holds(chain + "||sequence==77"));
}

TEST_F(FilterTest, ControlCharactersAreNotEchoed) {
  EXPECT_FALSE(absl::StrContains(ErrorOf("price\x1b[31m>5"), "\x1b"));
}

}  // namespace
}  // namespace engine
