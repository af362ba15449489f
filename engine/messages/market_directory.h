// The markets that a log has defined so far, by id and by symbol.

#ifndef ENGINE_MESSAGES_MARKET_DIRECTORY_H_
#define ENGINE_MESSAGES_MARKET_DIRECTORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/messages/symbol_table.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

// Not thread-safe: owned by the reader of the log. Moving it leaves the definitions where they are.
class MarketDirectory {
 public:
  MarketDirectory() = default;
  MarketDirectory(MarketDirectory&&) = default;
  MarketDirectory& operator=(MarketDirectory&&) = default;

  // Returns false and changes nothing if the id or the symbol is taken.
  bool Add(MarketDefinition definition);

  // Null if there is no such market. Valid as long as the directory: markets are never removed.
  const MarketDefinition* Find(MarketId id) const {
    return id.value() < small_.size() ? small_[id.value()] : FindLarge(id);
  }
  const MarketDefinition* FindSymbol(absl::string_view symbol) const {
    return by_symbol_.Find(symbol);
  }

  // Returns the market that "AAPL" or "#7" names. A number need not be a defined market's, a symbol
  // must; nullopt if `text` is neither.
  std::optional<MarketId> ParseMarket(absl::string_view text) const;

  // In ascending order of ids.
  const std::map<MarketId, MarketDefinition>& all() const { return markets_; }

 private:
  static constexpr uint32_t kSmallIds = uint32_t{1} << 21;

  const MarketDefinition* FindLarge(MarketId id) const;

  std::map<MarketId, MarketDefinition> markets_;
  std::vector<const MarketDefinition*> small_;  // By small ids, which are most.
  SymbolTable by_symbol_;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_MARKET_DIRECTORY_H_
