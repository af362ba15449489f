// The sum of the digests of all live orders: their part of the state digest.
//
//   sequence   1 ............ summed_through ............ now
//                  summed: marked                 not yet
//
// Kept up when it is asked for, not at every command: most orders come and go between two digests
// and never reach it. An order that is in the sum is marked; where it changes or leaves, what it
// was is subtracted first. An exchange that is never asked for its digest does none of this.

#ifndef ENGINE_CORE_ORDER_SUM_H_
#define ENGINE_CORE_ORDER_SUM_H_

#include <cstdint>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_index.h"
#include "engine/book/order_slot.h"
#include "engine/book/resting_order.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class OrderSum {
 public:
  // `order`, which is marked, changes or leaves; `before` is what it was.
  void Subtract(OrderSlot& order, const RestingOrder& before);

  // Over the orders that live after command `now`.
  struct Total {
    Digest sum;
    uint64_t count = 0;
  };
  Total BroughtUpTo(SequenceNumber now, BookStorage& storage, const OrderIndex& index);

 private:
  void Add(Slot slot, BookStorage& storage);

  DigestSum sum_;
  uint64_t count_ = 0;
  SequenceNumber summed_through_;
  std::vector<OrderId> changed_;  // Since then.
};

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_SUM_H_
