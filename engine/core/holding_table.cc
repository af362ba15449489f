#include "engine/core/holding_table.h"

#include <utility>

#include "engine/base/check.h"

namespace engine {

Holding& HoldingTable::Add(AccountId account, MarketId market) {
  CHECK(market != MarketId());
  if (2 * (size_ + 1) > slots_.size()) Grow();
  size_t slot = SlotOf(KeyOf(account, market));
  for (; slots_[slot].market != MarketId(); slot = Next(slot)) {
    CHECK(slots_[slot].market != market || slots_[slot].account != account)
        << "account " << account << " has a holding in market " << market;
  }
  ++size_;
  Holding& holding = slots_[slot];
  holding.account = account;
  holding.market = market;
  return holding;
}

// Holdings after the gap move into it, unless that would put them before their slot by the hash:
// a look-up stops at the first free slot.
void HoldingTable::Remove(AccountId account, MarketId market) {
  const Holding* const found = Find(account, market);
  CHECK(found != nullptr) << "account " << account << " has no holding in market " << market;
  auto gap = static_cast<size_t>(found - slots_.data());
  for (size_t slot = Next(gap); slots_[slot].market != MarketId(); slot = Next(slot)) {
    const size_t home = SlotOf(KeyOf(slots_[slot].account, slots_[slot].market));
    const size_t mask = slots_.size() - 1;
    if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
    slots_[gap] = slots_[slot];
    gap = slot;
  }
  slots_[gap] = Holding();
  --size_;
}

void HoldingTable::Grow() {
  std::vector<Holding> old(2 * slots_.size());
  std::swap(old, slots_);
  --shift_;
  for (const Holding& holding : old) {
    if (holding.market == MarketId()) continue;
    size_t slot = SlotOf(KeyOf(holding.account, holding.market));
    while (slots_[slot].market != MarketId()) slot = Next(slot);
    slots_[slot] = holding;
  }
}

}  // namespace engine
