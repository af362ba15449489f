// The markets that a log has defined so far: what names and units its numbers have.

#ifndef ENGINE_MESSAGES_MARKET_DIRECTORY_H_
#define ENGINE_MESSAGES_MARKET_DIRECTORY_H_

#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

// Not thread-safe: owned by whoever follows the log.
class MarketDirectory {
 public:
  // False, and nothing changes, when the id or the symbol is taken.
  bool Add(MarketDefinition definition);

  // Null when there is none. Valid for ever: markets are never removed.
  const MarketDefinition* Find(MarketId id) const;
  const MarketDefinition* FindSymbol(absl::string_view symbol) const;

  // In the order of their ids.
  const std::map<MarketId, MarketDefinition>& all() const { return markets_; }

 private:
  std::map<MarketId, MarketDefinition> markets_;
  absl::flat_hash_map<std::string, MarketId> by_symbol_;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_MARKET_DIRECTORY_H_
