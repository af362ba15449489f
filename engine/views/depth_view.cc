#include "engine/views/depth_view.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"

namespace engine {

// An arriving order may trade or be cancelled before its command ends. It joins the queue
// afterwards, with the quantity that remains.
void DepthView::OnEvents(const Command& command, std::span<const Event> events) {
  const Event* arrival = nullptr;
  Quantity arriving;
  size_t arrival_change = 0;
  const auto arrive = [&](const Event& event) {
    CHECK(arrival == nullptr) << "two orders arrive in command " << event.sequence;
    arrival = &event;
    arriving = event.quantity_remaining;
    arrival_change = NoteArrival(event);
  };
  ++command_count_;
  changes_.clear();
  changed_levels_.clear();
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::kAccepted:
        arrive(event);
        break;
      case EventKind::kReplaced:
        SetRemaining(event.counter_order_id, Quantity());
        arrive(event);
        break;
      case EventKind::kAmended:
        if (event.priority() == PriorityOutcome::kKept) {
          SetRemaining(event.order_id, event.quantity_remaining);
        } else {
          SetRemaining(event.order_id, Quantity());
          arrive(event);
        }
        break;
      case EventKind::kTrade:
        if (command.kind == CommandKind::kExecute) {
          if (event.order_id != OrderId()) SetRemaining(event.order_id, event.quantity_remaining);
          break;
        }
        CHECK(arrival != nullptr) << "a trade without a taker in command " << event.sequence;
        CHECK_EQ(event.counter_order_id, arrival->order_id);
        arriving -= event.quantity;
        SetRemaining(event.order_id, event.quantity_remaining);
        break;
      case EventKind::kCancelled:
        if (arrival != nullptr && event.order_id == arrival->order_id) {
          arriving = event.quantity_remaining;
        } else {
          SetRemaining(event.order_id, event.quantity_remaining);
        }
        break;
      case EventKind::kReduced:
        SetRemaining(event.order_id, event.quantity_remaining);
        break;
      default:
        break;  // The event concerns no order in the book.
    }
  }
  if (!arriving.is_zero()) Add(*arrival, arrival_change, arriving);
  CompleteChanges();
}

void DepthView::Note(Level& level) {
  if (level.changed_by == command_count_) return;
  level.changed_by = command_count_;
  level.change_index = changes_.size();
  DepthChange& change = changes_.emplace_back();
  change.market = level.market;
  change.side = level.side;
  change.price = level.price;
  change.before = level.quantity;
  changed_levels_.push_back(&level);
}

size_t DepthView::NoteArrival(const Event& arrival) {
  if (Level* const level = LevelAt(arrival.market, arrival.side, arrival.price); level != nullptr) {
    Note(*level);
    return level->change_index;
  }
  // The command may have emptied it.
  const auto same = std::ranges::find_if(changes_, [&](const DepthChange& change) {
    return change.price == arrival.price && change.market == arrival.market &&
           change.side == arrival.side;
  });
  const auto index = static_cast<size_t>(same - changes_.begin());
  if (same == changes_.end()) {
    changes_.push_back({.market = arrival.market, .side = arrival.side, .price = arrival.price});
    changed_levels_.push_back(nullptr);
  }
  return index;
}

void DepthView::CompleteChanges() {
  size_t kept = 0;
  for (size_t i = 0; i < changes_.size(); ++i) {
    DepthChange& change = changes_[i];
    if (changed_levels_[i] != nullptr) change.after = changed_levels_[i]->quantity;
    if (change.before == change.after) continue;
    if (kept != i) changes_[kept] = change;
    ++kept;
  }
  changes_.resize(kept);
}

void DepthView::Add(const Event& arrival, size_t change_index, Quantity quantity) {
  CHECK_EQ(order_places_.Find(arrival.order_id.value()), DenseIdTable::kNone)
      << "order " << arrival.order_id << " rests twice";
  Level*& changed = changed_levels_[change_index];
  if (changed == nullptr) {
    changed = &MakeLevel(arrival.market, arrival.side, arrival.price);
    changed->changed_by = command_count_;
    changed->change_index = change_index;
  }
  Level& level = *changed;
  level.quantity += quantity;
  const uint32_t at = pool_.Take();
  pool_[at] = {.order = arrival.order_id, .quantity_remaining = quantity, .level = &level};
  level.queue.PushBack(pool_, at);
  order_places_.Insert(arrival.order_id.value(), at);
}

