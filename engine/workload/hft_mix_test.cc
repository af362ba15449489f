#include "engine/workload/hft_mix.h"

#include <map>
#include <optional>

#include "engine/messages/command.h"
#include "engine/workload/plan_book.h"
#include "engine/workload/random_numbers.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

using engine::CommandKind;

constexpr engine::MarketId kMarket = engine::MarketId(1);

std::map<CommandKind, double> PercentOfKinds(const Workload& workload) {
  std::map<CommandKind, double> percent;
  const size_t timed = workload.commands.size() - workload.warm_up_count;
  for (size_t i = workload.warm_up_count; i < workload.commands.size(); ++i) {
    percent[workload.commands[i].kind] += 100.0 / static_cast<double>(timed);
  }
  return percent;
}

Workload MakeMix(size_t seeds, size_t count) {
  WorkloadBuilder builder("mix");
  RandomNumbers random(1);
  HftMix mix(builder, random, {.market = kMarket, .seed_count = seeds});
  mix.Seed();
  builder.EndWarmUp();
  for (size_t i = 0; i < count; ++i) mix.Next();
  return builder.Take();
}

// In the long run as many orders must come as go.
TEST(HftMix, HasTheKindsThatItPromises) {
  std::map<CommandKind, double> percent = PercentOfKinds(MakeMix(1'000, 50'000));
  EXPECT_NEAR(percent[CommandKind::kNewOrder], 48 + 2, 3);
  EXPECT_NEAR(percent[CommandKind::kCancel], 45, 3);
  EXPECT_NEAR(percent[CommandKind::kAmend], 5, 1);
}

TEST(HftMix, HoldsTheBookAtTheSizeOfItsSeeds) {
  WorkloadBuilder builder("mix");
  RandomNumbers random(1);
  HftMix mix(builder, random, {.market = kMarket, .seed_count = 300});
  mix.Seed();
  EXPECT_EQ(mix.live_count(), 300u);
  for (int i = 0; i < 20'000; ++i) {
    mix.Next();
    ASSERT_GE(mix.live_count(), 200u);
    ASSERT_LE(mix.live_count(), 600u);
  }
}

TEST(HftMix, StaysBelowTheMostOrders) {
  WorkloadBuilder builder("mix");
  RandomNumbers random(1);
  HftMix mix(builder, random, {.market = kMarket, .seed_count = 4, .live_max = 10});
  mix.Seed();
  for (int i = 0; i < 20'000; ++i) {
    mix.Next();
    ASSERT_LE(mix.live_count(), 10u);
  }
}

TEST(HftMix, NamesPricesInSteps) {
  WorkloadBuilder builder("mix");
  RandomNumbers random(1);
  HftMix mix(builder, random, {.market = kMarket, .seed_count = 100, .price_step = 100});
  mix.Seed();
  for (int i = 0; i < 1'000; ++i) mix.Next();
  for (const engine::Command& command : builder.Take().commands) {
    ASSERT_EQ(command.price.units() % 100, 0);
  }
}

TEST(HftMix, ContinuesWithVeryFewOrders) { EXPECT_EQ(MakeMix(2, 20'000).commands.size(), 20'002u); }

TEST(PlanBook, TakesTheBestAndThenTheOldest) {
  PlanBook book;
  book.Add(engine::OrderId(1), engine::Side::kBid, 10, 5);
  book.Add(engine::OrderId(2), engine::Side::kBid, 11, 5);
  book.Add(engine::OrderId(3), engine::Side::kBid, 11, 5);
  book.Take(engine::Side::kBid, 7);
  EXPECT_EQ(book.Find(engine::OrderId(2)), nullptr);
  EXPECT_EQ(book.Find(engine::OrderId(3))->quantity, 3u);
  EXPECT_EQ(book.Find(engine::OrderId(3))->filled, 2u);
  EXPECT_EQ(book.Best(engine::Side::kBid), 11);
  book.Take(engine::Side::kBid, 100);
  EXPECT_EQ(book.live_count(), 0u);
  EXPECT_EQ(book.Best(engine::Side::kBid), std::nullopt);
}

TEST(PlanBook, AmendLosesPriorityUnlessPriceStaysAndQuantityDoesNotRise) {
  PlanBook book;
  for (uint64_t id = 1; id <= 3; ++id) book.Add(engine::OrderId(id), engine::Side::kAsk, 10, 5);
  book.Amend(engine::OrderId(1), 10, 6);
  book.Amend(engine::OrderId(2), 10, 4);
  book.Amend(engine::OrderId(2), 10, 4);
  book.Take(engine::Side::kAsk, 9);
  EXPECT_EQ(book.live_count(), 1u);
  EXPECT_EQ(book.Find(engine::OrderId(1))->quantity, 6u);
}

}  // namespace
}  // namespace bench
