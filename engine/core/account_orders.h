// The live orders of each account: what a mass cancel, limits and a suspension of one account visit
// instead of the orders of all.
//
//   account ─► first ─► block ◄─► block ◄─► block ◄─ last    block: the ids of six, ascending
//
// Orders are filed late, some at a time (live_orders.h); those that end before cost nothing. An
// order that ends stays in its block. Whenever a block begins, a clock hand inspects two others
// and reclaims those without a live order, so that there are at most four times as many blocks as
// have had a live order at one time.

#ifndef ENGINE_CORE_ACCOUNT_ORDERS_H_
#define ENGINE_CORE_ACCOUNT_ORDERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/inline.h"
#include "engine/book/order_index.h"
#include "engine/book/order_slot.h"
#include "engine/core/account_index.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class AccountOrders {
 public:
  // Finds live orders in `index`, which outlives this.
  explicit AccountOrders(const OrderIndex& index) : index_(index), blocks_(1) {}
  AccountOrders(const AccountOrders&) = delete;
  AccountOrders& operator=(const AccountOrders&) = delete;

  // Files an order. REQUIRES: its id is larger than any id filed before.
  ENGINE_ALWAYS_INLINE void Add(AccountId account, OrderId order) {
    uint32_t of = accounts_.FindFast(account);
    if (of >= AccountIndex::kUnknown) [[unlikely]]
      of = AddAccount(account);
    Ends& ends = ends_[of];
    if (ends.count == kIds) [[unlikely]]
      Append(of);
    blocks_[ends.last].ids[ends.count++] = order;
  }

  // Visits the live orders of the account, the oldest first. Takes time in proportion to them, and
  // to those that have ended since the last visit.
  void Visit(AccountId account, absl::FunctionRef<void(Slot)> visit);

  size_t block_count() const { return blocks_.size() - 1; }

 private:
  using Place = uint32_t;  // Of a block. Zero is none.
  static constexpr uint32_t kIds = 6;

  struct alignas(64) Block {
    Place next = 0;
    Place previous = 0;
    uint32_t account = 0;  // Its place in `ends_`.
    bool is_used = false;
    std::array<OrderId, kIds> ids;  // Zero where there is none yet: no order has that id.
  };
  static_assert(sizeof(Block) == 64);
  struct Ends {
    Place first = 0;
    Place last = 0;
    uint32_t count = kIds;  // Of the last block; kIds if there is none.
  };

  ENGINE_OUT_OF_LINE uint32_t AddAccount(AccountId account);
  ENGINE_OUT_OF_LINE void Append(uint32_t account);
  void Remove(Place place);
  void Sweep();

  const OrderIndex& index_;
  AccountIndex accounts_;
  std::vector<Ends> ends_;     // By account.
  std::vector<Block> blocks_;  // The first is none.
  Place unused_ = 0;           // A list by `next`.
  Place hand_ = 0;             // The block that Sweep() inspected last.
};

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_ORDERS_H_
