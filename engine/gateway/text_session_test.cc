#include "engine/gateway/text_session.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
// After gtest, which it relies on.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr AccountId kAccount = AccountId(6);

// A session, the exchange behind it and the program around it.
class Conversation final : public TextSessionHost {
 public:
  explicit Conversation(size_t waiting_max = 0, TextSession::Options options = Options(),
                        const MarketDirectory& markets = Markets())
      : exchange(waiting_max), session(exchange, *this, markets, options) {
    exchange.ListenWith(&session);
  }

  static TextSession::Options Options() {
    TextSession::Options options;
    options.account = kAccount;
    return options;
  }
  static TextSession::Options AutoDefine() {
    TextSession::Options options = Options();
    options.auto_define_markets = true;
    return options;
  }

  // ACME, market 3, with prices of 0.01 and quantities of 0.1.
  static MarketDirectory Markets() {
    MarketDefinition acme;
    acme.id = MarketId(3);
    acme.symbol = "ACME";
    acme.price_decimals = 2;
    acme.quantity_decimals = 1;
    MarketDirectory markets;
    EXPECT_TRUE(markets.Add(acme));
    return markets;
  }

  absl::Status Settle() override {
    ++settle_count;
    exchange.Release();
    return settle_status;
  }
  void PrintBook(const MarketDefinition* market, std::string& out) override {
    absl::StrAppend(&out, "BOOK ", market == nullptr ? "all" : market->symbol, "\n");
  }

  absl::StatusOr<bool> SetAckPolicy(TextAckPolicy policy) override {
    if (has_policies) policies.push_back(policy);
    return has_policies;
  }

  // Sends lines and returns what was answered.
  std::string Say(const std::string& lines) {
    const absl::Status status = session.OnBytes(AsBytes(lines));
    EXPECT_TRUE(status.ok()) << status;
    return TakeReplies();
  }
  std::string TakeReplies() {
    std::string replies = session.output();
    session.ClearOutput();
    session.CheckInvariants();
    return replies;
  }

  ToyExchange exchange;
  TextSession session;
  int settle_count = 0;
  absl::Status settle_status;
  bool has_policies = false;
  std::vector<TextAckPolicy> policies;
};

TEST(TextSession, SubmitsALimitOrder) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 5 ACME SELL 1.23 4.5\n"), "ACK 5 order=1\n");
  const Command& command = conversation.exchange.commands().back();
  EXPECT_EQ(command.kind, CommandKind::kNewOrder);
  EXPECT_EQ(command.account, kAccount);
  EXPECT_EQ(command.market, MarketId(3));
  EXPECT_EQ(command.side, Side::kAsk);
  EXPECT_EQ(command.type, OrderType::kLimit);
  EXPECT_EQ(command.tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(command.price, Price::FromUnits(123));
  EXPECT_EQ(command.quantity, Quantity::FromUnits(45));
  EXPECT_EQ(command.client_order_id, ClientOrderId(5));
  conversation.Say("SUBMIT 6 ACME BUY 1 1 FOK\n");
  EXPECT_EQ(conversation.exchange.commands().back().tif, TimeInForce::kFillOrKill);
}

TEST(TextSession, SubmitsOrdersWithOptions) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME BUY 1 1 GTT=2026-01-01T16:00:00Z POST STP=MAKER GROUP=7\n");
  const Command& till_time = conversation.exchange.commands().back();
  EXPECT_EQ(till_time.tif, TimeInForce::kGoodTillTime);
  EXPECT_EQ(till_time.expires_at(), *Timestamp::Parse("2026-01-01T16:00:00Z"));
  EXPECT_EQ(till_time.group, GroupId(7));
  EXPECT_EQ(till_time.flags,
            OrderFlags().WithPostOnly().WithSelfTradePrevention(SelfTradePrevention::kCancelMaker));

  conversation.Say("SUBMIT 2 ACME BUY 1 1 DAY PAUSE\n");
  const Command& day = conversation.exchange.commands().back();
  EXPECT_EQ(day.tif, TimeInForce::kDay);
  EXPECT_EQ(day.order_id, OrderId());
  EXPECT_EQ(day.flags, OrderFlags().WithCancelOnPause());

  conversation.Say("MARKET 3 ACME BUY 1 REDUCE\n");
  EXPECT_EQ(conversation.exchange.commands().back().flags, OrderFlags().WithReduceOnly());
}

