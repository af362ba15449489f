// The markets by their ids.
//
//   id ─► small ids: an array of pointers ─► blocks of markets, one after the other
//         large ids: a hash table                 │
//                                                 └─► terms, which markets share
//
// The venue chooses the ids, and most are small: these index an array, without hashing.

#ifndef ENGINE_CORE_MARKET_TABLE_H_
#define ENGINE_CORE_MARKET_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/inline.h"
#include "engine/base/large_block.h"
#include "engine/book/book_storage.h"
#include "engine/core/market.h"
#include "engine/core/market_terms.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"

namespace engine {

// Not thread-safe: owned by the exchange. Markets never move.
class MarketTable {
 public:
  MarketTable() = default;
  ~MarketTable();
  MarketTable(const MarketTable&) = delete;
  MarketTable& operator=(const MarketTable&) = delete;

  // Null when there is none.
  Market* Find(MarketId id) const {
    if (id.value() < small_count_) [[likely]] {
      return small_[id.value()];
    }
    return FindLarge(id);
  }

  // The same, but null also for a large id.
  ENGINE_ALWAYS_INLINE Market* FindSmall(MarketId id) const {
    return id.value() < small_count_ ? small_[id.value()] : nullptr;
  }

  // Whether there are enough markets for prefetching them to pay: some hundreds, judged by the size
  // of the array of small ids, which doubles.
  bool are_many() const { return small_count_ > 256; }

  // Prefetches what every order reads of its market. Any id.
  ENGINE_ALWAYS_INLINE void Prefetch(MarketId id) const {
    if (const Market* const market = FindSmall(id); market != nullptr) market->Prefetch();
  }

  // REQUIRES: there is no market with that id; the fees of one without money are FeeSchedule().
  Market& Add(const MarketDefinition& definition, const FeeSchedule& fees, BookStorage& storage);

  // REQUIRES: the market has money, or the value is the default.
  void SetFees(Market& market, const FeeSchedule& fees);
  void SetSettlementValue(Market& market, Price value);

 private:
  static constexpr uint32_t kSmallIds = uint32_t{1} << 21;

  struct Block {
    LargeBlock memory;
    size_t markets;
  };

  ENGINE_OUT_OF_LINE Market* FindLarge(MarketId id) const {
    const auto found = large_.find(id);
    return found == large_.end() ? nullptr : found->second;
  }
  void* NewPlace();
  void SetTerms(Market& market, const TermsKey& key);

  std::vector<Market*> places_;
  Market* const* small_ = nullptr;  // places_.data().
  uint32_t small_count_ = 0;
  absl::flat_hash_map<MarketId, Market*> large_;  // Never iterated.

  std::vector<Block> blocks_;
  size_t count_ = 0;
  size_t room_ = 0;  // In the last block.
  TermsTable terms_;
};

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_TABLE_H_
