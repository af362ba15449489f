#include "engine/wire/text/reply.h"

#include <string>

#include "engine/messages/reject_reason.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class TextReplyTest : public ::testing::Test {
 protected:
  TextReplyTest() {
    market_.id = MarketId(2);
    market_.symbol = "AAPL";
    market_.price_decimals = 4;
    market_.quantity_decimals = 2;
    event_.sequence = SequenceNumber(18);
    event_.index = 1;
    event_.order_id = OrderId(19);
    event_.price = Price::FromUnits(3'201'400);
    event_.quantity = Quantity::FromUnits(6050);
    event_.quantity_remaining = Quantity::FromUnits(5);
  }

  std::string out_;
  MarketDefinition market_;
  Event event_;
};

TEST_F(TextReplyTest, AcksAndFills) {
  AppendAck(1, OrderId(17), out_);
  AppendFill(1, event_, FillParty::kTaker, Quantity::FromUnits(100), market_, out_);
  AppendFill(1, event_, FillParty::kMaker, Quantity(), market_, out_);
  EXPECT_EQ(out_,
            "ACK 1 order=17\n"
            "FILL 1 60.50 @ 320.1400 taker remaining=1.00 trade=18.1\n"
            "FILL 1 60.50 @ 320.1400 maker remaining=0.00 trade=18.1\n");
}

TEST_F(TextReplyTest, ChangesAndEnds) {
  event_.detail = static_cast<uint8_t>(CancelReason::kImmediateOrCancel);
  AppendCancelled(18446744073709551615u, event_, market_, out_);
  event_.detail = static_cast<uint8_t>(PriorityOutcome::kLost);
  AppendModified(1, event_, Quantity::FromUnits(100), market_, out_);
  AppendReduced(1, event_, market_, out_);
  AppendReplaced(1, 2, event_, market_, out_);
  EXPECT_EQ(out_,
            "CANCELLED 18446744073709551615 60.50 immediate_or_cancel\n"
            "MODIFIED 1 60.50 @ 320.1400 remaining=1.00 priority=lost\n"
            "REDUCED 1 60.50 remaining=0.05\n"
            "REPLACED 1 2 60.50 @ 320.1400 order=19\n");
}

TEST_F(TextReplyTest, MoneyAndPositions) {
  Event balance;
  balance.order_id = OrderId(19);
  balance.price = Price::FromUnits(-537'500);
  balance.quantity = Quantity::FromUnits(17'500);
  balance.counter_order_id = OrderId(99'462'500);
  AppendBalance(balance, out_);
  balance.order_id = OrderId();
  AppendBalance(balance, out_);
  event_.price = Price::FromUnits(-150);
  AppendPosition(event_, market_, out_);
  EXPECT_EQ(out_,
            "BALANCE 99.462500 change=-0.537500 fee=0.017500 reserved=0.000000 order=19\n"
            "BALANCE 99.462500 change=-0.537500 fee=0.017500 reserved=0.000000\n"
            "POSITION AAPL -1.50\n");
}

TEST_F(TextReplyTest, RefusalsAndTheRest) {
  AppendReject(5, "order_not_live", out_);
  AppendDefined(market_, out_);
  AppendError(7, "expected BUY or SELL, found 'BYE'", out_);
  AppendMarketError("AAPL", "symbol_already_defined", out_);
  AppendEnd(out_);
  EXPECT_EQ(out_,
            "REJECT 5 order_not_live\n"
            "DEFINED AAPL market=2 price_decimals=4 quantity_decimals=2\n"
            "ERROR line 7: expected BUY or SELL, found 'BYE'\n"
            "ERROR market AAPL: symbol_already_defined\n"
            "END\n");
}

}  // namespace
}  // namespace engine
