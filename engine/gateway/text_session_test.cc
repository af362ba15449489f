// Orders of a conversation, by their client ids, from entry to end.

#include "engine/gateway/text_session.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/timestamp.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/text_account.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(TextSession, SubmitsALimitOrder) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 5 ACME SELL 1.23 4.5\n"), "ACK 5 order=1\n");
  const Command& command = conversation.exchange.commands().back();
  EXPECT_EQ(command.kind, CommandKind::kNewOrder);
  EXPECT_EQ(command.account, Conversation::kAccount);
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
  EXPECT_EQ(till_time.group(), GroupId(7));
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

TEST(TextSession, ReportsATradeToBothParties) {
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
  EXPECT_EQ(conversation.account.live_order_count(), 0u);
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
  EXPECT_EQ(command.account, Conversation::kAccount);
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
    const std::string replies = conversation.SayAll(
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
  for (uint64_t i = 0; i < TextAccount::kEndedKept; ++i) lines += "SUBMIT 2 ACME SELL 10 0\n";
  conversation.Say(lines);
  const size_t count = conversation.exchange.commands().size();
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "REJECT 1 order_not_live\n");
  EXPECT_EQ(conversation.exchange.commands().size(), count);
  EXPECT_EQ(conversation.account.live_order_count(), 0u);
}

TEST(TextSession, AnIdThatNamesALaterOrderIsNotForgottenWithTheEarlierOne) {
  Conversation conversation;
  std::string lines = "SUBMIT 1 ACME SELL 10 5\nCANCEL 1\nSUBMIT 1 ACME SELL 10 6\n";
  for (uint64_t i = 0; i < TextAccount::kEndedKept; ++i) lines += "SUBMIT 2 ACME SELL 10 0\n";
  conversation.Say(lines);
  EXPECT_EQ(conversation.Say("CANCEL 1\n"), "CANCELLED 1 6.0 requested\n");
}

// The session knows of an order what was applied, released or not.
TEST(TextSession, AnIdThatEndedIsFreeBeforeItsEndIsReleased) {
  Conversation conversation(100);
  EXPECT_EQ(conversation.Say("SUBMIT 1 ACME SELL 10 5\nSUBMIT 1 ACME SELL 10 6\nCANCEL 1\n"
                             "SUBMIT 1 ACME SELL 10 7\nSUBMIT 2 ACME BUY 10 7\n"
                             "SUBMIT 1 ACME SELL 10 8\n"),
            "");
  EXPECT_EQ(conversation.SayAll(""),
            "ACK 1 order=1\n"
            "REJECT 1 duplicate_id\n"
            "CANCELLED 1 5.0 requested\n"
            "ACK 1 order=3\n"
            "ACK 2 order=4\n"
            "FILL 1 7.0 @ 10.00 maker remaining=0.0 trade=4.1\n"
            "FILL 2 7.0 @ 10.00 taker remaining=0.0 trade=4.1\n"
            "ACK 1 order=5\n");
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

}  // namespace
}  // namespace engine