TEST(TextSession, APolicyIsTheHostsAffairAndAnsweredInOrder) {
  Conversation conversation(/*waiting_max=*/100);
  EXPECT_EQ(conversation.Say("SUBMIT 5 ACME SELL 1 1\nPOLICY DISK\n"),
            "ACK 5 order=1\nERROR line 2: this session has one acknowledgement policy\n");
  conversation.has_policies = true;
  EXPECT_EQ(conversation.Say("SUBMIT 6 ACME SELL 1 1\nPOLICY DISK\nPOLICY none\n"),
            "ACK 6 order=2\nPOLICY disk\nPOLICY none\n");
  EXPECT_EQ(conversation.policies,
            (std::vector<TextAckPolicy>{TextAckPolicy::kDisk, TextAckPolicy::kNone}));
}

// Says that there is no space, and passes on the rest.
class FullSink final : public CommandSink {
 public:
  explicit FullSink(CommandSink& sink) : sink_(sink) {}
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    if (is_full) return absl::ResourceExhaustedError("the disk is full");
    return sink_.Submit(command, attachment);
  }
  bool is_full = false;

 private:
  CommandSink& sink_;
};

TEST(TextSession, AFullDiskRefusesAndTheConversationGoesOn) {
  Conversation conversation(/*waiting_max=*/100);
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, Conversation::Markets(), Conversation::Options());
  conversation.exchange.ListenWith(&session);
  ASSERT_TRUE(session.OnBytes(AsBytes(absl::string_view("SUBMIT 1 ACME SELL 1 1\n"))).ok());
  sink.is_full = true;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  sink.is_full = false;
  ASSERT_TRUE(
      session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\nCANCEL 1\n"))).ok());
  ASSERT_TRUE(session.Finish().ok());
  EXPECT_EQ(session.output(),
            "ACK 1 order=1\nREJECT 2 disk_full\nREJECT 1 disk_full\n"
            "ACK 2 order=2\nCANCELLED 1 1.0 requested\n");
}

TEST(TextSession, AFullDiskThatEndsTheJournalEndsTheConversation) {
  Conversation conversation;
  FullSink sink(conversation.exchange);
  TextSession session(sink, conversation, Conversation::Markets(), Conversation::Options());
  sink.is_full = true;
  conversation.settle_status = absl::ResourceExhaustedError("write: no space left");
  EXPECT_EQ(session.OnBytes(AsBytes(absl::string_view("SUBMIT 2 ACME SELL 1 1\n"))),
            conversation.settle_status);
}

TEST(TextSession, AnExpiredOrderIsCancelledWhoeverShowsTheTime) {
  Conversation conversation;
  conversation.Say("SUBMIT 5 ACME SELL 10 5\n");
  Event expired;
  expired.sequence = SequenceNumber(2);
  expired.kind = EventKind::kCancelled;
  expired.order_id = OrderId(1);
  expired.account = kAccount;
  expired.market = MarketId(3);
  expired.quantity = Quantity::FromUnits(50);
  expired.detail = static_cast<uint8_t>(CancelReason::kExpired);
  Command somebodys;
  somebodys.sequence = SequenceNumber(2);
  somebodys.kind = CommandKind::kAdvanceTime;
  conversation.session.OnEvents(somebodys, {&expired, 1});
  EXPECT_EQ(conversation.TakeReplies(), "CANCELLED 5 5.0 expired\n");
  EXPECT_EQ(conversation.session.live_order_count(), 0u);
}

