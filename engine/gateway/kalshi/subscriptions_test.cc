#include "engine/gateway/kalshi/subscriptions.h"

#include <cstdint>
#include <vector>

#include "engine/gateway/session_gateway.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/commands.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using kalshi::Channel;

constexpr SessionId kFirst = {.place = 0, .generation = 1};
constexpr SessionId kSecond = {.place = 1, .generation = 1};

std::vector<int64_t> SidsOf(const KalshiSubscriptions& all, Channel channel, uint32_t market) {
  std::vector<int64_t> sids;
  all.VisitMarket(channel, MarketId(market),
                  [&](KalshiSubscription& each) { sids.push_back(each.sid); });
  return sids;
}

TEST(KalshiSubscriptions, SidsCountUpOnEachSession) {
  KalshiSubscriptions all;
  EXPECT_EQ(all.Add(kFirst, AccountId(1), Channel::kTicker).sid, 1);
  EXPECT_EQ(all.Add(kFirst, AccountId(1), Channel::kTrade).sid, 2);
  EXPECT_EQ(all.Add(kSecond, AccountId(2), Channel::kTrade).sid, 1);
  all.Remove(*all.Find(kFirst, Channel::kTicker));
  EXPECT_EQ(all.Add(kFirst, AccountId(1), Channel::kTicker).sid, 3) << "never used again";
}

TEST(KalshiSubscriptions, AreFoundByTheirMarkets) {
  KalshiSubscriptions all;
  KalshiSubscription& books = all.Add(kFirst, AccountId(1), Channel::kOrderbookDelta);
  all.AddMarket(books, MarketId(7));
  all.AddMarket(books, MarketId(7));
  all.AddMarket(books, MarketId(8));
  EXPECT_EQ(SidsOf(all, Channel::kOrderbookDelta, 7), std::vector<int64_t>{1});
  EXPECT_TRUE(SidsOf(all, Channel::kTrade, 7).empty()) << "of another channel";
  all.RemoveMarket(books, MarketId(7));
  EXPECT_TRUE(SidsOf(all, Channel::kOrderbookDelta, 7).empty());
  EXPECT_TRUE(all.HasMarket(Channel::kOrderbookDelta, MarketId(8)));
  EXPECT_FALSE(all.HasMarket(Channel::kOrderbookDelta, MarketId(7)));
}

TEST(KalshiSubscriptions, OfAllMarketsHaveEach) {
  KalshiSubscriptions all;
  KalshiSubscription& trades = all.Add(kFirst, AccountId(1), Channel::kTrade);
  all.AddMarket(trades, MarketId(7));
  all.AddAllMarkets(trades);
  EXPECT_EQ(SidsOf(all, Channel::kTrade, 7), std::vector<int64_t>{1}) << "once";
  EXPECT_EQ(SidsOf(all, Channel::kTrade, 9), std::vector<int64_t>{1});
}

TEST(KalshiSubscriptions, AnEndedSessionHasNone) {
  KalshiSubscriptions all;
  all.AddMarket(all.Add(kFirst, AccountId(1), Channel::kTrade), MarketId(7));
  all.AddAllMarkets(all.Add(kFirst, AccountId(1), Channel::kFill));
  all.AddMarket(all.Add(kSecond, AccountId(1), Channel::kTrade), MarketId(7));
  EXPECT_EQ(all.OfAccount(AccountId(1)).size(), 3u);
  all.RemoveAll(kFirst);
  EXPECT_EQ(all.OfAccount(AccountId(1)).size(), 1u);
  EXPECT_TRUE(all.Of(kFirst).empty());
  EXPECT_EQ(all.OfChannel(Channel::kTrade).size(), 1u);
  const SessionId next = {.place = 0, .generation = 2};
  EXPECT_EQ(all.Add(next, AccountId(2), Channel::kTrade).sid, 1) << "of the place's next session";
  EXPECT_EQ(all.FindSid(kFirst, 1), nullptr);
}

}  // namespace
}  // namespace engine
