#include "engine/views/feed_books.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"
#include "engine/base/prefetch.h"

namespace engine {

FeedBooks::FeedBooks(size_t orders_max) : orders_max_(orders_max) {
  CHECK_LT(orders_max, size_t{DenseIdTable::kNone});
}

void FeedBooks::Apply(const BookUpdate& update) {
  ++counters_.applied;
  // The two frequent kinds first: branches are predicted better than a jump by the kind.
  if (update.kind == BookUpdateKind::kAdd) {
    return Add(update.reference, update.locate, update.side, update.price, update.quantity);
  }
  if (update.kind == BookUpdateKind::kDelete) {
    Remove(update.reference);
    return;
  }
  switch (update.kind) {
    case BookUpdateKind::kExecute:
    case BookUpdateKind::kCancel:
      return Reduce(update.reference, update.quantity);
    case BookUpdateKind::kReplace:
      return Replace(update);
    case BookUpdateKind::kClear:
      return Clear();
    default:
      ++counters_.invalid;
  }
}

void FeedBooks::Apply(std::span<const BookUpdate> updates) {
  // Far enough for memory to answer, and no further, as the first cache is small.
  constexpr size_t kPlacesAhead = 16;
  constexpr size_t kLevelsAhead = 8;
  const size_t count = updates.size();
  for (size_t i = 0; i < std::min(count, kPlacesAhead); ++i) PrefetchPlaces(updates[i]);
  for (size_t i = 0; i < std::min(count, kLevelsAhead); ++i) PrefetchOrderAndLevels(updates[i]);
  for (size_t i = 0; i < count; ++i) {
    if (i + kPlacesAhead < count) PrefetchPlaces(updates[i + kPlacesAhead]);
    if (i + kLevelsAhead < count) PrefetchOrderAndLevels(updates[i + kLevelsAhead]);
    Apply(updates[i]);
  }
}

void FeedBooks::PrefetchPlaces(const BookUpdate& update) const {
  order_places_.Prefetch(update.reference);
  if (update.kind == BookUpdateKind::kReplace) order_places_.Prefetch(update.new_reference);
  PrefetchToReadAfter(books_.data(), update.locate * sizeof(Book));
}

void FeedBooks::PrefetchOrderAndLevels(const BookUpdate& update) const {
  if (update.kind != BookUpdateKind::kAdd) {
    const uint32_t place = order_places_.Find(update.reference);
    PrefetchToReadAfter(pool_.data(), place * sizeof(Order));
  }
  if (update.locate >= books_.size()) return;
  for (const Levels& levels : books_[update.locate].sides) {
    PrefetchToReadAfter(levels.data(), levels.size() * sizeof(Level) - 1);
  }
}

size_t FeedBooks::CountNotBetter(const Levels& levels, Side side, Price price) {
  // Without a branch on the side, which cannot be predicted: the other side's prices are mirrored.
  const int64_t sign = side == Side::kAsk ? -1 : 1;
  const auto is_better = [sign, limit = sign * price.units()](const Level& level) {
    return sign * level.price.units() > limit;
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

void FeedBooks::Add(uint64_t reference, uint16_t locate, Side side, Price price,
                    Quantity quantity) {
  if (!IsValid(side) || quantity.is_zero() || quantity > kQuantityMax) [[unlikely]] {
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
    pool_.emplace_back();
  } else {
    free_first_ = pool_[place].next_free;
  }
  Order& order = pool_[place];
  order.price = price;
  order.quantity = quantity;
  order.locate = locate;
  order.side = side;
  order_places_.Insert(reference, place);

  if (locate >= books_.size()) GrowBooks(locate);
  Levels& levels = books_[locate].levels(side);
  const size_t count = CountNotBetter(levels, side, price);
  if (count > 0 && levels[count - 1].price == price) {
    Level& level = levels[count - 1];
    level.quantity += quantity;
    ++level.order_count;
  } else {
    levels.insert(levels.begin() + static_cast<ptrdiff_t>(count),
                  {.price = price, .quantity = quantity, .order_count = 1});
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
  const Order& order = pool_[place];
  Add(update.new_reference, order.locate, order.side, update.price, update.quantity);
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
    for (Levels& levels : book.sides) levels.clear();
  }
  order_places_.Clear();
  pool_.clear();
  free_first_ = DenseIdTable::kNone;
}

void FeedBooks::GrowBooks(uint16_t locate) { books_.resize(std::bit_ceil(size_t{locate} + 1)); }

}  // namespace engine
