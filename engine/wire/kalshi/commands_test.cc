#include "engine/wire/kalshi/commands.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

using Code = SocketErrorCode;
using Texts = std::vector<absl::string_view>;

class CommandsTest : public testing::Test {
 protected:
  // The command's body, which is a T.
  template <typename T>
  T Read(absl::string_view verb, absl::string_view params) {
    const auto command =
        decoder_.Decode(absl::StrCat(R"({"id":5,"cmd":")", verb, R"(","params":)", params, "}"));
    if (const auto* refusal = std::get_if<SocketRefusal>(&command)) {
      ADD_FAILURE() << params << " " << SocketErrorText(refusal->code);
      return T();
    }
    EXPECT_EQ(std::get<SocketCommand>(command).id, 5);
    return std::get<T>(std::get<SocketCommand>(command).body);
  }

  // The code that the message is refused with, under id 5.
  Code Refused(absl::string_view verb, absl::string_view params) {
    const auto command =
        decoder_.Decode(absl::StrCat(R"({"id":5,"cmd":")", verb, R"(","params":)", params, "}"));
    const auto* refusal = std::get_if<SocketRefusal>(&command);
    EXPECT_NE(refusal, nullptr) << params;
    if (refusal == nullptr) return {};
    EXPECT_EQ(refusal->id, 5);
    return refusal->code;
  }

  CommandDecoder decoder_;
};

TEST_F(CommandsTest, SubscribesToChannelsOfMarkets) {
  const auto subscribe = Read<Subscribe>(
      "subscribe",
      R"({"channels":["trade","orderbook_delta","trade"],"market_tickers":["B","A","B"],)"
      R"("send_initial_snapshot":true,"skip_ticker_ack":true,"use_yes_price":true})");
  EXPECT_EQ(subscribe.channels, (std::vector{Channel::kTrade, Channel::kOrderbookDelta}));
  EXPECT_EQ(subscribe.market_tickers, (Texts{"A", "B"}));
  EXPECT_TRUE(subscribe.send_initial_snapshot);
  EXPECT_TRUE(subscribe.skip_ticker_ack);
  EXPECT_TRUE(subscribe.use_yes_price);
}

TEST_F(CommandsTest, SubscribesToAllMarketsWithoutNames) {
  const auto subscribe =
      Read<Subscribe>("subscribe", R"({"channels":["fill"],"market_tickers":[]})");
  EXPECT_EQ(subscribe.market_tickers, Texts{});
  EXPECT_FALSE(subscribe.send_initial_snapshot);
  EXPECT_EQ(Read<Subscribe>("subscribe", R"({"channels":["ticker"],"market_id":"u"})").market_ids,
            Texts{"u"});
  EXPECT_EQ(
      Read<Subscribe>("subscribe", R"({"channels":["ticker"],"market_ticker":"A"})").market_tickers,
      Texts{"A"});
}

TEST_F(CommandsTest, RefusesASubscriptionWithItsCode) {
  EXPECT_EQ(Refused("subscribe", "null"), Code::kParamsRequired);
  EXPECT_EQ(Refused("subscribe", "{}"), Code::kChannelsRequired);
  EXPECT_EQ(Refused("subscribe", R"({"channels":[]})"), Code::kChannelsRequired);
  EXPECT_EQ(Refused("subscribe", R"({"channels":["ticker","nope"]})"), Code::kUnknownChannel);
  EXPECT_EQ(Refused("subscribe", R"({"channels":["pyth_value"]})"), Code::kUnknownChannel);
  EXPECT_EQ(Refused("subscribe", R"({"channels":["orderbook_delta"]})"),
            Code::kMarketTickerRequired);
  EXPECT_EQ(Refused("subscribe", R"({"channels":["orderbook_delta"],"market_id":"u"})"),
            Code::kMarketTickerRequired);
  for (const char* params :
       {R"({"channels":["ticker"],"market_ticker":"A","market_tickers":["B"]})",
        R"({"channels":["trade"],"market_id":"u"})",
        R"({"channels":["trade"],"market_tickers":[1]})",
        R"({"channels":["trade"],"market_tickers":[""]})", R"({"channels":[7]})",
        R"({"channels":"trade"})", R"({"channels":["trade"],"use_yes_price":"x"})"}) {
    EXPECT_EQ(Refused("subscribe", params), Code::kInvalidParameter) << params;
  }
}

TEST_F(CommandsTest, TheNumberOfMarketsIsBounded) {
  std::string tickers = "\"T\"";
  for (size_t i = 0; i < CommandDecoder::kListMax; ++i) absl::StrAppend(&tickers, ",\"T\"");
  EXPECT_EQ(Refused("subscribe",
                    absl::StrCat(R"({"channels":["trade"],"market_tickers":[)", tickers, "]}")),
            Code::kMarketLimit);
}

