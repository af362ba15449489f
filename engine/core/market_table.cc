#include "engine/core/market_table.h"

#include <algorithm>
#include <memory>
#include <new>

namespace engine {
namespace {

// A block has a sixteenth as many markets as there are, so that no more of the memory is unused.
constexpr size_t kFirstBlock = 8;
constexpr size_t kUnusedShare = 16;

}  // namespace

MarketTable::~MarketTable() {
  for (const Block& block : blocks_) {
    std::destroy_n(std::launder(reinterpret_cast<Market*>(block.memory.get())), block.markets);
  }
}

void* MarketTable::NewPlace() {
  if (room_ == 0) {
    room_ = std::max(kFirstBlock, count_ / kUnusedShare);
    blocks_.push_back({.memory = NewLargeBlock(room_ * sizeof(Market)), .markets = 0});
  }
  --room_;
  ++count_;
  Block& block = blocks_.back();
  return block.memory.get() + block.markets++ * sizeof(Market);
}

Market& MarketTable::Add(const MarketDefinition& definition, const FeeSchedule& fees,
                         BookStorage& storage) {
  const MarketTerms& terms =
      *terms_.Share({.definition = WithoutName(definition), .fees = fees, .settlement_value = {}});
  const MarketId id = definition.id;
  Market* const market = new (NewPlace()) Market(id, terms, storage);
  if (id.value() < kSmallIds) {
    if (id.value() >= small_count_) {
      places_.resize(std::clamp<size_t>(2 * places_.size(), id.value() + size_t{1}, kSmallIds));
      small_ = places_.data();
      small_count_ = static_cast<uint32_t>(places_.size());
    }
    places_[id.value()] = market;
  } else {
    large_.emplace(id, market);
  }
  return *market;
}

void MarketTable::SetFees(Market& market, const FeeSchedule& fees) {
  TermsKey key = *market.terms;
  key.fees = fees;
  SetTerms(market, key);
}

void MarketTable::SetSettlementValue(Market& market, Price value) {
  TermsKey key = *market.terms;
  key.settlement_value = value;
  SetTerms(market, key);
}

void MarketTable::SetTerms(Market& market, const TermsKey& key) {
  const MarketTerms* const before = market.terms;
  market.terms = terms_.Share(key);
  terms_.Release(before);
}

}  // namespace engine
