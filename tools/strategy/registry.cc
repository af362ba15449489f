#include "tools/strategy/registry.h"

#include <algorithm>
#include <vector>

#include "engine/base/check.h"

namespace strategy {
namespace {

std::vector<StrategyInfo>& Registered() {
  static auto& all = *new std::vector<StrategyInfo>();
  return all;
}

}  // namespace

bool RegisterStrategy(const StrategyInfo& info) {
  std::vector<StrategyInfo>& all = Registered();
  CHECK(FindStrategy(info.name) == nullptr) << "two strategies '" << info.name << "'";
  const auto place = std::ranges::lower_bound(all, info.name, {}, &StrategyInfo::name);
  all.insert(place, info);
  return true;
}

std::span<const StrategyInfo> AllStrategies() { return Registered(); }

const StrategyInfo* FindStrategy(absl::string_view name) {
  const auto found = std::ranges::find(Registered(), name, &StrategyInfo::name);
  return found == Registered().end() ? nullptr : &*found;
}

}  // namespace strategy
