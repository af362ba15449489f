// What a fill-or-kill order may look at: too many levels and orders for a transcript. Exchange and
// reference alike.

#include <cstdint>

#include "engine/core/exchange.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/reference/reference_exchange.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kOther(1);
constexpr AccountId kOwn(2);
constexpr uint64_t kReach = kFillOrKillReach;

template <typename Engine>
class FillOrKillReach : public testing::Test {
 protected:
  FillOrKillReach() {
    Command command;
    command.kind = CommandKind::kDefineMarket;
    command.market = MarketId(1);
    MarketDefinition market;
    market.id = command.market;
    market.symbol = "ACME";
    Apply(command, EncodeMarketDefinition(market));
  }

  void Ask(AccountId account, int64_t price) {
    Apply(Order(account, Side::kAsk, price, 1, TimeInForce::kGoodTillCancelled));
  }
  // Whether a fill-or-kill bid of kOwn trades in full.
  bool Fills(uint64_t quantity, SelfTradePrevention prevention = SelfTradePrevention::kNone) {
    Command command = Order(kOwn, Side::kBid, 1'000'000, quantity, TimeInForce::kFillOrKill);
    command.flags = command.flags.WithSelfTradePrevention(prevention);
    Apply(command);
    const Event& last = events_.events().back();
    if (last.kind == EventKind::kTrade) return true;
    EXPECT_EQ(last.kind, EventKind::kCancelled);
    EXPECT_EQ(last.detail, static_cast<uint8_t>(CancelReason::kFillOrKill));
    EXPECT_EQ(events_.size(), 2u);
    return false;
  }

 private:
  static Command Order(AccountId account, Side side, int64_t price, uint64_t quantity,
                       TimeInForce tif) {
    Command command;
    command.kind = CommandKind::kNewOrder;
    command.account = account;
    command.market = MarketId(1);
    command.side = side;
    command.type = OrderType::kLimit;
    command.tif = tif;
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return command;
  }

  void Apply(Command command, Bytes attachment = {}) {
    command.sequence = sequence_ = sequence_.Next();
    engine_.Apply(command, attachment, events_);
  }

  Engine engine_;
  SequenceNumber sequence_;
  EventBuffer events_;
};

using Engines = testing::Types<Exchange, ReferenceExchange>;
TYPED_TEST_SUITE(FillOrKillReach, Engines);

TYPED_TEST(FillOrKillReach, IsAThousandPrices) {
  for (uint64_t i = 0; i <= kReach; ++i) {
    for (int order = 0; order < 2; ++order) this->Ask(kOther, static_cast<int64_t>(1 + i));
  }
  EXPECT_FALSE(this->Fills(2 * kReach + 1));
  EXPECT_TRUE(this->Fills(2 * kReach));
}

TYPED_TEST(FillOrKillReach, IsAThousandOrdersWithSelfTradePrevention) {
  for (uint64_t i = 0; i <= kReach; ++i) this->Ask(kOther, 1);
  EXPECT_FALSE(this->Fills(kReach + 1, SelfTradePrevention::kCancelTaker));
  EXPECT_FALSE(this->Fills(kReach + 1, SelfTradePrevention::kCancelMaker));
  EXPECT_TRUE(this->Fills(kReach, SelfTradePrevention::kCancelBoth));
  EXPECT_TRUE(this->Fills(1));
}

TYPED_TEST(FillOrKillReach, CountsOwnOrders) {
  this->Ask(kOwn, 1);
  for (uint64_t i = 0; i < kReach; ++i) this->Ask(kOther, 2);
  EXPECT_FALSE(this->Fills(kReach, SelfTradePrevention::kCancelMaker));
  EXPECT_TRUE(this->Fills(kReach - 1, SelfTradePrevention::kCancelMaker));
}

}  // namespace
}  // namespace engine
