// Whether an order names a price.

#ifndef ENGINE_TYPES_ORDER_TYPE_H_
#define ENGINE_TYPES_ORDER_TYPE_H_

#include <cstdint>

namespace engine {

// Do not renumber: in the journal. Zero is no type.
enum class OrderType : uint8_t {
  kLimit = 1,   // At its price or better.
  kMarket = 2,  // At any price; never rests.
};

constexpr bool IsValid(OrderType type) {
  return type == OrderType::kLimit || type == OrderType::kMarket;
}

// Of an order in text that names none.
inline constexpr OrderType kDefaultOrderType = OrderType::kLimit;

}  // namespace engine

#endif  // ENGINE_TYPES_ORDER_TYPE_H_
