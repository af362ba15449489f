#include "tools/backtest/mirrored_books.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/base/check.h"

namespace tools {

using engine::DepthView;
using engine::Event;
using engine::OrderId;
using engine::Price;
using engine::Quantity;

void MirroredBooks::OnEvents(const engine::Command& command, std::span<const Event> events) {
  events_.clear();
  std::ranges::copy_if(events, std::back_inserter(events_),
                       [&](const Event& event) { return Has(event.market); });
  depth_.OnEvents(command, events_);
  if (extras_.empty()) return;
  for (const Event& event : events_) {
    Follow(event.order_id);
    Follow(event.counter_order_id);
  }
}

void MirroredBooks::Follow(OrderId order) {
  const auto extra = extras_.find(order);
  if (extra == extras_.end()) return;
  const DepthView::Place* const place = depth_.FindOrder(order);
  Leave(extra->second.level);
  if (place == nullptr) {
    extras_.erase(extra);
    return;
  }
  extra->second.level = KeyOf(place->level->market, place->level->side, place->level->price);
  ++levels_[extra->second.level];
}

void MirroredBooks::Leave(const LevelKey& level) {
  const auto at = levels_.find(level);
  if (--at->second == 0) levels_.erase(at);
}

MirroredBooks::Extra& MirroredBooks::Add(OrderId order) {
  const auto [extra, is_new] = extras_.try_emplace(order);
  if (is_new) {
    const DepthView::Place* const place = depth_.FindOrder(order);
    CHECK(place != nullptr) << "order " << order << " does not rest";
    extra->second.level = KeyOf(place->level->market, place->level->side, place->level->price);
    ++levels_[extra->second.level];
  }
  return extra->second;
}

void MirroredBooks::AddOwn(OrderId order, engine::OrderFlags flags) {
  Extra& extra = Add(order);
  extra.is_own = true;
  extra.flags = flags;
}

const engine::OrderFlags* MirroredBooks::FlagsOfOwn(OrderId order) const {
  const auto extra = extras_.find(order);
  return extra == extras_.end() || !extra->second.is_own ? nullptr : &extra->second.flags;
}

void MirroredBooks::AddPassedOver(OrderId order, Quantity quantity) {
  Add(order).quantity += quantity;
}

Quantity MirroredBooks::PassedOver(OrderId order) const {
  const auto extra = extras_.find(order);
  return extra == extras_.end() ? Quantity() : extra->second.quantity;
}

Quantity MirroredBooks::ExtraIn(const DepthView::Place& place) const {
  const auto extra = extras_.find(place.order);
  if (extra == extras_.end()) return {};
  return extra->second.is_own ? place.quantity_remaining
                              : std::min(extra->second.quantity, place.quantity_remaining);
}

std::vector<MirroredBooks::Take> MirroredBooks::Extras(const Taker& taker, OrderId named,
                                                       bool others_count) const {
  std::vector<Take> takes;
  Quantity left = taker.quantity;
  const LevelKey last = KeyOf(taker.market, taker.side, taker.price);
  LevelKey first = last;
  first.rank = std::numeric_limits<int64_t>::min();
  for (auto at = levels_.lower_bound(first); at != levels_.end() && at->first <= last; ++at) {
    const bool is_last = at->first == last;
    const int64_t rank = at->first.rank;
    const Price price = Price::FromUnits(taker.side == engine::Side::kBid ? -rank : rank);
    for (const DepthView::Place& place : depth_.FindLevel(taker.market, taker.side, price)->queue) {
      if (left.is_zero() || (is_last && place.order == named)) return takes;
      const Quantity extra = ExtraIn(place);
      const Quantity taken = std::min(extra, left);
      if (!taken.is_zero()) {
        takes.push_back({.maker = place.order, .price = price, .quantity = taken});
        left -= taken;
      }
      if (is_last && others_count) left -= std::min(left, place.quantity_remaining - extra);
    }
  }
  return takes;
}

std::vector<MirroredBooks::Take> MirroredBooks::OthersWithin(const Taker& taker) const {
  std::vector<Take> takes;
  Quantity left = taker.quantity;
  const LevelKey last = KeyOf(taker.market, taker.side, taker.price);
  depth_.VisitLevels(taker.market, taker.side, [&](Price price, const DepthView::Level& level) {
    if (KeyOf(taker.market, taker.side, price) > last) return false;
    for (const DepthView::Place& place : level.queue) {
      if (left.is_zero()) return false;
      if (FlagsOfOwn(place.order) != nullptr) continue;
      const Quantity taken = std::min(place.quantity_remaining, left);
      takes.push_back({.maker = place.order, .price = price, .quantity = taken});
      left -= taken;
    }
    return true;
  });
  return takes;
}

}  // namespace tools
