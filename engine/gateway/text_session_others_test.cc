// Unsolicited replies: about orders of earlier sessions, by commands of other clients, by time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// For 6 at 10, in a market that the conversation has.
Command BidOf(AccountId account, ClientOrderId client_order_id) {
  Command bid;
  bid.kind = CommandKind::kNewOrder;
  bid.account = account;
  bid.market = MarketId(3);
  bid.side = Side::kBid;
  bid.type = OrderType::kLimit;
  bid.tif = TimeInForce::kGoodTillCancelled;
  bid.price = Price::FromUnits(1000);
  bid.quantity = Quantity::FromUnits(60);
  bid.client_order_id = client_order_id;
  return bid;
}

// A command of another client is applied and released.
void Tell(Conversation& conversation, const Command& command, std::span<const Event> events) {
  conversation.session.OnApplied(command, events);
  conversation.session.OnEvents(command, events);
}

TEST(TextSession, OrdersOfOtherAccountsAreIgnored) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\n");
  Command theirs = BidOf(AccountId(7), ClientOrderId(1));
  ASSERT_TRUE(conversation.exchange.Submit(theirs, {}).ok());
  EXPECT_EQ(conversation.TakeReplies(), "FILL 1 5.0 @ 10.00 maker remaining=0.0 trade=2.1\n");
  theirs.quantity = Quantity();
  ASSERT_TRUE(conversation.exchange.Submit(theirs, {}).ok());
  EXPECT_EQ(conversation.TakeReplies(), "");
}

TEST(TextSession, ReportsChangesThatOthersMadeToItsOrders) {
  Conversation conversation;
  conversation.Say("SUBMIT 1 ACME SELL 10 5\n");
  Command command;
  command.sequence = SequenceNumber(2);
  command.account = Conversation::kAccount;
  command.client_order_id = ClientOrderId(2);
  Event reduced;
  reduced.kind = EventKind::kReduced;
  reduced.order_id = OrderId(1);
  reduced.quantity = Quantity::FromUnits(20);
  reduced.quantity_remaining = Quantity::FromUnits(30);
  Tell(conversation, command, std::vector{reduced});
  Event replaced;
  replaced.sequence = SequenceNumber(3);
  replaced.kind = EventKind::kReplaced;
  replaced.order_id = OrderId(3);
  replaced.counter_order_id = OrderId(1);
  replaced.price = Price::FromUnits(900);
  replaced.quantity = Quantity::FromUnits(10);
  command.sequence = SequenceNumber(3);
  Tell(conversation, command, std::vector{replaced});
  EXPECT_EQ(conversation.TakeReplies(),
            "REDUCED 1 2.0 remaining=3.0\n"
            "REPLACED 1 2 1.0 @ 9.00 order=3\n");
  EXPECT_EQ(conversation.account.live_order_count(), 1u);
}

TEST(TextSession, AnyCommandThatAdvancesTimeCancelsAnExpiredOrder) {
  Conversation conversation;
  conversation.Say("SUBMIT 5 ACME SELL 10 5\n");
  Event expired;
  expired.sequence = SequenceNumber(2);
  expired.kind = EventKind::kCancelled;
  expired.order_id = OrderId(1);
  expired.account = Conversation::kAccount;
  expired.market = MarketId(3);
  expired.quantity = Quantity::FromUnits(50);
  expired.detail = static_cast<uint8_t>(CancelReason::kExpired);
  Command somebodys;
  somebodys.sequence = SequenceNumber(2);
  somebodys.kind = CommandKind::kAdvanceTime;
  Tell(conversation, somebodys, {&expired, 1});
  EXPECT_EQ(conversation.TakeReplies(), "CANCELLED 5 5.0 expired\n");
  EXPECT_EQ(conversation.account.live_order_count(), 0u);
}

TEST(TextSession, ReportsMoneyAndPositionsOfItsOwnAccountOnly) {
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
  events[2].account = events[3].account = Conversation::kAccount;
  Tell(conversation, somebodys, events);
  EXPECT_EQ(conversation.TakeReplies(),
            "BALANCE 99.462500 change=-0.537500 fee=0.017500 reserved=0.000000 order=1\n"
            "POSITION ACME -1.5\n");
}

// Receives the events of before the session, as a resumed run repeats them.
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
  const Command earlier = BidOf(Conversation::kAccount, ClientOrderId(44));
  ASSERT_TRUE(conversation.exchange.Submit(earlier, {}).ok());
  conversation.exchange.ListenWith(&conversation.session);
  EXPECT_EQ(conversation.TakeReplies(), "");
  EXPECT_EQ(conversation.Say("SUBMIT 44 ACME SELL 10 1\n"), "REJECT 44 duplicate_id\n");
  EXPECT_EQ(conversation.Say("CANCEL 44\n"), "CANCELLED 44 6.0 requested\n");
}

}  // namespace
}  // namespace engine
