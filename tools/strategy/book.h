// The price levels of one market, as a strategy keeps them from what it hears.
//
//   bids   [20.00: 1] [20.01: 8]      the best level is the last, where nearly all changes happen
//   asks   [20.05: 2] [20.02: 4]

#ifndef TOOLS_STRATEGY_BOOK_H_
#define TOOLS_STRATEGY_BOOK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace strategy {

// Not thread-safe: owned by the desk. Nothing is allocated while a side has at most kReserved
// levels.
class Book {
 public:
  static constexpr size_t kReserved = 512;

  struct Level {
    engine::Price price;
    engine::Quantity quantity;  // Never zero.

    friend bool operator==(const Level&, const Level&) = default;
  };

  Book() {
    bids_.reserve(kReserved);
    asks_.reserve(kReserved);
  }

  // Whether it is what the venue had when the last row left there. False until the first snapshot.
  bool is_good() const { return is_good_; }

  size_t size(engine::Side side) const { return levels(side).size(); }
  // The level at `index` from the best. REQUIRES: index < size(side).
  const Level& at(engine::Side side, size_t index) const {
    const std::vector<Level>& all = levels(side);
    return all[all.size() - 1 - index];
  }
  // Null if the side is empty.
  const Level* best(engine::Side side) const {
    return levels(side).empty() ? nullptr : &levels(side).back();
  }
  // Whether both sides have a level. Then the mid is half of twice_mid().
  bool has_mid() const { return !bids_.empty() && !asks_.empty(); }
  // The sum of the best prices, in units. REQUIRES: has_mid().
  int64_t twice_mid() const { return bids_.back().price.units() + asks_.back().price.units(); }
  // What is at the price; zero if no level is there.
  engine::Quantity QuantityAt(engine::Side side, engine::Price price) const;

  // A snapshot begins: removes all levels.
  void Clear() {
    bids_.clear();
    asks_.clear();
    is_good_ = true;
  }
  void SetStale() { is_good_ = false; }
  // Sets what is at the price; zero removes the level.
  void Set(engine::Side side, engine::Price price, engine::Quantity quantity);
  // Adds to what is at the price. A sum that is no quantity makes the book stale: a change was
  // missed.
  void Change(engine::Side side, engine::Price price, int64_t change);

 private:
  std::vector<Level>& levels(engine::Side side) {
    return side == engine::Side::kBid ? bids_ : asks_;
  }
  const std::vector<Level>& levels(engine::Side side) const {
    return side == engine::Side::kBid ? bids_ : asks_;
  }
  // The place of the first level, from the worst, that is not worse than `price`.
  static size_t PlaceOf(const std::vector<Level>& levels, engine::Side side, engine::Price price);
  static void Put(std::vector<Level>& levels, size_t place, engine::Price price,
                  engine::Quantity quantity);

  std::vector<Level> bids_;
  std::vector<Level> asks_;
  bool is_good_ = false;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_BOOK_H_
