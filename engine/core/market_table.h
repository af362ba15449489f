// The markets by their ids.
//
// The venue chooses the ids, and most are small: these index an array, without hashing.

#ifndef ENGINE_CORE_MARKET_TABLE_H_
#define ENGINE_CORE_MARKET_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/core/market.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange. Markets never move.
class MarketTable {
 public:
  // Null when there is none.
  Market* Find(MarketId id) const {
    if (id.value() < small_count_) [[likely]] {
      return small_[id.value()].get();
    }
    return FindLarge(id);
  }

  // The same, but null also for a large id.
  ENGINE_ALWAYS_INLINE Market* FindSmall(MarketId id) const {
    return id.value() < small_count_ ? small_[id.value()].get() : nullptr;
  }

  // Whether there are enough markets for prefetching them to pay: some hundreds, judged by the size
  // of the array of small ids, which doubles.
  bool are_many() const { return small_count_ > 256; }

  // Prefetches what every order reads of its market. Any id.
  ENGINE_ALWAYS_INLINE void Prefetch(MarketId id) const {
    const Market* const market = FindSmall(id);
    if (market == nullptr) return;
    PrefetchToRead(market);
    market->book.Prefetch();
  }

  // REQUIRES: there is no market with that id.
  Market& Add(MarketId id, std::unique_ptr<Market> market) {
    Market& added = *market;
    if (id.value() < kSmallIds) {
      if (id.value() >= small_count_) {
        owned_.resize(std::clamp<size_t>(2 * owned_.size(), id.value() + size_t{1}, kSmallIds));
        small_ = owned_.data();
        small_count_ = static_cast<uint32_t>(owned_.size());
      }
      owned_[id.value()] = std::move(market);
    } else {
      large_.emplace(id, std::move(market));
    }
    return added;
  }

 private:
  static constexpr uint32_t kSmallIds = uint32_t{1} << 21;

  ENGINE_OUT_OF_LINE Market* FindLarge(MarketId id) const {
    const auto found = large_.find(id);
    return found == large_.end() ? nullptr : found->second.get();
  }

  std::vector<std::unique_ptr<Market>> owned_;
  const std::unique_ptr<Market>* small_ = nullptr;  // owned_.data().
  uint32_t small_count_ = 0;
  absl::flat_hash_map<MarketId, std::unique_ptr<Market>> large_;  // Never iterated.
};

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_TABLE_H_
