// The orders of a session, found by the exchange's order id and by the client's id.
//
//   order id  ─► table ─┐
//                       ├─► place in orders ─► KnownOrder
//   client id ─► table ─┘      ▲
//                              └ freed places are reused; ended orders are in a queue
//
// Most orders live for a few thousand commands, and as many are created as end: places and table
// entries are reused, and nothing is allocated once the maximum number of simultaneously known
// orders has been reached. Both kinds of id are mostly dense. An ended order is forgotten only
// thousands of commands later, when its cache line has been evicted: the queue holds all that
// forgetting needs.

#ifndef ENGINE_GATEWAY_KNOWN_ORDERS_H_
#define ENGINE_GATEWAY_KNOWN_ORDERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/dense_id_table.h"
#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/quantity.h"

namespace engine {

struct KnownOrder {
  uint64_t client_id = 0;
  const MarketDefinition* market = nullptr;
  OrderId order;
  Quantity total;  // Its full quantity, filled part included.
  Quantity filled;
  bool has_ended = false;

  Quantity remaining() const { return total > filled ? total - filled : Quantity(); }
};
static_assert(sizeof(KnownOrder) <= 48);

// Not thread-safe: owned by the session. Pointers and references are valid until the next Remember.
class KnownOrders {
 public:
  // Null if the order is not known.
  KnownOrder* Find(OrderId order) {
    const uint32_t place = by_order_.Find(order.value());
    return place == DenseIdTable::kNone ? nullptr : &orders_[place];
  }

  // The latest order with that client id; null if there is none.
  const KnownOrder* FindClient(uint64_t client_id) const {
    const uint32_t place = by_client_id_.Find(client_id);
    return place == DenseIdTable::kNone ? nullptr : &orders_[place];
  }

  // Makes `client_id` the name of this order. An order that is already known is reset. REQUIRES: it
  // has not ended.
  KnownOrder& Remember(OrderId order, uint64_t client_id, const MarketDefinition* market,
                       Quantity total);

  // Marks the order as ended by command `by`. It stays known until it is forgotten. REQUIRES: it
  // has not ended; `by` is not before that of the previous call.
  void End(KnownOrder& order, SequenceNumber by);

  // Forgets the orders that ended by command `last` or earlier.
  void ForgetEnded(SequenceNumber last) {
    while (ended_count_ != 0 && ended_[ended_first_].by <= last) ForgetFirst();
  }

  uint64_t live_count() const { return by_order_.size() - ended_count_; }

  // CHECKs that tables, queue and places agree. Walks everything.
  void CheckInvariants() const;

 private:
  struct Ended {
    SequenceNumber by;
    OrderId order;
    uint64_t client_id = 0;
    uint32_t place = 0;
  };

  uint32_t TakePlace();
  void ForgetFirst();
  void GrowEnded();

  std::vector<KnownOrder> orders_;
  std::vector<uint32_t> free_places_;
  DenseIdTable by_order_;
  DenseIdTable by_client_id_;

  // A ring of ended_count_ entries from ended_first_; its size is a power of two.
  std::vector<Ended> ended_ = std::vector<Ended>(16);
  size_t ended_first_ = 0;
  size_t ended_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KNOWN_ORDERS_H_
