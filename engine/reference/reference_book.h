// The book of one market, as plainly as it can be written: price-time priority and nothing else.
//
//   bids  20.01 ─► [order 7] [order 9]     levels best first; orders of a level in order of arrival
//         20.00 ─► [order 3]
//   asks  20.02 ─► [order 4] [order 5]
//
// The oracle against which faster books are held, and a book that a user can select. It knows no
// rules beyond priority: engine/core decides what may enter. Its logic is the specification of
// E3.

#ifndef ENGINE_REFERENCE_REFERENCE_BOOK_H_
#define ENGINE_REFERENCE_REFERENCE_BOOK_H_

#include <cstdint>
#include <list>
#include <map>
#include <optional>

#include "absl/functional/function_ref.h"
#include "engine/state/resting_order.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class ReferenceBook {
 public:
  // Where an order rests. Valid until that order leaves the book.
  using Handle = std::list<RestingOrder>::iterator;

  ReferenceBook() = default;
  ReferenceBook(const ReferenceBook&) = delete;
  ReferenceBook& operator=(const ReferenceBook&) = delete;

  // Adds `order` after all others of its price level.
  // REQUIRES: quantity_remaining is not zero; priority is later than that of any order of the
  // level; it does not cross the other side.
  Handle Add(const RestingOrder& order);

  void Remove(Handle order);

  // Takes `by` away from what remains; the order keeps its place.
  // REQUIRES: by < quantity_remaining.
  void Reduce(Handle order, Quantity by);

  // Trades up to `quantity` for a taker of side `taker` with the orders of the other side, best
  // price first, first come first served within a price, each at its own price, none beyond `limit`
  // (nullopt: at any price). `on_trade` sees each maker after its trade, and may change its credit;
  // one with nothing remaining has left the book once it returns. Returns the quantity that found
  // no maker. REQUIRES: `on_trade` does not call the book.
  using OnTrade = absl::FunctionRef<void(RestingOrder& maker, Quantity traded)>;
  Quantity Match(Side taker, std::optional<Price> limit, Quantity quantity, OnTrade on_trade);

  // The same, where `on_meet` first sees each maker and says what shall happen.
  // REQUIRES: `on_meet` does not call the book.
  enum class Meeting : uint8_t {
    kTrade,
    kRemoveMaker,         // Without a trade; on to the next.
    kStop,                // The taker is done.
    kRemoveMakerAndStop,  // Both.
  };
  using OnMeet = absl::FunctionRef<Meeting(const RestingOrder& maker)>;
  Quantity Match(Side taker, std::optional<Price> limit, Quantity quantity, OnMeet on_meet,
                 OnTrade on_trade);

  // Whether Match would trade all of `quantity`.
  bool CanFill(Side taker, std::optional<Price> limit, Quantity quantity) const;

  // Whether Match would trade all of `quantity` where `on_meet` answers for each maker.
  bool CanFill(Side taker, std::optional<Price> limit, Quantity quantity, OnMeet on_meet) const;

  // Whether a taker of side `taker` with this limit would meet anybody.
  bool Crosses(Side taker, Price limit) const;

  // In priority order: best price first, then first come first.
  void VisitOrders(Side side, absl::FunctionRef<void(const RestingOrder&)> visit) const;

  uint64_t order_count() const { return order_count_; }

  // E2 (bids below asks), E3 (priorities rise within a level), and that levels and their orders say
  // the same.
  void CheckInvariants() const;

 private:
  struct Level {
    Quantity quantity;  // The sum over `orders`.
    std::list<RestingOrder> orders;
  };

  // Best first on either side: a bid is keyed by its negated price.
  using Levels = std::map<int64_t, Level>;
  static int64_t Key(Side side, Price price) {
    return side == Side::kBid ? -price.units() : price.units();
  }

  void RemoveFront(Levels& makers);
  Levels& levels(Side side) { return side == Side::kBid ? bids_ : asks_; }
  const Levels& levels(Side side) const { return side == Side::kBid ? bids_ : asks_; }
  void CheckSide(Side side) const;

  Levels bids_;
  Levels asks_;
  uint64_t order_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_REFERENCE_REFERENCE_BOOK_H_
