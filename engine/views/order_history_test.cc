#include "engine/views/order_history.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Events are written in their text form, for one market without decimals.
class OrderHistoryTest : public testing::Test {
 protected:
  OrderHistoryTest() { markets_.Add({.id = MarketId(1), .symbol = "ACME"}); }

  // One command and its events.
  void Hear(const std::string& command, const std::vector<std::string>& lines) {
    const auto parsed = text_.ParseCommand(command);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    std::vector<Event> events;
    for (const std::string& line : lines) {
      const auto event = text_.ParseEvent(line);
      ASSERT_TRUE(event.ok()) << event.status();
      events.push_back(*event);
    }
    Command heard = parsed->command;
    heard.timestamp = Timestamp::FromNanos(++nanos_);
    history_.OnEvents(heard, events);
  }

  // "<status> filled <quantity> remaining <quantity>".
  std::string Standing() const {
    return absl::StrCat(NameOf(history_.status()), " filled ", history_.quantity_filled().units(),
                        " remaining ", history_.quantity_remaining().units());
  }
  std::string Entries() const {
    return absl::StrJoin(history_.entries(), "; ",
                         [&](std::string* out, const OrderHistory::Entry& entry) {
                           out->append(text_.Format(entry.event));
                         });
  }
  void AcceptOrder5() {
    Hear("bid price=10 quantity=9", {"5.0 accepted order=5 side=bid quantity=9 remaining=9"});
  }

  MarketDirectory markets_;
  const MessageText text_{markets_, MarketId(1)};
  OrderHistory history_{OrderId(5)};
  int64_t nanos_ = 0;
};

TEST_F(OrderHistoryTest, OtherOrdersLeaveNoTrace) {
  Hear("bid price=10 quantity=9", {"4.0 accepted order=4 side=bid quantity=9 remaining=9"});
  Hear("cancel order=4", {"6.0 cancelled order=4 quantity=9 reason=requested"});
  EXPECT_EQ(Standing(), "none filled 0 remaining 0");
  EXPECT_TRUE(history_.entries().empty());
}

TEST_F(OrderHistoryTest, FieldsOfMoneyOrGroupsAreNoOrders) {
  Hear("deposit account=1 amount=0.000005",
       {"1.0 balance change=0.000005 balance=0.000005 account=1"});
  Hear("define_group account=1 group=5 quantity=#9 window_ns=5", {"2.0 group_defined group=5"});
  EXPECT_TRUE(history_.entries().empty());
}

TEST_F(OrderHistoryTest, TradesCountAsMakerAndAsTaker) {
  Hear("bid price=10 quantity=9", {"5.0 accepted order=5 side=bid quantity=9 remaining=9",
                                   "5.1 trade maker=4 taker=5 quantity=3"});
  EXPECT_EQ(Standing(), "live filled 3 remaining 6");
  Hear("ask price=10 quantity=6", {"6.0 accepted order=6 side=ask quantity=6 remaining=6",
                                   "6.1 trade maker=5 taker=6 quantity=6"});
  EXPECT_EQ(Standing(), "filled filled 9 remaining 0");
  EXPECT_EQ(Entries(),
            "5.0 accepted order=5 side=bid quantity=9 remaining=9; "
            "5.1 trade maker=4 taker=5 quantity=3; 6.1 trade maker=5 taker=6 quantity=6");
  EXPECT_EQ(history_.entries().back().time, Timestamp::FromNanos(2));
}

TEST_F(OrderHistoryTest, ReducesAndAmendsSetTheRemainder) {
  AcceptOrder5();
  Hear("reduce order=5 quantity=2", {"6.0 reduced order=5 quantity=2 remaining=7"});
  EXPECT_EQ(Standing(), "live filled 0 remaining 7");
  Hear("amend order=5 price=10 quantity=20",
       {"7.0 amended order=5 quantity=20 remaining=20 priority=lost"});
  EXPECT_EQ(Standing(), "live filled 0 remaining 20");
}

TEST_F(OrderHistoryTest, ACancelEndsIt) {
  AcceptOrder5();
  Hear("cancel order=5", {"6.0 cancelled order=5 quantity=9 reason=requested"});
  EXPECT_EQ(Standing(), "cancelled filled 0 remaining 0");
}

TEST_F(OrderHistoryTest, AReplaceEndsItAndNamesItsSuccessor) {
  AcceptOrder5();
  Hear("replace order=5 price=11 quantity=1",
       {"6.0 replaced order=6 from=5 quantity=1 remaining=1"});
  EXPECT_EQ(Standing(), "replaced filled 0 remaining 0");
  EXPECT_EQ(history_.replaced_by(), OrderId(6));
}

TEST_F(OrderHistoryTest, AReplacingOrderBeginsWithItsReplace) {
  Hear("replace order=4 price=11 quantity=8",
       {"5.0 replaced order=5 from=4 quantity=8 remaining=8"});
  EXPECT_EQ(Standing(), "live filled 0 remaining 8");
}

TEST_F(OrderHistoryTest, ARefusedCommandIsAnEntryAndChangesNothing) {
  AcceptOrder5();
  Hear("cancel order=5 account=3", {"6.0 rejected order=5 account=3 reason=wrong_account"});
  EXPECT_EQ(Standing(), "live filled 0 remaining 9");
  EXPECT_EQ(history_.entries().size(), 2u);
}

TEST_F(OrderHistoryTest, ARefusedOrderNeverWasOne) {
  Hear("bid price=10 quantity=0", {"5.0 rejected reason=quantity_zero"});
  EXPECT_EQ(Standing(), "rejected filled 0 remaining 0");
}

TEST_F(OrderHistoryTest, ARefusedCancelIsNoOrder) {
  Hear("cancel order=4", {"5.0 rejected order=4 reason=order_not_live"});
  EXPECT_EQ(Standing(), "none filled 0 remaining 0");
}

}  // namespace
}  // namespace engine
