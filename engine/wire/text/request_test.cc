#include "engine/wire/text/request.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

template <typename T>
T Parsed(absl::string_view line) {
  const absl::StatusOr<TextRequest> request = ParseTextRequest(line);
  EXPECT_TRUE(request.ok()) << request.status();
  if (!request.ok() || !std::holds_alternative<T>(*request)) {
    ADD_FAILURE() << line << " is another request";
    return T();
  }
  return std::get<T>(*request);
}

void ExpectRefused(absl::string_view line, absl::string_view why) {
  const absl::StatusOr<TextRequest> request = ParseTextRequest(line);
  EXPECT_EQ(request.status().code(), absl::StatusCode::kInvalidArgument) << line;
  EXPECT_EQ(request.status().message(), why);
}

TEST(TextRequest, ReadsSubmit) {
  const auto request = Parsed<SubmitRequest>("SUBMIT 12 AAPL SELL 320.14 100");
  EXPECT_EQ(request.id, 12u);
  EXPECT_EQ(request.symbol, "AAPL");
  EXPECT_EQ(request.side, Side::kAsk);
  EXPECT_EQ(request.price.text, "320.14");
  EXPECT_EQ(request.quantity.text, "100");
  EXPECT_EQ(request.tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1").side, Side::kBid);
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY -0.5 1").price.text, "-0.5");
}

TEST(TextRequest, ReadsTimesInForce) {
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 GTC").tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 IOC").tif, TimeInForce::kImmediateOrCancel);
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 FOK").tif, TimeInForce::kFillOrKill);
}

TEST(TextRequest, ReadsDayOrdersAndOrdersWithATime) {
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 day").tif, TimeInForce::kDay);
  const auto request = Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 GTT=2026-01-01T16:00:00Z POST");
  EXPECT_EQ(request.tif, TimeInForce::kGoodTillTime);
  EXPECT_EQ(request.expires_at, *Timestamp::Parse("2026-01-01T16:00:00Z"));
  EXPECT_EQ(request.options.flags, OrderFlags().WithPostOnly());
}

