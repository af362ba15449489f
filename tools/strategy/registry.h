// The strategies that are linked into a program. A source of a strategy ends with
//
//   TICKTAPE_STRATEGY("market_maker", MarketMaker);
//
// and needs no header of its own: programs find it by its name.

#ifndef TOOLS_STRATEGY_REGISTRY_H_
#define TOOLS_STRATEGY_REGISTRY_H_

#include <memory>
#include <span>

#include "absl/strings/string_view.h"
#include "tools/strategy/strategy.h"

namespace strategy {

// A regular value type.
struct StrategyInfo {
  absl::string_view name;
  std::unique_ptr<Strategy> (*make)() = nullptr;
};

// Not thread-safe: called before main(). REQUIRES: a new name. Returns true.
bool RegisterStrategy(const StrategyInfo& info);

// By name.
std::span<const StrategyInfo> AllStrategies();
// Null if there is none of that name.
const StrategyInfo* FindStrategy(absl::string_view name);

}  // namespace strategy

// REQUIRES: at the end of a namespace scope; `Class` has a constructor without parameters.
#define TICKTAPE_STRATEGY(name, Class)                                             \
  [[maybe_unused]] const bool k##Class##IsRegistered = strategy::RegisterStrategy( \
      {name, []() -> std::unique_ptr<strategy::Strategy> { return std::make_unique<Class>(); }})

#endif  // TOOLS_STRATEGY_REGISTRY_H_
