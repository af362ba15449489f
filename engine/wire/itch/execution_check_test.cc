#include "engine/wire/itch/execution_check.h"

#include <vector>

#include "engine/messages/reject_reason.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// One execution at Nasdaq: match 77 took 100 shares of reference 5, which is our order 3.
class ItchExecutionCheckTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kMatch = 77;
  static constexpr uint64_t kReference = 5;
  static constexpr OrderId kMaker = OrderId(3);

  void Announce(uint64_t match = kMatch) {
    check_.Expect({.match_number = match,
                   .order_reference = kReference,
                   .maker = kMaker,
                   .quantity = Quantity::FromUnits(100)});
  }

  static Event Make(EventKind kind, uint64_t quantity, OrderId order = {}) {
    Event event;
    event.kind = kind;
    event.order_id = order;
    event.quantity = Quantity::FromUnits(quantity);
    return event;
  }
  static Event Accepted() { return Make(EventKind::kAccepted, 100); }
  static Event Trade(OrderId maker, uint64_t quantity) {
    return Make(EventKind::kTrade, quantity, maker);
  }

  void HearExecution(const std::vector<Event>& events, uint64_t match = kMatch) {
    Command command;
    command.sequence = SequenceNumber(9);
    command.kind = CommandKind::kNewOrder;
    command.tif = TimeInForce::kImmediateOrCancel;
    command.client_order_id = ClientOrderId(match);
    check_.OnEvents(command, events);
  }

  void HearOther(CommandKind kind, const std::vector<Event>& events) {
    Command command;
    command.kind = kind;
    command.tif = TimeInForce::kGoodTillCancelled;
    check_.OnEvents(command, events);
  }

  void ExpectOneMismatch(const std::string& what_happened) {
    EXPECT_EQ(check_.matched(), 0u);
    ASSERT_EQ(check_.mismatched(), 1u);
    EXPECT_EQ(check_.mismatches()[0].what_happened, what_happened);
    EXPECT_EQ(check_.mismatches()[0].sequence, SequenceNumber(9));
    EXPECT_EQ(check_.mismatches()[0].expected.maker, kMaker);
    EXPECT_EQ(check_.mismatches()[0].expected.order_reference, kReference);
    EXPECT_EQ(check_.pending(), 0u);
  }

  ItchExecutionCheck check_;
};

TEST_F(ItchExecutionCheckTest, OneTradeOfAllWithTheMakerMatches) {
  Announce();
  EXPECT_EQ(check_.pending(), 1u);
  HearExecution({Accepted(), Trade(kMaker, 100)});
  EXPECT_EQ(check_.matched(), 1u);
  EXPECT_EQ(check_.mismatched(), 0u);
  EXPECT_EQ(check_.pending(), 0u);
}

TEST_F(ItchExecutionCheckTest, EventsMayComeLaterInOrder) {
  Announce(1);
  Announce(2);
  HearOther(CommandKind::kCancel, {Make(EventKind::kCancelled, 1)});
  HearExecution({Accepted(), Trade(kMaker, 100)}, 1);
  EXPECT_EQ(check_.pending(), 1u);
  HearExecution({Accepted(), Trade(kMaker, 100)}, 2);
  EXPECT_EQ(check_.matched(), 2u);
}

TEST_F(ItchExecutionCheckTest, AnotherMakerMismatches) {
  Announce();
  HearExecution({Accepted(), Trade(OrderId(4), 100)});
  ExpectOneMismatch("accepted; traded 100 with order 4");
}

TEST_F(ItchExecutionCheckTest, TwoTradesMismatch) {
  Announce();
  HearExecution({Accepted(), Trade(kMaker, 60), Trade(OrderId(4), 40)});
  ExpectOneMismatch("accepted; traded 60 with order 3; traded 40 with order 4");
}

TEST_F(ItchExecutionCheckTest, TheMakerTwiceMismatches) {
  Announce();
  HearExecution({Accepted(), Trade(kMaker, 100), Trade(kMaker, 100)});
  EXPECT_EQ(check_.mismatched(), 1u);
}

TEST_F(ItchExecutionCheckTest, ARemainderMismatches) {
  Announce();
  HearExecution({Accepted(), Trade(kMaker, 70), Make(EventKind::kCancelled, 30)});
  ExpectOneMismatch("accepted; traded 70 with order 3; 30 found no order");
}

TEST_F(ItchExecutionCheckTest, AllOfItAndARemainderMismatches) {
  Announce();
  HearExecution({Accepted(), Trade(kMaker, 100), Make(EventKind::kCancelled, 30)});
  EXPECT_EQ(check_.mismatched(), 1u);
}

TEST_F(ItchExecutionCheckTest, NoTradeMismatches) {
  Announce();
  HearExecution({Accepted()});
  ExpectOneMismatch("accepted");
}

TEST_F(ItchExecutionCheckTest, ARejectionMismatches) {
  Announce();
  Event rejected = Make(EventKind::kRejected, 0);
  rejected.detail = static_cast<uint8_t>(RejectReason::kQuantityZero);
  HearExecution({rejected});
  ExpectOneMismatch("rejected, quantity_zero");
}

TEST_F(ItchExecutionCheckTest, OrdersAndReplacementsThatTradeOnArrivalAreCounted) {
  HearOther(CommandKind::kNewOrder, {Accepted(), Trade(kMaker, 10), Trade(kMaker, 10)});
  HearOther(CommandKind::kReplace, {Make(EventKind::kReplaced, 10), Trade(kMaker, 10)});
  HearOther(CommandKind::kNewOrder, {Accepted()});
  EXPECT_EQ(check_.orders_unexpectedly_traded(), 2u);
  EXPECT_EQ(check_.mismatched(), 0u);
}

TEST_F(ItchExecutionCheckTest, KeepsTheFirstMismatchesOnly) {
  for (size_t i = 0; i < 2 * ItchExecutionCheck::kMismatchesKept; ++i) {
    Announce();
    HearExecution({Accepted()});
  }
  EXPECT_EQ(check_.mismatched(), 2 * ItchExecutionCheck::kMismatchesKept);
  EXPECT_EQ(check_.mismatches().size(), ItchExecutionCheck::kMismatchesKept);
}

TEST_F(ItchExecutionCheckTest, UnannouncedEventsChangeNothing) {
  HearExecution({Accepted()});
  EXPECT_EQ(check_.mismatched(), 0u);
}

}  // namespace
}  // namespace engine
