#include "engine/gateway/flow/flow_terms.h"

#include "engine/messages/kinds.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

bool HasPrice(const Command& command) {
  switch (command.kind) {
    case CommandKind::kNewOrder:
      return command.type != OrderType::kMarket;
    case CommandKind::kCancel:
    case CommandKind::kReduce:
    case CommandKind::kReduceTo:
    case CommandKind::kMassCancel:
    case CommandKind::kSetExpiry:
      return false;
    default:
      return true;
  }
}

bool HasQuantity(CommandKind kind) {
  return kind != CommandKind::kCancel && kind != CommandKind::kMassCancel &&
         kind != CommandKind::kSetExpiry;
}

}  // namespace

FlowTerms::FlowTerms(const MarketDefinition& source, const MarketDefinition& venue,
                     std::optional<PriceLine> line)
    : venue_(venue),
      source_price_decimals_(source.price_decimals),
      source_quantity_decimals_(source.quantity_decimals),
      line_(line) {}

std::optional<Command> FlowTerms::Map(const Command& command) const {
  Command mapped = command;
  mapped.market = venue_.id;
  const bool may_enlarge = InfoOf(command.kind).may_enlarge;
  if (HasPrice(command)) {
    const std::optional<Price> price = MapPrice(command.price, /*is_on_tick=*/may_enlarge);
    if (!price.has_value()) return std::nullopt;
    mapped.price = *price;
  }
  if (HasQuantity(command.kind)) {
    const std::optional<Quantity> quantity = MapQuantity(command.quantity);
    if (!quantity.has_value() || (may_enlarge && !IsAllowed(*quantity))) return std::nullopt;
    mapped.quantity = *quantity;
  }
  return mapped;
}

std::optional<Price> FlowTerms::MapPrice(Price price, bool is_on_tick) const {
  if (price.units() > kPriceUnitsMax || price.units() < -kPriceUnitsMax) return std::nullopt;
  const PriceLine line = line_.value_or(PriceLine());
  const __int128 whole =
      PowerOfTen(source_price_decimals_) * static_cast<__int128>(PriceLine::kOne);
  const __int128 parts = static_cast<__int128>(price.units()) * static_cast<__int128>(line.factor) *
                         PowerOfTen(venue_.price_decimals);
  const bool is_whole = parts % whole == 0;
  if (!is_whole && !line_.has_value()) return std::nullopt;
  __int128 units = parts / whole - (parts < 0 && !is_whole ? 1 : 0) + line.offset.units();
  if (units < venue_.price_min.units() || units > venue_.price_max.units()) return std::nullopt;
  if (!is_on_tick) return Price::FromUnits(static_cast<int64_t>(units));
  const auto tick_at = [this](__int128 at) {
    return venue_.TickAt(Price::FromUnits(static_cast<int64_t>(at))).units();
  };
  const int64_t tick = tick_at(units);
  const int64_t above = static_cast<int64_t>(units % tick);
  if (above != 0) {
    if (!line_.has_value()) return std::nullopt;
    units -= above < 0 ? above + tick : above;
    // The tick of the band below, where it ends between two of its own.
    if (units < venue_.price_min.units() || units % tick_at(units) != 0) return std::nullopt;
  }
  return Price::FromUnits(static_cast<int64_t>(units));
}

std::optional<Quantity> FlowTerms::MapQuantity(Quantity quantity) const {
  if (quantity > kQuantityMax) return std::nullopt;
  const __int128 whole = PowerOfTen(source_quantity_decimals_);
  const __int128 parts =
      static_cast<__int128>(quantity.units()) * PowerOfTen(venue_.quantity_decimals);
  const auto lot = static_cast<__int128>(venue_.lot.units());
  if (parts % (whole * lot) != 0 || parts / whole > kQuantityMax.units()) return std::nullopt;
  return Quantity::FromUnits(static_cast<uint64_t>(parts / whole));
}

bool FlowTerms::IsAllowed(Quantity quantity) const {
  const bool has_max = !venue_.quantity_max.is_zero();
  return !quantity.is_zero() && quantity >= venue_.quantity_min &&
         (!has_max || quantity <= venue_.quantity_max);
}

}  // namespace engine
