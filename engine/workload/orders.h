// Makes the commands of workloads.

#ifndef ENGINE_WORKLOAD_ORDERS_H_
#define ENGINE_WORKLOAD_ORDERS_H_

#include <cstdint>

#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace bench {

inline engine::Command LimitOrder(
    engine::MarketId market, engine::Side side, int64_t price, uint64_t quantity,
    engine::TimeInForce tif = engine::TimeInForce::kGoodTillCancelled) {
  engine::Command command;
  command.kind = engine::CommandKind::kNewOrder;
  command.market = market;
  command.side = side;
  command.type = engine::OrderType::kLimit;
  command.tif = tif;
  command.price = engine::Price::FromUnits(price);
  command.quantity = engine::Quantity::FromUnits(quantity);
  return command;
}

inline engine::Command MarketOrder(engine::MarketId market, engine::Side side, uint64_t quantity) {
  engine::Command command =
      LimitOrder(market, side, 0, quantity, engine::TimeInForce::kImmediateOrCancel);
  command.type = engine::OrderType::kMarket;
  return command;
}

inline engine::Command Cancel(engine::MarketId market, engine::OrderId order) {
  engine::Command command;
  command.kind = engine::CommandKind::kCancel;
  command.market = market;
  command.order_id = order;
  return command;
}

// `quantity` includes the quantity already filled.
inline engine::Command Amend(engine::MarketId market, engine::OrderId order, int64_t price,
                             uint64_t quantity) {
  engine::Command command = Cancel(market, order);
  command.kind = engine::CommandKind::kAmend;
  command.price = engine::Price::FromUnits(price);
  command.quantity = engine::Quantity::FromUnits(quantity);
  return command;
}

}  // namespace bench

#endif  // ENGINE_WORKLOAD_ORDERS_H_
