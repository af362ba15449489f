// What a frame has of an event.

#include "engine/gateway/native/account_streams.h"

#include <cstdint>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/native/event_stream.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/native/frames.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kOwn = AccountId(6);
constexpr AccountId kOther = AccountId(7);
constexpr AccountId kNone = AccountId(8);  // No login has it.
constexpr NativeStamps kStamps = {.received_at = 1, .waited_nanos = 2, .engine_nanos = 3};

class AccountStreamsTest : public testing::Test {
 protected:
  AccountStreamsTest()
      : streams_({{.user = "A", .account = kOwn}, {.user = "B", .account = kOther}}, 100) {
    command_.sequence = SequenceNumber(9);
    command_.client_order_id = ClientOrderId(11);
    command_.account = kOwn;
    event_.sequence = SequenceNumber(9);
    event_.order_id = OrderId(4);
    event_.counter_order_id = OrderId(5);
    event_.price = Price::FromUnits(100);
    event_.quantity = Quantity::FromUnits(10);
    event_.quantity_remaining = Quantity::FromUnits(3);
    event_.account = kOwn;
    event_.market = MarketId(2);
    event_.side = Side::kBid;
    event_.detail = 1;
  }

  // Applies and releases the event; returns how many accounts were woken.
  int Apply(EventKind kind) {
    event_.kind = kind;
    const std::vector<Event> events = {event_};
    streams_.OnApplied(command_, events, kStamps);
    int woken = 0;
    streams_.OnReleased(command_, events, [&](AccountId) { ++woken; });
    return woken;
  }

  std::vector<native::EventFrame> FramesOf(AccountId account) const {
    std::vector<native::EventFrame> frames;
    uint64_t number = 1;
    Bytes bytes = AsBytes(streams_.Of(account).Read(number));
    for (; !bytes.empty(); bytes = bytes.subspan(native::kFrameBytes)) {
      frames.push_back(native::FrameFrom<native::EventFrame>(bytes.first(native::kFrameBytes)));
    }
    return frames;
  }

  AccountStreams streams_;
  Command command_;
  Event event_;
};

TEST_F(AccountStreamsTest, AnEventKeepsItsFields) {
  EXPECT_EQ(Apply(EventKind::kAccepted), 1);
  const auto frames = FramesOf(kOwn);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].kind, 2);
  EXPECT_EQ(frames[0].side, 1);
  EXPECT_EQ(frames[0].detail, 1);
  EXPECT_EQ(frames[0].market, 2u);
  EXPECT_EQ(frames[0].sequence, 9u);
  EXPECT_EQ(frames[0].client_order_id, 11u);
  EXPECT_EQ(frames[0].order_id, 4u);
  EXPECT_EQ(frames[0].price, 100);
  EXPECT_EQ(frames[0].quantity, 10u);
  EXPECT_EQ(frames[0].received_at, 1u);
  EXPECT_EQ(frames[0].waited_nanos, 2u);
  EXPECT_EQ(frames[0].engine_nanos, 3u);
  EXPECT_TRUE(FramesOf(kOther).empty());
}

// Whose command it was and when it came is not for others.
TEST_F(AccountStreamsTest, BothSidesOfATradeHaveTheirOwnOrder) {
  event_.account = kOther;
  EXPECT_EQ(Apply(EventKind::kTrade), 2);
  const auto maker = FramesOf(kOther);
  const auto taker = FramesOf(kOwn);
  ASSERT_EQ(maker.size(), 1u);
  ASSERT_EQ(taker.size(), 1u);
  EXPECT_EQ(maker[0].order_id, 4u);
  EXPECT_EQ(maker[0].side, static_cast<uint8_t>(Side::kBid));
  EXPECT_EQ(maker[0].detail, static_cast<uint8_t>(native::TradeRole::kMaker));
  EXPECT_EQ(maker[0].client_order_id, 0u);
  EXPECT_EQ(maker[0].received_at, 0u);
  EXPECT_EQ(maker[0].waited_nanos, 0u);
  EXPECT_EQ(maker[0].engine_nanos, 0u);
  EXPECT_EQ(taker[0].order_id, 5u);
  EXPECT_EQ(taker[0].side, static_cast<uint8_t>(Side::kAsk));
  EXPECT_EQ(taker[0].detail, static_cast<uint8_t>(native::TradeRole::kTaker));
  EXPECT_EQ(taker[0].client_order_id, 11u);
  EXPECT_EQ(taker[0].engine_nanos, 3u);
}

TEST_F(AccountStreamsTest, AReplaceNamesTheOrderThatHasEnded) {
  Apply(EventKind::kReplaced);
  EXPECT_EQ(FramesOf(kOwn)[0].order_id, 5u);
}

TEST_F(AccountStreamsTest, ABalanceHasWhatThereIsAfterIt) {
  Apply(EventKind::kBalance);
  EXPECT_EQ(FramesOf(kOwn)[0].price, 5);
  EXPECT_EQ(FramesOf(kOwn)[0].quantity, 3u);
}

// An execution of a mirrored market may name no order: its side is none.
TEST_F(AccountStreamsTest, AccountsWithoutALoginHaveNoStream) {
  command_.account = event_.account = kNone;
  event_.side = {};
  EXPECT_EQ(Apply(EventKind::kTrade), 0);
  command_.account = kOwn;
  EXPECT_EQ(Apply(EventKind::kTrade), 1);
  EXPECT_EQ(FramesOf(kOwn)[0].side, 0);
}

}  // namespace
}  // namespace engine
