#include "tools/strategy/book.h"

namespace strategy {

using engine::Price;
using engine::Quantity;
using engine::Side;

size_t Book::PlaceOf(const std::vector<Level>& levels, Side side, Price price) {
  const auto is_worse = [&](const Level& level) {
    return side == Side::kBid ? level.price < price : level.price > price;
  };
  // Nearly all changes are among the best few, which are counted: where a loop would end cannot be
  // predicted.
  constexpr size_t kFew = 8;
  size_t low = 0;
  size_t high = levels.size();
  if (high >= kFew) {
    const Level* const few = &levels[high - kFew];
    size_t worse = 0;
    for (size_t i = 0; i < kFew; ++i) worse += is_worse(few[i]) ? 1 : 0;
    if (worse > 0) return high - kFew + worse;
    high -= kFew;
  }
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (is_worse(levels[middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
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
