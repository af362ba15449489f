// An account's orders, fills and the like as Kalshi's API shows them, with the memory of the ids
// that they refer to.

#ifndef ENGINE_GATEWAY_KALSHI_PORTFOLIO_IMAGE_H_
#define ENGINE_GATEWAY_KALSHI_PORTFOLIO_IMAGE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/views/portfolio_rows.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {

// Neither copied nor moved, as is the next: the wire's object refers to the ids.
struct OrderImage {
  // REQUIRES: the order is one of the portfolio, its market is served.
  OrderImage(const PortfolioOrder& from, const KalshiWorld& world);
  OrderImage(const OrderImage&) = delete;
  OrderImage& operator=(const OrderImage&) = delete;

  kalshi::PublicId order_id;
  kalshi::PublicId user_id;
  kalshi::PublicId group_id;
  kalshi::Order order;
};

struct FillImage {
  // REQUIRES: its market is served.
  FillImage(const PortfolioFill& from, const KalshiWorld& world);
  FillImage(const FillImage&) = delete;
  FillImage& operator=(const FillImage&) = delete;

  kalshi::PublicId trade_id;
  kalshi::PublicId order_id;
  kalshi::Fill fill;
};

kalshi::OrderStatus StatusOf(const PortfolioOrder& order);
kalshi::OrderUpdate UpdateOf(const PortfolioOrder& order);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_PORTFOLIO_IMAGE_H_
