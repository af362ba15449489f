#include "engine/views/feed_books.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace engine {

FeedBooks::FeedBooks(size_t orders_max) : orders_max_(orders_max) {
  CHECK_LT(orders_max, size_t{DenseIdTable::kNone});
}

void FeedBooks::Apply(const BookUpdate& update) {
  ++counters_.applied;
  switch (update.kind) {
    case BookUpdateKind::kAdd:
      return Add(update.reference, {.price = update.price,
                                    .quantity = update.quantity,
                                    .locate = update.locate,
                                    .side = update.side});
    case BookUpdateKind::kExecute:
    case BookUpdateKind::kCancel:
      return Reduce(update.reference, update.quantity);
    case BookUpdateKind::kDelete:
      Remove(update.reference);
      return;
    case BookUpdateKind::kReplace:
      return Replace(update);
    case BookUpdateKind::kClear:
      return Clear();
  }
  ++counters_.invalid;
}

size_t FeedBooks::CountNotBetter(const Levels& levels, Side side, Price price) {
  const auto is_better = [&](const Level& level) {
    return side == Side::kBid ? level.price > price : level.price < price;
  };
  size_t count = levels.size();
  const size_t scanned_to = count - std::min(count, kScannedLevels);
  while (count > scanned_to && is_better(levels[count - 1])) --count;
  if (count > scanned_to || count == 0) [[likely]]
    return count;
  const auto first_better =
      std::partition_point(levels.begin(), levels.begin() + static_cast<ptrdiff_t>(count),
                           [&](const Level& level) { return !is_better(level); });
  return static_cast<size_t>(first_better - levels.begin());
}

void FeedBooks::Add(uint64_t reference, const Order& order) {
  if (!IsValid(order.side) || order.quantity.is_zero() || order.quantity > kQuantityMax)
      [[unlikely]] {
    ++counters_.invalid;
    return;
  }
  if (order_places_.Find(reference) != DenseIdTable::kNone) [[unlikely]] {
    ++counters_.duplicates;
    return;
  }
  if (order_places_.size() == orders_max_) [[unlikely]] {
    ++counters_.beyond_limit;
    return;
  }
  uint32_t place = free_first_;
  if (place == DenseIdTable::kNone) {
    place = static_cast<uint32_t>(pool_.size());
    pool_.push_back(order);
  } else {
    free_first_ = pool_[place].next_free;
    pool_[place] = order;
  }
  order_places_.Insert(reference, place);

  if (order.locate >= books_.size()) GrowBooks(order.locate);
  Levels& levels = books_[order.locate].levels(order.side);
  const size_t count = CountNotBetter(levels, order.side, order.price);
  if (count > 0 && levels[count - 1].price == order.price) {
    Level& level = levels[count - 1];
    level.quantity += order.quantity;
    ++level.order_count;
  } else {
    levels.insert(levels.begin() + static_cast<ptrdiff_t>(count),
                  {.price = order.price, .quantity = order.quantity, .order_count = 1});
  }
}

void FeedBooks::Reduce(uint64_t reference, Quantity quantity) {
  const uint32_t place = order_places_.Find(reference);
  if (place == DenseIdTable::kNone) [[unlikely]] {
    ++counters_.unknown_references;
    return;
  }
  Order& order = pool_[place];
  if (quantity >= order.quantity) {
    if (quantity > order.quantity) ++counters_.quantities_exceeded;
    Remove(reference);
    return;
  }
  TakeFromLevel(order, quantity, 0);
  order.quantity -= quantity;
}

void FeedBooks::Replace(const BookUpdate& update) {
  const uint32_t place = Remove(update.reference);
  if (place == DenseIdTable::kNone) return;
  Order order = pool_[place];
  order.price = update.price;
  order.quantity = update.quantity;
  Add(update.new_reference, order);
}

uint32_t FeedBooks::Remove(uint64_t reference) {
  const uint32_t place = order_places_.Find(reference);
  if (place == DenseIdTable::kNone) [[unlikely]] {
    ++counters_.unknown_references;
    return place;
  }
  order_places_.Erase(reference);
  Order& order = pool_[place];
  TakeFromLevel(order, order.quantity, 1);
  order.next_free = free_first_;
  free_first_ = place;
  return place;
}

void FeedBooks::TakeFromLevel(const Order& order, Quantity quantity, uint64_t order_count) {
  Levels& levels = books_[order.locate].levels(order.side);
  const size_t count = CountNotBetter(levels, order.side, order.price);
  CHECK(count > 0);
  Level& level = levels[count - 1];
  CHECK(level.price == order.price);
  level.quantity -= quantity;
  level.order_count -= order_count;
  if (level.order_count == 0) levels.erase(levels.begin() + static_cast<ptrdiff_t>(count - 1));
}

void FeedBooks::Clear() {
  for (Book& book : books_) {
    book.bids.clear();
    book.asks.clear();
  }
  order_places_ = DenseIdTable();
  pool_.clear();
  free_first_ = DenseIdTable::kNone;
}

void FeedBooks::GrowBooks(uint16_t locate) { books_.resize(std::bit_ceil(size_t{locate} + 1)); }

}  // namespace engine
