#include "engine/wire/kalshi/frames.h"

#include <array>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

constexpr std::array<absl::string_view, 2> kTickers = {"A", "B"};

TEST(FramesTest, AFrameIsAHeadAndTheSharedMsg) {
  std::string out;
  AppendFrame(FrameType::kOrderbookDelta, {.sid = 1, .seq = 2}, R"({"a":1})", out);
  EXPECT_EQ(out, R"({"type":"orderbook_delta","sid":1,"seq":2,"msg":{"a":1}})");
  out.clear();
  AppendFrame(FrameType::kFill, {.sid = 3}, "{}", out);
  EXPECT_EQ(out, R"({"type":"fill","sid":3,"msg":{}})");
  out.clear();
  AppendFrame(FrameType::kOrderbookSnapshot, {.sid = 1, .seq = 4, .id = 9}, "{}", out);
  EXPECT_EQ(out, R"({"type":"orderbook_snapshot","id":9,"sid":1,"seq":4,"msg":{}})");
}

TEST(FramesTest, EveryTypeHasItsName) {
  EXPECT_EQ(ToText(FrameType::kTicker), "ticker");
  EXPECT_EQ(ToText(FrameType::kTrade), "trade");
  EXPECT_EQ(ToText(FrameType::kMarketPosition), "market_position");
  EXPECT_EQ(ToText(FrameType::kUserOrder), "user_order");
  EXPECT_EQ(ToText(FrameType::kMarketLifecycle), "market_lifecycle_v2");
  EXPECT_EQ(ToText(FrameType::kOrderGroupUpdates), "order_group_updates");
}

TEST(FramesTest, WritesSubscribed) {
  std::string out;
  AppendSubscribed(1, Channel::kOrderbookDelta, 1, out);
  EXPECT_EQ(out, R"({"type":"subscribed","id":1,"msg":{"channel":"orderbook_delta","sid":1}})");
  out.clear();
  AppendSubscribed(0, Channel::kTicker, 2, out);
  EXPECT_EQ(out, R"({"type":"subscribed","msg":{"channel":"ticker","sid":2}})");
}

TEST(FramesTest, WritesOk) {
  std::string out;
  AppendOk({.sid = 1, .seq = 1, .id = 6}, kTickers, out);
  EXPECT_EQ(out, R"({"type":"ok","id":6,"sid":1,"seq":1,"msg":{"market_tickers":["A","B"]}})");
  out.clear();
  AppendOk({.sid = 1, .id = 6}, std::nullopt, out);
  EXPECT_EQ(out, R"({"type":"ok","id":6,"sid":1,"msg":{}})");
}

TEST(FramesTest, WritesUnsubscribed) {
  std::string out;
  AppendUnsubscribed({.sid = 1, .seq = 7, .id = 2}, out);
  EXPECT_EQ(out, R"({"id":2,"sid":1,"seq":7,"type":"unsubscribed"})");
}

TEST(FramesTest, ListsSubscriptions) {
  std::string out;
  const std::array<ListedSubscription, 2> listed = {
      {{Channel::kOrderbookDelta, 1}, {Channel::kFill, 2}}};
  AppendSubscriptions(3, listed, out);
  EXPECT_EQ(out, R"({"id":3,"type":"ok","msg":[{"channel":"orderbook_delta","sid":1},)"
                 R"({"channel":"fill","sid":2}]})");
  out.clear();
  AppendSubscriptions(3, {}, out);
  EXPECT_EQ(out, R"({"id":3,"type":"ok","msg":[]})");
}

TEST(FramesTest, WritesErrors) {
  std::string out;
  AppendError({.id = 123}, SocketErrorCode::kUnknownSid, {}, out);
  EXPECT_EQ(out, R"({"id":123,"type":"error","msg":{"code":7,"msg":"Unknown subscription ID"}})");
  out.clear();
  AppendError({.sid = 1, .seq = 2}, SocketErrorCode::kBufferOverflow, kTickers, out);
  EXPECT_EQ(out, R"({"sid":1,"seq":2,"type":"error","msg":{"code":25,)"
                 R"("msg":"Subscription buffer overflow","market_tickers":["A","B"]}})");
}

}  // namespace
}  // namespace engine::kalshi
