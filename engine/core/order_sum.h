// The sum of the digests of all live orders: their part of the state digest.
//
//   sequence   1 ............ summed_through ............ now
//                  summed: marked                 not yet
//
// Brought up to date for each digest, not by every command: most orders come and go between two
// digests and never enter it. An order in the sum is marked; when it changes or leaves, the digest
// of its old value is subtracted. An exchange that computes no digests does none of this.

#ifndef ENGINE_CORE_ORDER_SUM_H_
#define ENGINE_CORE_ORDER_SUM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_index.h"
#include "engine/book/order_slot.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class OrderSum {
 public:
  // Subtracts a marked order that changes or leaves; `before` is its value in the sum.
  void Subtract(OrderSlot& order, const RestingOrder& before);

  // The sum over the orders that live after command `now`.
  struct Total {
    Digest sum;
    uint64_t count = 0;
  };
  Total BroughtUpTo(SequenceNumber now, BookStorage& storage, const OrderIndex& index);

  // The number of these orders, if the sum was last brought up to `now`.
  std::optional<uint64_t> CountAt(SequenceNumber now) const {
    return now == summed_through_ ? std::optional<uint64_t>(count_) : std::nullopt;
  }

 private:
  void Add(Slot slot, BookStorage& storage);

  DigestSum sum_;
  uint64_t count_ = 0;
  SequenceNumber summed_through_;
  std::vector<OrderId> changed_;  // Subtracted since then; some still live.
};

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_SUM_H_
