#include "engine/core/order_sum.h"

#include "engine/state/state_digest.h"

namespace engine {

void OrderSum::Subtract(OrderSlot& order, const RestingOrder& before) {
  sum_.Subtract(DigestOfOrder(before));
  --count_;
  order.marks.Clear(OrderMarks::kSummed);
  changed_.push_back(order.id);
}

OrderSum::Total OrderSum::BroughtUpTo(SequenceNumber now, BookStorage& storage,
                                      const OrderIndex& index) {
  for (const OrderId id : changed_) {
    const Slot slot = index.Find(id);
    if (slot != Slot()) Add(slot, storage);
  }
  changed_.clear();
  index.VisitFrom(OrderId(summed_through_.value() + 1), [&](Slot slot) { Add(slot, storage); });
  summed_through_ = now;
  return {.sum = sum_.value(), .count = count_};
}

// Adds an order that is not in the sum yet.
void OrderSum::Add(Slot slot, BookStorage& storage) {
  OrderSlot& order = storage.order(slot);
  if (order.marks.has(OrderMarks::kSummed)) return;
  sum_.Add(DigestOfOrder(storage.ValueOf(slot)));
  ++count_;
  order.marks.Set(OrderMarks::kSummed);
}

}  // namespace engine