TEST(TextSession, TellsTheAccountsMoneyAndPositionsAndNobodyElses) {
  Conversation conversation;
  Command somebodys;
  somebodys.sequence = SequenceNumber(1);
  std::vector<Event> events(4);
  for (const size_t i : {0, 2}) {
    events[i].kind = EventKind::kBalance;
    events[i].order_id = OrderId(1);
    events[i].price = Price::FromUnits(-537'500);
    events[i].quantity = Quantity::FromUnits(17'500);
    events[i].counter_order_id = OrderId(99'462'500);
    events[i + 1].kind = EventKind::kPosition;
    events[i + 1].price = Price::FromUnits(-15);
    events[i + 1].quantity = Quantity::FromUnits(15);
  }
  for (Event& event : events) {
    event.sequence = SequenceNumber(1);
    event.market = MarketId(3);
    event.account = AccountId(99);
  }
  events[2].account = events[3].account = kAccount;
  conversation.session.OnEvents(somebodys, events);
  EXPECT_EQ(conversation.TakeReplies(),
            "BALANCE 99.462500 change=-0.537500 fee=0.017500 reserved=0.000000 order=1\n"
            "POSITION ACME -1.5\n");
}

TEST(TextSession, SubmitsAMarketOrder) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("MARKET 5 ACME BUY 2\n"),
            "ACK 5 order=1\n"
            "CANCELLED 5 2.0 immediate_or_cancel\n");
  const Command& command = conversation.exchange.commands().back();
  EXPECT_EQ(command.type, OrderType::kMarket);
  EXPECT_EQ(command.tif, TimeInForce::kImmediateOrCancel);
  EXPECT_EQ(command.price, Price());
}

TEST(TextSession, TellsBothPartiesOfATrade) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME SELL 10 5\n"
                             "SUBMIT 2 ACME BUY 11 3\n"
                             "SUBMIT 3 ACME BUY 11 3 IOC\n"),
            "ACK 1 order=1\n"
            "ACK 2 order=2\n"
            "FILL 1 3.0 @ 10.00 maker remaining=2.0 trade=2.1\n"
            "FILL 2 3.0 @ 10.00 taker remaining=0.0 trade=2.1\n"
            "ACK 3 order=3\n"
            "FILL 1 2.0 @ 10.00 maker remaining=0.0 trade=3.1\n"
            "FILL 3 2.0 @ 10.00 taker remaining=1.0 trade=3.1\n"
            "CANCELLED 3 1.0 immediate_or_cancel\n");
  EXPECT_EQ(conversation.session.live_order_count(), 0u);
}

TEST(TextSession, CancelsByClientId) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 9 ACME SELL 10 5\nCANCEL 9\n"),
            "ACK 9 order=1\n"
            "CANCELLED 9 5.0 requested\n");
  const Command& command = conversation.exchange.commands().back();
  EXPECT_EQ(command.kind, CommandKind::kCancel);
  EXPECT_EQ(command.order_id, OrderId(1));
  EXPECT_EQ(command.market, MarketId(3));
  EXPECT_EQ(command.account, kAccount);
}

TEST(TextSession, ModifiesToANewTotalTheFilledPartIncluded) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME BUY 10 2\n");
  EXPECT_EQ(conversation.Say("MODIFY 1 10 4\n"),
            "MODIFIED 1 4.0 @ 10.00 remaining=2.0 priority=kept\n");
  EXPECT_EQ(conversation.Say("MODIFY 1 11.5 6\n"),
            "MODIFIED 1 6.0 @ 11.50 remaining=4.0 priority=lost\n");
  EXPECT_EQ(conversation.Say("MODIFY 1 11.5 2\n"), "REJECT 1 quantity_not_above_filled\n");
  EXPECT_EQ(conversation.Say("SUBMIT 3 ACME BUY 12 4\n"),
            "ACK 3 order=6\n"
            "FILL 1 4.0 @ 11.50 maker remaining=0.0 trade=6.1\n"
            "FILL 3 4.0 @ 11.50 taker remaining=0.0 trade=6.1\n");
}

