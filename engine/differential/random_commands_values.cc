// The values of a command's fields, and its time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/random_commands_parts.h"
#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/reference/reference_exchange.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

MarketId RandomCommands::AnyMarket(const ReferenceExchange& exchange) {
  std::vector<MarketId> wanted;
  const MarketKind kind = Chance(scenario_.equity) ? MarketKind::kEquity : MarketKind::kBinary;
  for (const auto& [id, market] : exchange.markets().all()) {
    if (market.kind == kind) wanted.push_back(id);
  }
  if (wanted.empty() || Chance(1)) {
    return MarketId(static_cast<uint32_t>(prng_.Below(markets_made_ + 2)));
  }
  // The newest market is the most likely to be open.
  return Chance(60) ? wanted.back() : wanted[prng_.Below(wanted.size())];
}

Price RandomCommands::AnyPrice(const MarketDefinition& market) {
  const int64_t low = market.price_min.units();
  const int64_t high = market.price_max.units();
  int64_t price = 0;
  if (market.kind == MarketKind::kEquity) {
    price = Chance(85) ? 1000 : 0;
    price += 5 * prng_.Between(-3, 3);
  } else {
    price = low + (high - low) / 2 + prng_.Between(-4, 4) * ((high - low) / 40 + 1);
  }
  if (Chance(8)) price = OneOf({low, high, low + market.tick.units(), high - market.tick.units()});
  if (market.kind == MarketKind::kBinary && Chance(15)) price = prng_.Between(low, high);
  if (Chance(97)) {
    const int64_t tick = market.TickAt(Price::FromUnits(price)).units();
    price -= price % tick;
    price = std::max(price, low);
  }
  if (Chance(1)) price = OneOf<int64_t>({low - 1, high + 1, 0, -5});
  return Price::FromUnits(price);
}

Quantity RandomCommands::AnyQuantity(const MarketDefinition& market) {
  const uint64_t lot = market.lot.units();
  uint64_t quantity = lot * (1 + prng_.Below(6));
  if (market.quantity_decimals == 2) quantity = OneOf<uint64_t>({1, 33, 100, 100, 250, 552, 116});
  if (market.quantity_decimals == 1) quantity = lot * (2 + prng_.Below(10));
  if (market.kind == MarketKind::kEquity) quantity = lot * (2 + prng_.Below(8));
  if (Chance(2)) {
    quantity = OneOf<uint64_t>({0, 1, lot - 1, market.quantity_min.units(), lot, 500, 510,
                                kQuantityMax.units(), kQuantityMax.units() + 1});
  }
  return Quantity::FromUnits(quantity);
}

OrderFlags RandomCommands::AnyFlags(bool rests, bool immediate) {
  OrderFlags flags;
  if (Chance(scenario_.stp)) {
    flags = flags.WithSelfTradePrevention(static_cast<SelfTradePrevention>(prng_.Between(1, 3)));
  }
  const bool sound = Chance(97);
  if ((rests || !sound) && Chance(scenario_.post_only)) flags = flags.WithPostOnly();
  if ((rests || !sound) && Chance(15)) flags = flags.WithCancelOnPause();
  if ((immediate || !sound) && Chance(scenario_.reduce_only * 4)) flags = flags.WithReduceOnly();
  return flags;
}

Timestamp RandomCommands::AnyExpiry() {
  const int64_t span = OneOf<int64_t>({1, 2, 1000, 1'000'000, 200'000'000, kSecond, kSecond});
  const int64_t time = now_.nanos() + prng_.Between(span / 2, span * 2);
  if (Chance(95)) return Timestamp::FromNanos(time);
  return Timestamp::FromNanos(OneOf<int64_t>({now_.nanos(), now_.nanos() - 1, 0, kInt64Max, -1}));
}

// Sets one field to any value, or damages the attachment.
void RandomCommands::Spoil(SessionCommand& made) {
  Command& command = made.command;
  const int64_t word = OneOf({int64_t{0}, int64_t{1}, int64_t{-1}, kInt64Max, kInt64Min,
                              kPriceUnitsMax, static_cast<int64_t>(prng_.Next())});
  switch (prng_.Below(13)) {
    case 0:
      command.kind = static_cast<CommandKind>(
          prng_.Below(Chance(90) ? static_cast<uint64_t>(kLastCommandKind) + 3 : 256));
      break;
    case 1:
      command.side = static_cast<Side>(prng_.Below(256));
      break;
    case 2:
      command.type = static_cast<OrderType>(prng_.Below(256));
      break;
    case 3:
      command.tif = static_cast<TimeInForce>(prng_.Below(Chance(50) ? 8 : 256));
      break;
    case 4:
      command.flags = OrderFlags::FromBits(static_cast<uint8_t>(prng_.Below(256)));
      break;
    case 5:
      command.set_group(GroupId(static_cast<uint32_t>(prng_.Below(kGroupIdMax.value() + 1))));
      break;
    case 6:
      command.account = AccountId(static_cast<uint32_t>(prng_.Below(Chance(50) ? 6 : 1u << 31)));
      break;
    case 7:
      command.market = MarketId(static_cast<uint32_t>(prng_.Below(Chance(50) ? 6 : 1u << 31)));
      break;
    case 8:
      command.order_id = OrderId(static_cast<uint64_t>(word));
      break;
    case 9:
      command.price = Price::FromUnits(word);
      break;
    case 10:
      command.quantity = Quantity::FromUnits(Chance(50) ? kQuantityMax.units() + prng_.Below(2)
                                                        : static_cast<uint64_t>(word));
      break;
    case 11:
      if (!made.attachment.empty()) {
        made.attachment[prng_.Below(made.attachment.size())] ^= std::byte{1} << prng_.Below(8);
      }
      break;
    default:
      made.attachment.resize(prng_.Below(made.attachment.size() + 9));
      break;
  }
}

// Mostly a little after the last command; often exactly when something happens.
Timestamp RandomCommands::NextTime(const Orders& orders) {
  const int64_t now = now_.nanos();
  if (now > kInt64Max / 2) return now_;
  int64_t next = now;
  const auto try_moment = [&](int64_t time) {
    if (time > now && time < now + 10 * kSecond) next = time - prng_.Between(0, 1);
  };
  switch (prng_.Below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      break;
    case 4:
    case 5:
    case 6:
      next += prng_.Between(1, 1000);
      break;
    case 7:
    case 8:
      next += prng_.Between(1, 60'000'000);
      break;
    case 9:
      try_moment((now / kSecond + 1) * kSecond);
      break;
    case 10: {
      // When the fills of an earlier command leave the window of a group.
      const int64_t earlier = moments_[prng_.Below(moments_.size())];
      try_moment(earlier + OneOf(kWindows));
      break;
    }
    default:
      if (!orders.empty()) try_moment(orders[prng_.Below(orders.size())].expires_at.nanos());
      break;
  }
  next = std::max(next, now);
  moments_[prng_.Below(moments_.size())] = next;
  return Timestamp::FromNanos(next);
}

}  // namespace engine
