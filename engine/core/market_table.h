// The markets by their ids.
//
// Ids are the venue's, and mostly small: those are looked up in place, without hashing.

#ifndef ENGINE_CORE_MARKET_TABLE_H_
#define ENGINE_CORE_MARKET_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/core/market.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class MarketTable {
 public:
  // Null when there is none.
  Market* Find(MarketId id) const {
    if (id.value() < small_.size()) [[likely]]
      return small_[id.value()].get();
    return FindLarge(id);
  }

  // REQUIRES: there is none with that id.
  Market& Add(MarketId id, std::unique_ptr<Market> market) {
    Market& added = *market;
    if (id.value() < kSmallIds) {
      if (id.value() >= small_.size()) {
        small_.resize(std::clamp<size_t>(2 * small_.size(), id.value() + size_t{1}, kSmallIds));
      }
      small_[id.value()] = std::move(market);
    } else {
      large_.emplace(id, std::move(market));
    }
    return added;
  }

 private:
  static constexpr uint32_t kSmallIds = uint32_t{1} << 21;

  Market* FindLarge(MarketId id) const {
    const auto found = large_.find(id);
    return found == large_.end() ? nullptr : found->second.get();
  }

  std::vector<std::unique_ptr<Market>> small_;
  absl::flat_hash_map<MarketId, std::unique_ptr<Market>> large_;  // For look-ups only.
};

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_TABLE_H_
