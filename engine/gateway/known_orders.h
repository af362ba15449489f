// The orders of a conversation, found by the exchange's name for them and by the client's.
//
//   order id  ─► table ─┐
//                       ├─► place in orders ─► KnownOrder
//   client id ─► table ─┘      ▲
//                              └ free places are used again; ended orders stand in a queue
//
// Most orders live for a few thousand commands, and as many are made as end: places and tables are
// used again, and nothing is allocated once as many have been known at a time as ever will be. Both
// kinds of id are mostly dense. Thousands of commands go by until an ended order is forgotten, so
// its line has left the cache: the queue holds all that forgetting needs.

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
  Quantity total;  // What it asked for, the filled part included.
  Quantity filled;
  bool has_ended = false;

  Quantity remaining() const { return total > filled ? total - filled : Quantity(); }
};
static_assert(sizeof(KnownOrder) <= 48);

// Not thread-safe: owned by the session. Pointers and references are valid until the next Remember.
class KnownOrders {
 public:
  // Null when it is not known.
  KnownOrder* Find(OrderId order) { return At(by_order_.Find(order.value())); }
  const KnownOrder* Find(OrderId order) const { return At(by_order_.Find(order.value())); }

  // The last order of that client id.
  const KnownOrder* FindClient(uint64_t client_id) const {
    return At(by_client_id_.Find(client_id));
  }

  // From now on `client_id` names this order. One that is known already begins anew.
  // REQUIRES: it has not ended.
  KnownOrder& Remember(OrderId order, uint64_t client_id, const MarketDefinition* market,
                       Quantity total);

  // It stays known until it is forgotten. REQUIRES: it has not ended; `by` is not before the last.
  void End(KnownOrder& order, SequenceNumber by);

  // Those that have ended by that command or before.
  void ForgetEnded(SequenceNumber last) {
    while (ended_count_ != 0 && ended_[ended_first_].by <= last) ForgetFirst();
  }

  uint64_t live_count() const { return by_order_.size() - ended_count_; }

  // That tables, queue and places agree. CHECKs; walks everything.
  void CheckInvariants() const;

 private:
  struct Ended {
    SequenceNumber by;
    OrderId order;
    uint64_t client_id = 0;
    uint32_t place = 0;
  };

  KnownOrder* At(uint32_t place) {
    return place == DenseIdTable::kNone ? nullptr : &orders_[place];
  }
  const KnownOrder* At(uint32_t place) const {
    return place == DenseIdTable::kNone ? nullptr : &orders_[place];
  }
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
