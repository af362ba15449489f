#include "engine/messages/market_directory.h"

#include <utility>

namespace engine {

bool MarketDirectory::Add(MarketDefinition definition) {
  const MarketId id = definition.id;
  if (markets_.contains(id)) return false;
  if (!by_symbol_.emplace(definition.symbol, id).second) return false;
  markets_.emplace(id, std::move(definition));
  return true;
}

const MarketDefinition* MarketDirectory::Find(MarketId id) const {
  const auto found = markets_.find(id);
  return found == markets_.end() ? nullptr : &found->second;
}

const MarketDefinition* MarketDirectory::FindSymbol(absl::string_view symbol) const {
  const auto found = by_symbol_.find(symbol);
  return found == by_symbol_.end() ? nullptr : Find(found->second);
}

}  // namespace engine