TEST(TextSession, AModifiedOrderMayTrade) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\nSUBMIT 2 ACME BUY 9 5\n");
  EXPECT_EQ(conversation.Say("MODIFY 2 10 7\n"),
            "MODIFIED 2 7.0 @ 10.00 remaining=7.0 priority=lost\n"
            "FILL 1 5.0 @ 10.00 maker remaining=0.0 trade=3.1\n"
            "FILL 2 5.0 @ 10.00 taker remaining=2.0 trade=3.1\n");
}

TEST(TextSession, ALiveIdIsRefusedAndAnEndedOneMayBeUsedAgain) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\n");
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME SELL 11 5\n"), "REJECT 1 duplicate_id\n");
  EXPECT_EQ(conversation.Say("MARKET 1 ACME BUY 5\n"), "REJECT 1 duplicate_id\n");
  EXPECT_EQ(conversation.exchange.commands().size(), 1u);
  conversation.Say("CANCEL 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME SELL 11 5\n"), "ACK 1 order=3\n");
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "CANCELLED 1 5.0 requested\n");
}

TEST(TextSession, AnIdIsFreeAgainWhenItsOrderWasRejected) {
  for (const size_t waiting_max : {0, 100}) {
    Conversation conversation(waiting_max);
    const std::string replies = conversation.Say(
        "SUBMIT 1 ACME SELL 10 0\n"
        "SUBMIT 1 ACME SELL 10 1\n"
        "PRINT\n");
    EXPECT_EQ(replies,
              "REJECT 1 quantity_zero\n"
              "ACK 1 order=2\n"
              "BOOK all\n"
              "END\n");
  }
}

TEST(TextSession, UnknownIdsHaveNoLiveOrder) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("CANCEL 1\nMODIFY 1 1 1\n"),
            "REJECT 1 order_not_live\n"
            "REJECT 1 order_not_live\n");
  EXPECT_TRUE(conversation.exchange.commands().empty());
}

TEST(TextSession, CancelOfAnEndedOrderIsRefusedByTheExchange) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\nCANCEL 1\n");
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "REJECT 1 order_not_live\n");
  EXPECT_EQ(conversation.exchange.commands().size(), 3u);
}

TEST(TextSession, AnEndedIdIsForgottenAfterManyCommands) {
  Conversation conversation;
  std::string lines = "SUBMIT 1 ACME SELL 10 5\nCANCEL 1\n";
  for (uint64_t i = 0; i < TextSession::kEndedKept; ++i) lines += "SUBMIT 2 ACME SELL 10 0\n";
  conversation.Say(lines);
  const size_t count = conversation.exchange.commands().size();
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "REJECT 1 order_not_live\n");
  EXPECT_EQ(conversation.exchange.commands().size(), count);
  EXPECT_EQ(conversation.session.live_order_count(), 0u);
}

TEST(TextSession, AnIdThatNamesALaterOrderIsNotForgottenWithTheEarlierOne) {
  Conversation conversation;
  std::string lines = "SUBMIT 1 ACME SELL 10 5\nCANCEL 1\nSUBMIT 1 ACME SELL 10 6\n";
  for (uint64_t i = 0; i < TextSession::kEndedKept; ++i) lines += "SUBMIT 2 ACME SELL 10 0\n";
  conversation.Say(lines);
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "CANCELLED 1 6.0 requested\n");
}

TEST(TextSession, ACancelMayFollowItsSubmitBeforeAnyEvent) {
  Conversation conversation(100);
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME SELL 10 5\nCANCEL 1\n"), "");
  ASSERT_EQ(conversation.exchange.commands().size(), 2u);
  EXPECT_EQ(conversation.exchange.commands()[1].order_id, OrderId(1));
  conversation.exchange.Release();
  EXPECT_EQ(conversation.TakeReplies(),
            "ACK 1 order=1\n"
            "CANCELLED 1 5.0 requested\n");
}

