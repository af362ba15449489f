#include "engine/core/account_orders.h"

namespace engine {

uint32_t AccountOrders::AddAccount(AccountId account) {
  const uint32_t of = accounts_.FindOrAdd(account);
  if (of == ends_.size()) ends_.emplace_back();
  return of;
}

void AccountOrders::Visit(AccountId account, absl::FunctionRef<void(Slot)> visit) {
  const uint32_t of = accounts_.Find(account);
  if (of == AccountIndex::kNone) return;
  Place next = 0;
  for (Place at = ends_[of].first; at != 0; at = next) {
    next = blocks_[at].next;
    bool has_live = false;
    for (const OrderId id : blocks_[at].ids) {
      const Slot slot = index_.Find(id);
      if (slot == Slot()) continue;
      has_live = true;
      visit(slot);
    }
    if (!has_live) Remove(at);
  }
}

void AccountOrders::Append(uint32_t account) {
  for (int i = 0; i < 2; ++i) Sweep();
  Place place = unused_;
  if (place != 0) {
    unused_ = blocks_[place].next;
  } else {
    place = static_cast<Place>(blocks_.size());
    blocks_.emplace_back();
  }
  Ends& ends = ends_[account];
  blocks_[place] = {
      .next = 0, .previous = ends.last, .account = account, .is_used = true, .ids = {}};
  (ends.last == 0 ? ends.first : blocks_[ends.last].next) = place;
  ends.last = place;
  ends.count = 0;
}

void AccountOrders::Remove(Place place) {
  Block& block = blocks_[place];
  Ends& ends = ends_[block.account];
  (block.previous == 0 ? ends.first : blocks_[block.previous].next) = block.next;
  if (block.next != 0) {
    blocks_[block.next].previous = block.previous;
  } else {
    ends.last = block.previous;
    ends.count = kIds;
  }
  block.is_used = false;
  block.next = unused_;
  unused_ = place;
}

// Reclaims the next block if all its orders have ended.
void AccountOrders::Sweep() {
  if (++hand_ >= blocks_.size()) hand_ = 0;
  const Block& block = blocks_[hand_];
  if (!block.is_used) return;
  for (const OrderId id : block.ids) {
    if (index_.Find(id) != Slot()) return;
  }
  Remove(hand_);
}

}  // namespace engine
