#include "engine/views/top_levels.h"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

void Add(TopLevels::Level& level, int64_t quantity, int64_t order_count) {
  level.quantity = Quantity::FromUnits(level.quantity.units() + static_cast<uint64_t>(quantity));
  level.order_count += static_cast<uint64_t>(order_count);
}

}  // namespace

size_t TopLevels::Change(Price price, int64_t quantity, int64_t order_count) {
  size_t at = 0;
  while (at < count_ && IsBetter(top_[at].price, price)) ++at;
  if (at < count_ && top_[at].price == price) {
    Add(top_[at], quantity, order_count);
    if (top_[at].order_count == 0) Remove(at);
    return at;
  }
  if (at == depth_) {
    ChangeDeep(price, quantity, order_count);
    return kBeyond;
  }
  CHECK(order_count > 0) << "no level at " << price;
  Level level = {.price = price};
  Add(level, quantity, order_count);
  Insert(at, level);
  return at;
}

void TopLevels::ChangeDeep(Price price, int64_t quantity, int64_t order_count) {
  const auto [found, is_new] = deep_.try_emplace(KeyOf(price), Level{.price = price});
  CHECK(!is_new || order_count > 0) << "no level at " << price;
  Add(found->second, quantity, order_count);
  if (found->second.order_count == 0) deep_.erase(found);
}

void TopLevels::Insert(size_t at, const Level& level) {
  if (count_ == depth_) {
    const Level& last = top_[count_ - 1];
    deep_.emplace_hint(deep_.begin(), KeyOf(last.price), last);
  } else {
    ++count_;
  }
  std::move_backward(top_.begin() + static_cast<ptrdiff_t>(at),
                     top_.begin() + static_cast<ptrdiff_t>(count_ - 1),
                     top_.begin() + static_cast<ptrdiff_t>(count_));
  top_[at] = level;
}

void TopLevels::Remove(size_t at) {
  std::move(top_.begin() + static_cast<ptrdiff_t>(at + 1),
            top_.begin() + static_cast<ptrdiff_t>(count_),
            top_.begin() + static_cast<ptrdiff_t>(at));
  --count_;
  if (deep_.empty()) return;
  top_[count_++] = deep_.begin()->second;
  deep_.erase(deep_.begin());
}

}  // namespace engine