TEST(TextRequest, ReadsOptionsInAnyOrderWithOrWithoutATimeInForce) {
  const auto all =
      Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 group=16777215 PAUSE stp=both REDUCE POST # all");
  EXPECT_EQ(all.tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(all.options.group, kGroupIdMax);
  EXPECT_EQ(
      all.options.flags,
      OrderFlags().WithPostOnly().WithReduceOnly().WithCancelOnPause().WithSelfTradePrevention(
          SelfTradePrevention::kCancelBoth));
  EXPECT_EQ(Parsed<SubmitRequest>("SUBMIT 1 A BUY 1 1 IOC STP=TAKER").options.flags,
            OrderFlags().WithSelfTradePrevention(SelfTradePrevention::kCancelTaker));
  EXPECT_EQ(Parsed<MarketRequest>("MARKET 1 A BUY 1 STP=MAKER").options.flags,
            OrderFlags().WithSelfTradePrevention(SelfTradePrevention::kCancelMaker));
}

TEST(TextRequest, ReadsMarket) {
  const auto request = Parsed<MarketRequest>("MARKET 3 MSFT BUY 7");
  EXPECT_EQ(request.id, 3u);
  EXPECT_EQ(request.symbol, "MSFT");
  EXPECT_EQ(request.side, Side::kBid);
  EXPECT_EQ(request.quantity.text, "7");
}

TEST(TextRequest, ReadsCancelModifyAndPrint) {
  EXPECT_EQ(Parsed<CancelRequest>("CANCEL 18446744073709551615").id, ~uint64_t{0});
  const auto modify = Parsed<ModifyRequest>("MODIFY 0 1.5 20");
  EXPECT_EQ(modify.id, 0u);
  EXPECT_EQ(modify.price.text, "1.5");
  EXPECT_EQ(modify.quantity.text, "20");
  EXPECT_EQ(Parsed<PrintRequest>("PRINT").symbol, "");
  EXPECT_EQ(Parsed<PrintRequest>("PRINT AAPL").symbol, "AAPL");
}

TEST(TextRequest, BlankLinesAndCommentsAreNoRequests) {
  for (const absl::string_view line : {"", "   ", "\t", "# SUBMIT", "  #x", "#\x01\xff"}) {
    Parsed<NoRequest>(line);
  }
}

TEST(TextRequest, AWordThatBeginsWithAHashEndsTheLine) {
  EXPECT_EQ(Parsed<CancelRequest>("CANCEL 1 # because").id, 1u);
  EXPECT_EQ(Parsed<PrintRequest>("PRINT #all").symbol, "");
  EXPECT_EQ(Parsed<PrintRequest>("PRINT A#B").symbol, "A#B");
}

TEST(TextRequest, KeywordsMayBeInLowerCaseSymbolsStayAsTheyAre) {
  const auto request = Parsed<SubmitRequest>("submit 1 aapl Buy 1 1 ioc");
  EXPECT_EQ(request.symbol, "aapl");
  EXPECT_EQ(request.side, Side::kBid);
  EXPECT_EQ(request.tif, TimeInForce::kImmediateOrCancel);
}

TEST(TextRequest, WordsAreSeparatedByAnyBlanks) {
  EXPECT_EQ(Parsed<CancelRequest>(" \t CANCEL \t  5\t").id, 5u);
}

TEST(TextRequest, ReportsWhatWasExpectedAndWhatWasFound) {
  ExpectRefused("FOO 1", "expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'FOO'");
  ExpectRefused("SUBMIT", "expected an order id, found the end of the line");
  ExpectRefused("SUBMIT x", "expected an order id from 0 to 18446744073709551615, found 'x'");
  ExpectRefused("CANCEL -1", "expected an order id from 0 to 18446744073709551615, found '-1'");
  ExpectRefused(
      "CANCEL 18446744073709551616",
      "expected an order id from 0 to 18446744073709551615, found '18446744073709551616'");
  ExpectRefused(
      "CANCEL 99999999999999999999",
      "expected an order id from 0 to 18446744073709551615, found '99999999999999999999'");
  ExpectRefused("SUBMIT 1", "expected a symbol, found the end of the line");
  ExpectRefused("SUBMIT 1 A BYE 1 1", "expected BUY or SELL, found 'BYE'");
  ExpectRefused("SUBMIT 1 A BUY # 1 1", "expected a price, found the end of the line");
  ExpectRefused("SUBMIT 1 A BUY 1 -1", "expected a quantity, found '-1'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 GTX",
                "expected GTC, IOC, FOK, DAY, GTT, POST, REDUCE, STP, PAUSE, GROUP or the end of "
                "the line, found 'GTX'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 GTC x",
                "expected POST, REDUCE, STP, PAUSE, GROUP or the end of the line, found 'x'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 POST IOC",
                "expected POST, REDUCE, STP, PAUSE, GROUP or the end of the line, found 'IOC'");
  ExpectRefused("MARKET 1 A BUY 1 IOC",
                "expected POST, REDUCE, STP, PAUSE, GROUP or the end of the line, found 'IOC'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 GTT=noon",
                "expected GTT=<time>, e.g. 2026-01-01T16:00:00Z, found 'GTT=noon'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 STP=NONE",
                "expected STP=TAKER, STP=MAKER or STP=BOTH, found 'STP=NONE'");
  ExpectRefused("SUBMIT 1 A BUY 1 1 POST POST", "expected each option once, found 'POST'");
  for (const absl::string_view group : {"GROUP=", "GROUP=0", "GROUP=16777216", "GROUP=4294967297",
                                        "GROUP=99999999999999", "GROUP=x", "GROUP=7x1"}) {
    ExpectRefused(absl::StrCat("SUBMIT 1 A BUY 1 1 ", group),
                  absl::StrCat("expected GROUP=1 to GROUP=16777215, found '", group, "'"));
  }
  ExpectRefused("CANCEL 1 2", "expected the end of the line, found '2'");
  ExpectRefused("PRINT A B", "expected the end of the line, found 'B'");
}

TEST(TextRequest, PricesAreDecimalNumbers) {
  for (const absl::string_view price :
       {".", "1.", ".5", "1.2.3", "1e5", "--1", "-", "+1", "0x10", "1,000", "nan"}) {
    ExpectRefused(absl::StrCat("MODIFY 1 ", price, " 1"),
                  absl::StrCat("expected a price, found '", price, "'"));
  }
}

TEST(TextRequest, ReadsPolicy) {
  EXPECT_EQ(Parsed<PolicyRequest>("POLICY NONE").policy, TextAckPolicy::kNone);
  EXPECT_EQ(Parsed<PolicyRequest>("policy written  # as before").policy, TextAckPolicy::kWritten);
  EXPECT_EQ(Parsed<PolicyRequest>("POLICY Disk").policy, TextAckPolicy::kDisk);
  ExpectRefused("POLICY", "expected NONE, WRITTEN or DISK, found the end of the line");
  ExpectRefused("POLICY 7", "expected NONE, WRITTEN or DISK, found '7'");
  ExpectRefused("POLICY DISK NOW", "expected the end of the line, found 'NOW'");
}

TEST(TextRequest, ErrorsArePrintableAndShort) {
  ExpectRefused(
      absl::string_view("CAN\0CEL\x1b[1m", 11),
      "expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'CAN\\000CEL\\033[1m'");
  const auto request = ParseTextRequest(std::string(5000, '\x80'));
  EXPECT_LT(request.status().message().size(), 300u);
}

TEST(TextRequest, SurvivesAnyLine) {
  Prng prng(3);
  const absl::string_view words[] = {
      "SUBMIT", "MARKET",   "CANCEL", "MODIFY", "PRINT",
      "1",      "AAPL",     "BUY",    "SELL",   "1.5",
      "GTC",    "#",        "-7",     "\t",     "GTT=2026-01-01T16:00:00Z",
      "POST",   "STP=BOTH", "GROUP=7"};
  for (int i = 0; i < 100'000; ++i) {
    std::string line;
    for (uint64_t word = prng.Below(8); word > 0; --word) {
      absl::StrAppend(&line, words[prng.Below(std::size(words))], " ");
    }
    if (prng.Chance(50) && !line.empty()) {
      line[prng.Below(line.size())] = static_cast<char>(prng.Next());
    }
    const auto request = ParseTextRequest(line);
    if (request.ok()) continue;
    ASSERT_TRUE(absl::StartsWith(request.status().message(), "expected "));
    for (const char c : request.status().message()) {
      ASSERT_TRUE(absl::ascii_isprint(static_cast<unsigned char>(c))) << request.status();
    }
  }
}

}  // namespace
}  // namespace engine
