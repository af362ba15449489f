#include "engine/messages/symbol_table.h"

#include <utility>

namespace engine {

void SymbolTable::Insert(const MarketDefinition& market) {
  if (2 * (size_ + 1) > slots_.size()) Grow();
  Place({.word = WordOf(market.symbol), .market = &market});
  ++size_;
}

size_t SymbolTable::StepsTo(absl::string_view symbol) const {
  const uint64_t word = WordOf(symbol);
  size_t steps = 1;
  for (size_t i = HomeOf(word); slots_[i].market != nullptr; i = Next(i)) {
    if (Has(slots_[i], word, symbol)) break;
    ++steps;
  }
  return steps;
}

void SymbolTable::Place(Slot slot) {
  size_t i = HomeOf(slot.word);
  while (slots_[i].market != nullptr) i = Next(i);
  slots_[i] = slot;
}

void SymbolTable::Grow() {
  const std::vector<Slot> smaller = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  --shift_;
  for (const Slot& slot : smaller) {
    if (slot.market != nullptr) Place(slot);
  }
}

}  // namespace engine