TEST(TextSession, RepliesKeepTheOrderOfTheLines) {
  Conversation conversation(100);
  EXPECT_EQ(
      conversation.Say("SUBMIT 1 ACME SELL 10 5\nnonsense\nPRINT ACME\n"),
      "ACK 1 order=1\n"
      "ERROR line 2: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'nonsense'\n"
      "BOOK ACME\n"
      "END\n");
}

TEST(TextSession, SettlesOnlyWhenSomethingWaits) {
  Conversation conversation(100);
  conversation.Say("PRINT\nCANCEL 7\n");
  EXPECT_EQ(conversation.settle_count, 0);
  conversation.Say("SUBMIT 1 ACME SELL 10 5\nPRINT\nPRINT\n");
  EXPECT_EQ(conversation.settle_count, 1);
}

TEST(TextSession, NeverLeavesTooManyUnsettled) {
  Conversation conversation(SIZE_MAX);
  std::string lines;
  for (uint64_t i = 0; i < TextSession::kEndedKept; ++i) {
    absl::StrAppend(&lines, "SUBMIT ", i, " ACME SELL 10 0\n");
  }
  conversation.Say(lines);
  EXPECT_EQ(conversation.settle_count, 1);
}

TEST(TextSession, UnknownSymbolsAreRefused) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 1 NOPE BUY 1 1\nMARKET 2 NOPE BUY 1\nPRINT NOPE\n"),
            "REJECT 1 unknown_market\n"
            "REJECT 2 unknown_market\n"
            "ERROR line 3: expected a market, found 'NOPE'\n");
  EXPECT_TRUE(conversation.exchange.commands().empty());
}

TEST(TextSession, UnknownSymbolsAreDefinedWhenTheSessionMay) {
  for (const size_t waiting_max : {0, 100}) {
    Conversation conversation(waiting_max, Conversation::AutoDefine());
    EXPECT_EQ(conversation.Say("SUBMIT 1 AAPL SELL 320.14 100\n"
                               "SUBMIT 2 AAPL BUY 320.14 40\n"
                               "SUBMIT 3 IBM BUY 1 1\n"
                               "PRINT AAPL\n"),
              "DEFINED AAPL market=4 price_decimals=4 quantity_decimals=0\n"
              "ACK 1 order=2\n"
              "ACK 2 order=3\n"
              "FILL 1 40 @ 320.1400 maker remaining=60 trade=3.1\n"
              "FILL 2 40 @ 320.1400 taker remaining=0 trade=3.1\n"
              "DEFINED IBM market=5 price_decimals=4 quantity_decimals=0\n"
              "ACK 3 order=5\n"
              "BOOK AAPL\n"
              "END\n");
    EXPECT_EQ(conversation.session.markets().all().size(), 3u);
  }
}

TEST(TextSession, TheDefinitionTravelsWithItsCommand) {
  class Sink final : public CommandSink {
   public:
    absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
      if (command.kind == CommandKind::kDefineMarket) {
        definition = DecodeMarketDefinition(attachment);
        market = command.market;
      }
      return SequenceNumber(++count);
    }
    absl::StatusOr<MarketDefinition> definition;
    MarketId market;
    uint64_t count = 0;
  };
  Sink sink;
  Conversation host;
  TextSession session(sink, host, MarketDirectory(), Conversation::AutoDefine());
  ASSERT_TRUE(session.OnBytes(AsBytes(absl::string_view("SUBMIT 1 AAPL BUY 1 1\n"))).ok());
  ASSERT_TRUE(sink.definition.ok());
  MarketDefinition expected = TextSession::DollarMarket();
  expected.id = MarketId(1);
  expected.symbol = "AAPL";
  EXPECT_EQ(*sink.definition, expected);
  EXPECT_EQ(sink.market, MarketId(1));
}

