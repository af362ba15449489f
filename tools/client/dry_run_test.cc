#include "tools/client/dry_run.h"

#include <optional>
#include <string>

#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/client_replies.h"
#include "engine/wire/kalshi/queries.h"
#include "gtest/gtest.h"
#include "tools/client/call.h"
#include "tools/client/order_calls.h"
#include "tools/strategy/action.h"

namespace client {
namespace {

strategy::Action Bid(engine::TimeInForce tif) {
  return {.order = strategy::OrderNumber(1),
          .price = engine::Price::FromUnits(4'000),
          .quantity = engine::Quantity::FromUnits(500),
          .market = engine::MarketId(1),
          .side = engine::Side::kBid,
          .tif = tif,
          .kind = strategy::ActionKind::kNewOrder};
}

TEST(DryRun, AnOrderRestsUntilItIsCancelled) {
  DryRun dry_run;
  engine::kalshi::ReplyReader reader;
  const auto created =
      dry_run.AnswerTo(CreateCall(Bid(engine::TimeInForce::kGoodTillCancelled), "RAIN", "run-1"));
  ASSERT_TRUE(created.has_value());
  EXPECT_EQ(created->status, 201);
  const auto order = reader.OrderReply(created->body);
  ASSERT_TRUE(order.ok()) << order.status();
  EXPECT_EQ(order->remaining_count.hundredths(), 500);
  const std::string id(order->order_id);

  strategy::Action amend = Bid(engine::TimeInForce::kGoodTillCancelled);
  amend.kind = strategy::ActionKind::kAmend;
  amend.quantity = engine::Quantity::FromUnits(700);
  EXPECT_EQ(dry_run.AnswerTo(AmendCall(amend, "RAIN", id))->status, 200);

  const auto cancelled = dry_run.AnswerTo(CancelCall(id));
  EXPECT_EQ(cancelled->status, 200);
  EXPECT_EQ(reader.CancelReply(cancelled->body)->reduced_by.hundredths(), 700);
  EXPECT_EQ(dry_run.AnswerTo(CancelCall(id))->status, 404);
  EXPECT_EQ(dry_run.calls(), 4u);
}

TEST(DryRun, AnImmediateOrderEndsWithoutAFill) {
  DryRun dry_run;
  engine::kalshi::ReplyReader reader;
  const auto created =
      dry_run.AnswerTo(CreateCall(Bid(engine::TimeInForce::kImmediateOrCancel), "RAIN", "run-1"));
  const auto order = reader.OrderReply(created->body);
  ASSERT_TRUE(order.ok()) << order.status();
  EXPECT_EQ(order->fill_count.hundredths(), 0);
  EXPECT_EQ(order->remaining_count.hundredths(), 0);
}

TEST(DryRun, ItsOrdersAreListed) {
  DryRun dry_run;
  engine::kalshi::ReplyReader reader;
  const Call call = CreateCall(Bid(engine::TimeInForce::kGoodTillCancelled), "RAIN", "run-1");
  EXPECT_EQ(dry_run.AnswerTo(call)->status, 201);
  const auto list = [&] {
    return reader.Orders(dry_run.AnswerTo({.id = 1, .kind = CallKind::kOrders})->body);
  };
  auto page = list();
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->items.size(), 1u);
  EXPECT_EQ(page->items[0].client_order_id, "run-1");
  EXPECT_EQ(page->items[0].status, engine::kalshi::OrderStatus::kResting);
  EXPECT_EQ(dry_run.AnswerTo({.id = 1, .kind = CallKind::kCancelAll})->status, 204);
  page = list();
  ASSERT_EQ(page->items.size(), 1u);
  EXPECT_EQ(page->items[0].status, engine::kalshi::OrderStatus::kCanceled);
  EXPECT_EQ(list()->items.size(), 0u);  // What has ended is listed once.
}

TEST(DryRun, WhatReadsIsSent) {
  DryRun dry_run;
  EXPECT_EQ(dry_run.AnswerTo({.id = 1, .kind = CallKind::kPositions}), std::nullopt);
  EXPECT_EQ(dry_run.AnswerTo({.id = 1, .kind = CallKind::kCreate, .body = "{"})->status, 400);
  EXPECT_EQ(dry_run.AnswerTo({.id = 1, .kind = CallKind::kCancel, .path = "/orders/x"})->status,
            404);
}

}  // namespace
}  // namespace client
