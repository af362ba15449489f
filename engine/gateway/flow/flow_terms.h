// What an order of one market is in another one: the same value of a price and of a quantity, in
// the units of the other market, or a price on a line that is given.
//
//   source price × factor + offset ─► rounded down to the other market's tick
//
// Prices keep their order, so what traded at the source may trade here.

#ifndef ENGINE_GATEWAY_FLOW_FLOW_TERMS_H_
#define ENGINE_GATEWAY_FLOW_FLOW_TERMS_H_

#include <cstdint>
#include <optional>

#include "engine/messages/command.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// A regular value type.
struct PriceLine {
  static constexpr uint64_t kOne = 1'000'000'000;
  static constexpr uint64_t kFactorMax = kOne * 1'000'000;

  uint64_t factor = kOne;  // In 10^-9. Range [1, kFactorMax].
  Price offset = {};       // In units of the venue's market.
};

// A regular value type.
class FlowTerms {
 public:
  // Both definitions are valid. Without `line` a price that is none of the venue's market does not
  // fit; with it, it is rounded.
  FlowTerms(const MarketDefinition& source, const MarketDefinition& venue,
            std::optional<PriceLine> line);

  const MarketDefinition& venue() const { return venue_; }

  // The command in units of the venue's market, with its id. Any 64 bytes are safe. Nullopt: the
  // price or the quantity does not fit.
  std::optional<Command> Map(const Command& command) const;

 private:
  std::optional<Price> MapPrice(Price price, bool is_on_tick) const;
  std::optional<Quantity> MapQuantity(Quantity quantity) const;
  bool IsAllowed(Quantity quantity) const;

  MarketDefinition venue_;
  int source_price_decimals_;
  int source_quantity_decimals_;
  std::optional<PriceLine> line_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_FLOW_FLOW_TERMS_H_