TEST(TextSession, ALineInErrorDefinesNoMarket) {
  Conversation conversation(0, Conversation::AutoDefine());
  conversation.Say("SUBMIT 1 ACME BUY 1 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 2 NEW BUY 1.00001 1\n"
                             "SUBMIT 2 NEW BUY 1 1.5\n"
                             "SUBMIT 1 NEW BUY 1 1\n"
                             "SUBMIT 2 N\x01W BUY 1 1\n"
                             "SUBMIT 2 AVERYLONGSYMBOLOFMORETHANTHIRTYTWOBYTES BUY 1 1\n"),
            "ERROR line 2: '1.00001' has more than 4 decimals\n"
            "ERROR line 3: '1.5' has more than 0 decimals\n"
            "REJECT 1 duplicate_id\n"
            "ERROR line 5: symbol must be 1 to 32 printable ASCII characters without spaces\n"
            "ERROR line 6: symbol must be 1 to 32 printable ASCII characters without spaces\n");
  EXPECT_EQ(conversation.exchange.commands().size(), 1u);
}

TEST(TextSession, MarketsAreLimited) {
  TextSession::Options options = Conversation::AutoDefine();
  options.auto_markets_max = 1;
  Conversation conversation(0, options);
  conversation.Say("SUBMIT 1 A BUY 1 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 2 B BUY 1 1\n"), "REJECT 2 too_many_markets\n");
}

TEST(TextSession, ARefusedDefinitionIsReported) {
  Conversation conversation(0, Conversation::AutoDefine());
  conversation.exchange.RefuseNext(RejectReason::kSymbolAlreadyDefined);
  EXPECT_TRUE(absl::StartsWith(conversation.Say("SUBMIT 1 A BUY 1 1\n"),
                               "ERROR market A: symbol_already_defined\n"));
}

TEST(TextSession, NumbersFinerThanTheUnitAreErrors) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME BUY 1 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 2 ACME BUY 1.001 1\n"
                             "SUBMIT 2 ACME BUY 1 1.55\n"
                             "MODIFY 1 1.001 1\n"
                             "MODIFY 1 1 99999999999999999999\n"),
            "ERROR line 2: '1.001' has more than 2 decimals\n"
            "ERROR line 3: '1.55' has more than 1 decimals\n"
            "ERROR line 4: '1.001' has more than 2 decimals\n"
            "ERROR line 5: '99999999999999999999' is too large\n");
}

TEST(TextSession, LinesThatAreTooLongAreSkipped) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("#" + std::string(1000, 'x') + "\nSUBMIT 1 ACME BUY 1 1\n"),
            "ERROR line 1: expected at most 512 bytes, found more\n"
            "ACK 1 order=1\n");
}

TEST(TextSession, BlankLinesAndCommentsCountAsLinesAndAreNotAnswered) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("\n# hello\r\n  \nX\n"),
            "ERROR line 4: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'X'\n");
}

TEST(TextSession, TheLastLineNeedsNoEnding) {
  Conversation conversation(100);
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME BUY 1 1"), "");
  EXPECT_TRUE(conversation.session.Finish().ok());
  EXPECT_EQ(conversation.TakeReplies(), "ACK 1 order=1\n") << "and it is settled";
}

TEST(TextSession, AFailingSinkEndsTheConversation) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME BUY 1 1\n");
  conversation.exchange.Break();
  const std::string lines = "SUBMIT 2 ACME BUY 1 1\nSUBMIT 3 ACME BUY 1 1\n";
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.Finish().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.TakeReplies(), "");
}

