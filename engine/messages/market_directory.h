// The markets that a log has defined so far, by id and by symbol.

#ifndef ENGINE_MESSAGES_MARKET_DIRECTORY_H_
#define ENGINE_MESSAGES_MARKET_DIRECTORY_H_

#include <map>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

// Not thread-safe: owned by the reader of the log.
class MarketDirectory {
 public:
  // Returns false and changes nothing if the id or the symbol is taken.
  bool Add(MarketDefinition definition);

  // Null if there is no such market. Valid as long as the directory: markets are never removed.
  const MarketDefinition* Find(MarketId id) const;
  const MarketDefinition* FindSymbol(absl::string_view symbol) const;

  // Returns the market that "AAPL" or "#7" names. A number need not be a defined market's, a symbol
  // must; nullopt if `text` is neither.
  std::optional<MarketId> ParseMarket(absl::string_view text) const;

  // In ascending order of ids.
  const std::map<MarketId, MarketDefinition>& all() const { return markets_; }

 private:
  std::map<MarketId, MarketDefinition> markets_;
  absl::flat_hash_map<std::string, MarketId> by_symbol_;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_MARKET_DIRECTORY_H_
