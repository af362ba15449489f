// Identifiers of orders, markets, accounts and groups.

#ifndef ENGINE_TYPES_IDS_H_
#define ENGINE_TYPES_IDS_H_

#include <cstdint>

#include "engine/base/sequence_number.h"
#include "engine/base/strong_int.h"

namespace engine {

// The sequence number of the command that created the order: known before that command is applied,
// dense, never reused. Zero means no order.
using OrderId = StrongInt<struct OrderIdTag, uint64_t>;

constexpr OrderId OrderIdOf(SequenceNumber created_by) { return OrderId(created_by.value()); }

// The client's own key for an order. The core carries it in the record and never reads it.
using ClientOrderId = StrongInt<struct ClientOrderIdTag, uint64_t>;

// One tradable contract with its book. Zero means no market.
using MarketId = StrongInt<struct MarketIdTag, uint32_t>;

// The owner of orders. Zero is the anonymous account, which owns orders without a known owner (as
// in a public feed).
using AccountId = StrongInt<struct AccountIdTag, uint32_t>;

// A group of orders within one account. Zero means no group. A command has three bytes for it.
using GroupId = StrongInt<struct GroupIdTag, uint32_t>;
inline constexpr GroupId kGroupIdMax = GroupId((uint32_t{1} << 24) - 1);

}  // namespace engine

#endif  // ENGINE_TYPES_IDS_H_
