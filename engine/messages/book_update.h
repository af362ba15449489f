// A change of a book as market data has it: what a receiver of a feed needs to keep the book, and
// no more. Decoders of wire formats make them, books apply them.
//
//   kAdd       an order rests                  reference, locate, side, quantity, price
//   kExecute   a part of it is traded          reference, quantity; price, if not the order's
//   kCancel    a part of it is cancelled       reference, quantity
//   kDelete    it leaves                       reference
//   kReplace   it leaves, another one rests    reference, new_reference, quantity, price
//   kClear     all books are empty: the stream begins again

#ifndef ENGINE_MESSAGES_BOOK_UPDATE_H_
#define ENGINE_MESSAGES_BOOK_UPDATE_H_

#include <cstdint>
#include <type_traits>

#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

enum class BookUpdateKind : uint8_t { kAdd, kExecute, kCancel, kDelete, kReplace, kClear };

// A value. Fields that its kind does not have are zero. It passes from core to core in a slot of a
// ring, next to what its owner adds, such as the time at which it was received.
struct BookUpdate {
  uint64_t reference = 0;      // The order's number in the feed.
  uint64_t new_reference = 0;  // Of the replacement, which has the side and the book of the order.
  Price price = {};
  Quantity quantity = {};
  uint16_t locate = 0;  // The book's number in the feed; the order knows it, if there is one.
  BookUpdateKind kind = BookUpdateKind::kAdd;
  Side side = {};

  friend bool operator==(const BookUpdate&, const BookUpdate&) = default;
};
static_assert(std::is_trivially_copyable_v<BookUpdate>);
static_assert(sizeof(BookUpdate) == 40);

}  // namespace engine

#endif  // ENGINE_MESSAGES_BOOK_UPDATE_H_
