#include "tools/strategy/book.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace strategy {

using engine::Price;
using engine::Quantity;
using engine::Side;

namespace {

// `is_worse`: of two prices, whether the first is.
template <typename Worse>
size_t PlaceIn(const std::vector<Book::Level>& levels, Price price, Worse is_worse) {
  // Nearly all changes are among the best few. All of these are compared: a branch at the end of a
  // search would be mispredicted.
  const size_t few = std::min<size_t>(levels.size(), 8);
  size_t high = levels.size();
  for (size_t i = 1; i <= few; ++i) {
    high -= is_worse(levels[levels.size() - i].price, price) ? 0 : 1;
  }
  if (high > levels.size() - few) return high;
  const auto worse_end =
      std::partition_point(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(high),
                           [&](const Book::Level& level) { return is_worse(level.price, price); });
  return static_cast<size_t>(worse_end - levels.begin());
}

}  // namespace

size_t Book::PlaceOf(const std::vector<Level>& levels, Side side, Price price) {
  return side == Side::kBid ? PlaceIn(levels, price, std::less<>())
                            : PlaceIn(levels, price, std::greater<>());
}

void Book::Put(std::vector<Level>& levels, size_t place, Price price, Quantity quantity) {
  const bool is_there = place < levels.size() && levels[place].price == price;
  const auto at = levels.begin() + static_cast<std::ptrdiff_t>(place);
  if (quantity.is_zero()) {
    if (is_there) levels.erase(at);
  } else if (is_there) {
    at->quantity = quantity;
  } else {
    levels.insert(at, {.price = price, .quantity = quantity});
  }
}

void Book::Set(Side side, Price price, Quantity quantity) {
  std::vector<Level>& all = levels(side);
  Put(all, PlaceOf(all, side, price), price, quantity);
}

void Book::Change(Side side, Price price, int64_t change) {
  std::vector<Level>& all = levels(side);
  const size_t place = PlaceOf(all, side, price);
  const bool is_there = place < all.size() && all[place].price == price;
  const uint64_t before = is_there ? all[place].quantity.units() : 0;
  const uint64_t after = before + static_cast<uint64_t>(change);
  if (change < 0 ? after >= before : after < before) {
    // More left than there was, or more came than fits.
    if (change != 0) is_good_ = false;
    return;
  }
  Put(all, place, price, Quantity::FromUnits(after));
}

Quantity Book::QuantityAt(Side side, Price price) const {
  const std::vector<Level>& all = levels(side);
  const size_t place = PlaceOf(all, side, price);
  return place < all.size() && all[place].price == price ? all[place].quantity : Quantity();
}

}  // namespace strategy
