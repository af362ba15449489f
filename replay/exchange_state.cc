#include "replay/exchange_state.h"

#include "engine/base/check.h"

namespace replay {

const ExchangeState* FindExchange(const Machine& machine) {
  return dynamic_cast<const ExchangeState*>(&machine);
}

const ExchangeState& ExchangeOf(const Machine& machine) {
  const ExchangeState* const exchange = FindExchange(machine);
  CHECK(exchange != nullptr) << machine.name() << " is not an exchange";
  return *exchange;
}

}  // namespace replay
