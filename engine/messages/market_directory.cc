#include "engine/messages/market_directory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "engine/base/integer_text.h"

namespace engine {

bool MarketDirectory::Add(MarketDefinition definition) {
  if (by_symbol_.Find(definition.symbol) != nullptr) return false;
  const MarketId id = definition.id;
  const auto [added, is_new] = markets_.try_emplace(id, std::move(definition));
  if (!is_new) return false;
  if (id.value() < kSmallIds) {
    if (id.value() >= small_.size()) {
      small_.resize(std::clamp<size_t>(2 * small_.size(), id.value() + size_t{1}, kSmallIds));
    }
    small_[id.value()] = &added->second;
  }
  by_symbol_.Insert(added->second);
  return true;
}

const MarketDefinition* MarketDirectory::FindLarge(MarketId id) const {
  const auto found = markets_.find(id);
  return found == markets_.end() ? nullptr : &found->second;
}

std::optional<MarketId> MarketDirectory::ParseMarket(absl::string_view text) const {
  uint32_t number = 0;
  if (absl::StartsWith(text, "#") && ParseInteger(text.substr(1), number)) return MarketId(number);
  const MarketDefinition* market = FindSymbol(text);
  if (market == nullptr) return std::nullopt;
  return market->id;
}

}  // namespace engine