TEST(TextSession, AHostThatCannotSettleEndsTheConversation) {
  Conversation conversation(100);
  conversation.settle_status = absl::UnavailableError("the disk is gone");
  const std::string lines = "SUBMIT 1 ACME BUY 1 1\nPRINT\n";
  EXPECT_EQ(conversation.session.OnBytes(AsBytes(lines)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(conversation.session.Finish().code(), absl::StatusCode::kUnavailable);
}

TEST(TextSession, OrdersOfOtherAccountsAreNotItsAffair) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\n");
  Command theirs;
  theirs.kind = CommandKind::kNewOrder;
  theirs.account = AccountId(7);
  theirs.market = MarketId(3);
  theirs.side = Side::kBid;
  theirs.type = OrderType::kLimit;
  theirs.tif = TimeInForce::kGoodTillCancelled;
  theirs.price = Price::FromUnits(1000);
  theirs.quantity = Quantity::FromUnits(60);
  theirs.client_order_id = ClientOrderId(1);
  ASSERT_TRUE(conversation.exchange.Submit(theirs, {}).ok());
  EXPECT_EQ(conversation.TakeReplies(), "FILL 1 5.0 @ 10.00 maker remaining=0.0 trade=2.1\n");
  theirs.quantity = Quantity();
  ASSERT_TRUE(conversation.exchange.Submit(theirs, {}).ok());
  EXPECT_EQ(conversation.TakeReplies(), "");
}

// Hears what was said before the session, as a resumed run tells it.
class Historian final : public EventListener {
 public:
  explicit Historian(TextSession& session) : session_(session) {}
  void OnEvents(const Command& command, std::span<const Event> events) override {
    session_.OnHistory(command, events);
  }

 private:
  TextSession& session_;
};

TEST(TextSession, KnowsTheOrdersOfAnEarlierRun) {
  Conversation conversation;
  Historian historian(conversation.session);
  conversation.exchange.ListenWith(&historian);
  Command earlier;
  earlier.kind = CommandKind::kNewOrder;
  earlier.account = kAccount;
  earlier.market = MarketId(3);
  earlier.side = Side::kBid;
  earlier.type = OrderType::kLimit;
  earlier.tif = TimeInForce::kGoodTillCancelled;
  earlier.price = Price::FromUnits(1000);
  earlier.quantity = Quantity::FromUnits(60);
  earlier.client_order_id = ClientOrderId(44);
  ASSERT_TRUE(conversation.exchange.Submit(earlier, {}).ok());
  conversation.exchange.ListenWith(&conversation.session);
  EXPECT_EQ(conversation.TakeReplies(), "");
  EXPECT_EQ(conversation.Say("SUBMIT 44 ACME SELL 10 1\n"), "REJECT 44 duplicate_id\n");
  EXPECT_EQ(conversation.settle_count, 0);
  EXPECT_EQ(conversation.Say("CANCEL 44\n"), "CANCELLED 44 6.0 requested\n");
}

TEST(TextSession, HearsOfChangesThatOthersMadeToItsOrders) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\n");
  Command command;
  command.sequence = SequenceNumber(2);
  command.account = kAccount;
  command.client_order_id = ClientOrderId(2);
  Event reduced;
  reduced.kind = EventKind::kReduced;
  reduced.order_id = OrderId(1);
  reduced.quantity = Quantity::FromUnits(20);
  reduced.quantity_remaining = Quantity::FromUnits(30);
  conversation.session.OnEvents(command, std::vector{reduced});
  Event replaced;
  replaced.sequence = SequenceNumber(3);
  replaced.kind = EventKind::kReplaced;
  replaced.order_id = OrderId(3);
  replaced.counter_order_id = OrderId(1);
  replaced.price = Price::FromUnits(900);
  replaced.quantity = Quantity::FromUnits(10);
  command.sequence = SequenceNumber(3);
  conversation.session.OnEvents(command, std::vector{replaced});
  EXPECT_EQ(conversation.TakeReplies(),
            "REDUCED 1 2.0 remaining=3.0\n"
            "REPLACED 1 2 1.0 @ 9.00 order=3\n");
  EXPECT_EQ(conversation.session.live_order_count(), 1u);
}