void DepthView::SetRemaining(OrderId order, Quantity remaining) {
  const uint32_t at = order_places_.Find(order.value());
  CHECK(at != DenseIdTable::kNone) << "order " << order << " does not rest";
  Place& place = pool_[at];
  Level& level = *place.level;
  Note(level);
  level.quantity -= place.quantity_remaining - remaining;
  place.quantity_remaining = remaining;
  if (!remaining.is_zero()) return;
  level.queue.Remove(pool_, at);
  pool_.Give(at);
  order_places_.Erase(order.value());
  if (level.queue.empty()) RemoveLevel(level);
}

DepthView::Level* DepthView::LevelAt(MarketId market, Side side, Price price) {
  Level*& cached = level_cache_[CachePlaceOf(market, side, price)];
  if (cached != nullptr && cached->price == price && cached->market == market &&
      cached->side == side) {
    return cached;
  }
  const uint32_t place = market_places_.Find(market.value());
  if (place == IdTable::kNone) return nullptr;
  Levels& levels = markets_[place].levels(side);
  const auto level = levels.find(price);
  return level == levels.end() ? nullptr : cached = &level->second;
}

DepthView::Level& DepthView::MakeLevel(MarketId market, Side side, Price price) {
  uint32_t place = market_places_.Find(market.value());
  if (place == IdTable::kNone) {
    place = static_cast<uint32_t>(markets_.size());
    markets_.emplace_back();
    market_places_.Set(market.value(), place);
  }
  Level& level = markets_[place].levels(side)[price];
  level.market = market;
  level.side = side;
  level.price = price;
  level_cache_[CachePlaceOf(market, side, price)] = &level;
  return level;
}

void DepthView::RemoveLevel(const Level& level) {
  Level*& cached = level_cache_[CachePlaceOf(level.market, level.side, level.price)];
  if (cached == &level) cached = nullptr;
  changed_levels_[level.change_index] = nullptr;
  markets_[market_places_.Find(level.market.value())].levels(level.side).erase(level.price);
}

size_t DepthView::CachePlaceOf(MarketId market, Side side, Price price) {
  const uint64_t name = static_cast<uint64_t>(price.units()) ^ (uint64_t{market.value()} << 33) ^
                        (uint64_t{side == Side::kBid} << 32);
  return (name * uint64_t{0x9e37'79b9'7f4a'7c15}) >> (64 - kLevelCacheBits);
}

const DepthView::Market* DepthView::FindMarket(MarketId market) const {
  const uint32_t place = market_places_.Find(market.value());
  return place == IdTable::kNone ? nullptr : &markets_[place];
}

void DepthView::VisitLevels(MarketId market, Side side,
                            absl::FunctionRef<bool(Price, const Level&)> visit) const {
  const Market* const found = FindMarket(market);
  if (found == nullptr) return;
  const Levels& levels = found->levels(side);
  if (side == Side::kBid) {
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      if (!visit(level->first, level->second)) return;
    }
  } else {
    for (const auto& [price, level] : levels) {
      if (!visit(price, level)) return;
    }
  }
}

const DepthView::Level* DepthView::FindLevel(MarketId market, Side side, Price price) const {
  const Market* const found = FindMarket(market);
  if (found == nullptr) return nullptr;
  const Levels& levels = found->levels(side);
  const auto level = levels.find(price);
  return level == levels.end() ? nullptr : &level->second;
}

std::optional<Price> DepthView::BestPrice(MarketId market, Side side) const {
  std::optional<Price> best;
  VisitLevels(market, side, [&](Price price, const Level&) {
    best = price;
    return false;
  });
  return best;
}

const DepthView::Place* DepthView::FindOrder(OrderId order) const {
  const uint32_t at = order_places_.Find(order.value());
  return at == DenseIdTable::kNone ? nullptr : &pool_[at];
}

}  // namespace engine
