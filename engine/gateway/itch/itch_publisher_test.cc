#include "engine/gateway/itch/itch_publisher.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/gateway/itch/testing/feed_stage.h"
#include "engine/types/side.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Packets = std::vector<std::string>;

constexpr int64_t kSecond = 1'000'000'000;

TEST(ItchPublisher, PublishesWhatIsReleasedAndNothingBefore) {
  FeedStage stage;
  EXPECT_EQ(stage.TakePackets(), Packets({"1"}));
  stage.Order(Side::kBid, 1'000, 5);
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets());
  stage.Release();
  // It may be joined by messages that are released in the same turn.
  EXPECT_EQ(stage.TakePackets(), Packets());
  EXPECT_EQ(stage.publisher->next_sequence(), 7u);
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets({"1 SSSRHA"}));
  stage.Order(Side::kAsk, 1'000, 7);
  stage.Order(Side::kAsk, 1'001, 7);
  stage.Release();
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets({"7 EAA"}));
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets());
}

TEST(ItchPublisher, PacketsFillWhileMessagesWait) {
  FeedStage stage({.packet_bytes = 200});
  for (int i = 0; i < 10; ++i) stage.Order(Side::kBid, 1'000, 5);
  stage.Release();
  EXPECT_EQ(stage.TakePackets(), Packets({"1", "1 SSSRHA", "7 AAAA", "11 AAAA"}));
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets({"15 A"}));
}

TEST(ItchPublisher, TheSmallestPacketHasRoomForEachMessage) {
  FeedStage stage({.packet_bytes = kItchPacketBytesMin});
  stage.TradeFor(300, 1);
  EXPECT_TRUE(stage.sent() == stage.Retransmitted());
}

TEST(ItchPublisher, SendsAHeartbeatAfterASilentSecond) {
  FeedStage stage;
  stage.TakePackets();
  EXPECT_EQ(stage.publisher->next_time(), stage.now + kSecond);
  stage.Wait(kSecond - 1);
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets());
  stage.Wait(1);
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets({"1"}));
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets());
  stage.Release();
  stage.Wait(kSecond / 2);
  stage.Act();
  EXPECT_EQ(stage.TakePackets(), Packets({"1 SSSRH"}));
  EXPECT_EQ(stage.publisher->next_time(), stage.now + kSecond);
}

TEST(ItchPublisher, GoesOnWithItsSessionWhenItStartsAgain) {
  FeedStage stage;
  stage.TradeFor(200, 2);
  const std::string sent = stage.sent();
  const std::string snapshot = stage.SnapshotNow();
  EXPECT_TRUE(stage.Retransmitted() == sent);
  // What was journalled before the end, and published by none.
  stage.Order(Side::kBid, 1, 7);
  const uint64_t next = stage.publisher->next_sequence();
  stage.TakePackets();
  stage.Restart();
  EXPECT_EQ(stage.TakePackets(), Packets({absl::StrCat(next + 1)}));
  EXPECT_TRUE(absl::StartsWith(stage.Retransmitted(), sent));
  EXPECT_FALSE(stage.SnapshotNow() == snapshot);
  stage.TradeFor(200, 3);
  EXPECT_TRUE(absl::EndsWith(stage.Retransmitted(), stage.sent().substr(sent.size())));
}

TEST(ItchPublisher, HasTheNewestMessagesThatFit) {
  FeedStage stage({.kept_bytes = 1});
  stage.TradeFor(3'000, 4);
  EXPECT_TRUE(stage.publisher->Answer(AsBytes(MoldBytes("SESSION-1", 1, 1))).empty());
  EXPECT_TRUE(stage.publisher->Answer(AsBytes("x")).empty());
  EXPECT_EQ(stage.publisher->retransmission_counters().without_messages, 1u);
  EXPECT_EQ(stage.publisher->retransmission_counters().malformed, 1u);
}

TEST(ItchPublisher, EndsWithWhatWaits) {
  for (const bool is_over : {false, true}) {
    FeedStage stage;
    stage.TakePackets();
    stage.Release();
    stage.publisher->End(is_over);
    EXPECT_EQ(stage.TakePackets(), Packets({"1 SSSRH", is_over ? "6 end" : "6"}));
  }
}

}  // namespace
}  // namespace engine
