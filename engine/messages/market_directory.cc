#include "engine/messages/market_directory.h"

#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "engine/base/integer_text.h"

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

std::optional<MarketId> MarketDirectory::ParseMarket(absl::string_view text) const {
  uint32_t number = 0;
  if (absl::StartsWith(text, "#") && ParseInteger(text.substr(1), number)) return MarketId(number);
  const MarketDefinition* market = FindSymbol(text);
  if (market == nullptr) return std::nullopt;
  return market->id;
}

}  // namespace engine