TEST_F(CommandsTest, UnsubscribesFromSids) {
  EXPECT_EQ(Read<Unsubscribe>("unsubscribe", R"({"sids":[2,1,2]})").sids,
            (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(Read<Unsubscribe>("unsubscribe", R"({"sid":3})").sids, std::vector<int64_t>{3});
  EXPECT_EQ(Refused("unsubscribe", "{}"), Code::kSidsRequired);
  EXPECT_EQ(Refused("unsubscribe", R"({"sids":[]})"), Code::kSidsRequired);
  EXPECT_EQ(Refused("unsubscribe", R"({"sids":["1"]})"), Code::kInvalidParameter);
}

TEST_F(CommandsTest, UpdatesOneSubscription) {
  using Action = UpdateSubscription::Action;
  const auto add = Read<UpdateSubscription>(
      "update_subscription",
      R"({"sids":[4],"action":"add_markets","market_tickers":["B","A"],"send_initial_snapshot":true})");
  EXPECT_EQ(add.sid, 4);
  EXPECT_EQ(add.action, Action::kAddMarkets);
  EXPECT_EQ(add.market_tickers, (Texts{"A", "B"}));
  EXPECT_TRUE(add.send_initial_snapshot);
  const auto remove = Read<UpdateSubscription>(
      "update_subscription", R"({"sid":4,"action":"delete_markets","market_id":"u"})");
  EXPECT_EQ(remove.action, Action::kDeleteMarkets);
  EXPECT_EQ(remove.market_ids, Texts{"u"});
  EXPECT_EQ(Read<UpdateSubscription>("update_subscription", R"({"sid":4,"action":"get_snapshot"})")
                .action,
            Action::kGetSnapshot);
}

TEST_F(CommandsTest, RefusesAnUpdateWithItsCode) {
  const auto code = [this](const char* params) { return Refused("update_subscription", params); };
  EXPECT_EQ(code(R"({"action":"add_markets"})"), Code::kExactlyOneSid);
  EXPECT_EQ(code(R"({"sids":[1,2],"action":"add_markets"})"), Code::kExactlyOneSid);
  EXPECT_EQ(code(R"({"sid":1,"sids":[1],"action":"add_markets"})"), Code::kExactlyOneSid);
  EXPECT_EQ(code(R"({"sids":["1"],"action":"add_markets"})"), Code::kInvalidParameter);
  EXPECT_EQ(code(R"({"sid":1})"), Code::kActionRequired);
  EXPECT_EQ(code(R"({"sid":1,"action":"nope"})"), Code::kUnsupportedAction);
  EXPECT_EQ(code(R"({"sid":1,"action":"add_markets"})"), Code::kMarketTickerRequired);
  EXPECT_EQ(code("null"), Code::kParamsRequired);
}

TEST_F(CommandsTest, ListsSubscriptionsWithoutParams) {
  const auto command = decoder_.Decode("{\"id\":3,\"cmd\":\"list_subscriptions\"}\n");
  ASSERT_TRUE(std::holds_alternative<SocketCommand>(command));
  EXPECT_EQ(std::get<SocketCommand>(command).id, 3);
  EXPECT_TRUE(std::holds_alternative<ListSubscriptions>(std::get<SocketCommand>(command).body));
}

TEST_F(CommandsTest, AnUnknownCommandIsRefused) {
  EXPECT_EQ(Refused("ping", "{}"), Code::kUnknownCommand);
  EXPECT_EQ(std::get<SocketRefusal>(decoder_.Decode("{}")),
            (SocketRefusal{.id = 0, .code = Code::kUnknownCommand}));
}

TEST_F(CommandsTest, WhatIsNoCommandCannotBeProcessed) {
  for (const char* message : {"", "ping", "[]", "7", R"({"id":"1","cmd":"subscribe"})",
                              R"({"cmd":7})", R"({"cmd":"subscribe","params":[]})", "{", "\xFF"}) {
    EXPECT_EQ(std::get<SocketRefusal>(decoder_.Decode(message)), SocketRefusal()) << message;
  }
  EXPECT_EQ(std::get<SocketRefusal>(decoder_.Decode(R"({"id":9,"cmd":7})")).id, 9);
  const std::string large(CommandDecoder::kMessageBytesMax, ' ');
  EXPECT_EQ(std::get<SocketRefusal>(decoder_.Decode(absl::StrCat(large, "{}"))), SocketRefusal());
}

TEST(ChannelTest, NamesLeadBack) {
  for (int i = 0; i < kChannelCount; ++i) {
    const auto channel = static_cast<Channel>(i);
    EXPECT_EQ(ParseChannel(ChannelName(channel)), channel);
  }
  EXPECT_EQ(ParseChannel(""), std::nullopt);
}

TEST(ChannelTest, SomeAreSequencedAndSomeCoverAllMarkets) {
  EXPECT_TRUE(IsSequenced(Channel::kOrderbookDelta));
  EXPECT_TRUE(IsSequenced(Channel::kTrade));
  EXPECT_TRUE(IsSequenced(Channel::kMarketLifecycle));
  EXPECT_TRUE(IsSequenced(Channel::kOrderGroupUpdates));
  for (const Channel channel :
       {Channel::kTicker, Channel::kFill, Channel::kMarketPositions, Channel::kUserOrders}) {
    EXPECT_FALSE(IsSequenced(channel)) << ChannelName(channel);
    EXPECT_FALSE(CoversAllMarkets(channel)) << ChannelName(channel);
  }
  EXPECT_TRUE(CoversAllMarkets(Channel::kMarketLifecycle));
  EXPECT_TRUE(CoversAllMarkets(Channel::kOrderGroupUpdates));
}

}  // namespace
}  // namespace engine::kalshi