// A conversation like those of a busy and careless client: few ids, often reused.
std::string RandomLines(Prng& prng, int line_count) {
  std::string lines;
  for (int i = 0; i < line_count; ++i) {
    const uint64_t id = prng.Below(12);
    const char* side = prng.Chance(50) ? "BUY" : "SELL";
    const char* symbols[] = {"ACME", "IBM", "AAPL"};
    const char* symbol = symbols[prng.Below(3)];
    const std::string price = absl::StrCat(prng.Between(8, 12), prng.Chance(5) ? ".12345" : "");
    const uint64_t quantity = prng.Below(6);
    const char* tifs[] = {"", " IOC", " FOK", " GTC", " X"};
    switch (prng.Below(10)) {
      case 0:
        absl::StrAppend(&lines, "MARKET ", id, " ", symbol, " ", side, " ", quantity);
        break;
      case 1:
        absl::StrAppend(&lines, "CANCEL ", id);
        break;
      case 2:
        absl::StrAppend(&lines, "MODIFY ", id, " ", price, " ", quantity);
        break;
      case 3:
        absl::StrAppend(&lines, prng.Chance(50) ? "PRINT" : "PRINT IBM");
        break;
      case 4:
        absl::StrAppend(&lines, prng.Chance(50) ? "# nothing" : "oops");
        break;
      default:
        absl::StrAppend(&lines, "SUBMIT ", id, " ", symbol, " ", side, " ", price, " ", quantity,
                        tifs[prng.Below(5)]);
    }
    lines += '\n';
  }
  return lines;
}

RC_GTEST_PROP(TextSession, RepliesAndCommandsDependOnTheLinesAlone, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  const std::string lines = RandomLines(prng, 300);

  Conversation at_once(0, Conversation::AutoDefine());
  RC_ASSERT(at_once.session.OnBytes(AsBytes(lines)).ok());
  RC_ASSERT(at_once.session.Finish().ok());

  Conversation in_groups(prng.Below(50), Conversation::AutoDefine());
  for (size_t at = 0; at < lines.size();) {
    const size_t taken = std::min<size_t>(1 + prng.Below(200), lines.size() - at);
    RC_ASSERT(in_groups.session.OnBytes(AsBytes(lines).subspan(at, taken)).ok());
    at += taken;
    if (prng.Chance(30)) in_groups.exchange.Release(prng.Below(5));
  }
  RC_ASSERT(in_groups.session.Finish().ok());

  RC_ASSERT(at_once.session.output() == in_groups.session.output());
  RC_ASSERT(at_once.exchange.commands() == in_groups.exchange.commands());
  RC_ASSERT(at_once.session.live_order_count() == in_groups.session.live_order_count());
  at_once.session.CheckInvariants();
  in_groups.session.CheckInvariants();
}

// Whether the line asks for nothing: blank, or a comment.
bool AsksNothing(absl::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  return line.size() <= kTextLineBytesMax &&
         (first == absl::string_view::npos || line[first] == '#');
}

RC_GTEST_PROP(TextSession, EveryLineThatAsksIsAnswered, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  std::string lines = RandomLines(prng, 60);
  for (uint64_t flips = prng.Below(60); flips > 0; --flips) {
    lines[prng.Below(lines.size())] = static_cast<char>(prng.Next());
  }
  lines += std::string(prng.Below(2) * 600, 'z') + "\n";
  Conversation conversation(0, Conversation::AutoDefine());
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    conversation.session.ClearOutput();
    RC_ASSERT(conversation.session.OnBytes(AsBytes(absl::StrCat(line, "\n"))).ok());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::string& replies = conversation.session.output();
    RC_ASSERT(replies.empty() == AsksNothing(line));
    for (const char c : replies) RC_ASSERT(c == '\n' || (c >= ' ' && c <= '~'));
  }
  conversation.session.CheckInvariants();
}

RC_GTEST_PROP(TextSession, AnyBytesAreSurvived, (const std::string& bytes)) {
  Conversation conversation(3, Conversation::AutoDefine());
  RC_ASSERT(conversation.session.OnBytes(AsBytes(bytes)).ok());
  RC_ASSERT(conversation.session.Finish().ok());
  conversation.session.CheckInvariants();
}

}  // namespace
}  // namespace engine
