#include "engine/book/order_book.h"

#include <cstdlib>
#include <vector>

#include "engine/base/sequence_number.h"

namespace engine {

void OrderBook::Renumber(absl::FunctionRef<uint64_t(uint64_t index)> renumber) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    PriceLadder& ladder = LadderOf(side);
    std::vector<Slot> levels;
    ladder.Visit([&](Slot slot) {
      levels.push_back(slot);
      return true;
    });
    ladder.Clear();
    for (const Slot slot : levels) {
      int64_t& rank = storage_->level(slot).rank;
      // An index is mirrored to its rank, and the rank to the index.
      const auto index = static_cast<uint64_t>(RankOf(side, static_cast<uint64_t>(rank)));
      rank = RankOf(side, renumber(index));
      ladder.Insert(rank, slot, storage_->ladder_memory());
    }
  }
}

bool OrderBook::CanFill(Side taker, int64_t limit, Quantity quantity, int reach) const {
  bool can = quantity.is_zero();
  LadderOf(Opposite(taker)).Visit([&](Slot slot) {
    const PriceLevel& level = storage_->level(slot);
    if (can || level.rank > limit || reach-- == 0) return false;
    can = level.quantity >= quantity;
    if (!can) quantity -= level.quantity;
    return true;
  });
  return can;
}

bool OrderBook::CanFill(Side taker, int64_t limit, Quantity quantity, int reach,
                        absl::FunctionRef<Meeting(const OrderSlot&)> on_meet) const {
  bool can = quantity.is_zero();
  LadderOf(Opposite(taker)).Visit([&](Slot slot) {
    const PriceLevel& level = storage_->level(slot);
    if (can || level.rank > limit) return false;
    for (Slot at = level.links.next; at != slot; at = storage_->links(at).next) {
      if (reach-- == 0) return false;
      const OrderSlot& maker = storage_->order(at);
      const Meeting meeting = on_meet(maker);
      if (meeting == Meeting::kRemoveMaker) continue;
      if (meeting != Meeting::kTrade) return false;
      can = maker.quantity_remaining >= quantity;
      if (can) return false;
      quantity -= maker.quantity_remaining;
    }
    return true;
  });
  return can;
}

void OrderBook::VisitOrders(Side side, absl::FunctionRef<void(Slot)> visit) const {
  LadderOf(side).Visit([&](Slot level) {
    for (Slot at = storage_->level(level).links.next; at != level; at = storage_->links(at).next) {
      visit(at);
    }
    return true;
  });
}

void OrderBook::LevelHasLess() {
  CHECK(false) << "an order has more than its level";
  std::abort();
}

bool OrderBook::is_crossed() const {
  const PriceLadder& bids = LadderOf(Side::kBid);
  return bids.best() != Slot() && Crosses(Side::kBid, LimitOf(bids.best_rank()));
}

void OrderBook::CheckInvariants() const {
  CheckSide(Side::kBid);
  CheckSide(Side::kAsk);
}

void OrderBook::CheckSide(Side side) const {
  LadderOf(side).CheckInvariants();
  int64_t previous_rank = -PriceLadder::kNoRank;
  LadderOf(side).Visit([&](Slot slot) {
    const PriceLevel& level = storage_->level(slot);
    CHECK_GT(level.rank, previous_rank);
    previous_rank = level.rank;
    CHECK(level.market == market_ && level.side == side) << "level " << level.rank;
    CHECK(level.links.next != slot) << "an empty level";
    Quantity sum;
    SequenceNumber previous;
    Slot before = slot;
    for (Slot at = level.links.next; at != slot; at = storage_->links(at).next) {
      const OrderSlot& order = storage_->order(at);
      CHECK_EQ(order.links.prev, before) << "order " << order.id;
      before = at;
      CHECK_EQ(order.level, slot) << "order " << order.id;
      CHECK(order.side == side && order.market == market_) << "order " << order.id;
      CHECK(!order.quantity_remaining.is_zero()) << "order " << order.id;
      CHECK_GT(order.priority, previous) << "order " << order.id << " (E3)";
      CHECK_GE(order.priority.value(), order.id.value());
      previous = order.priority;
      sum += order.quantity_remaining;
    }
    CHECK_EQ(level.links.prev, before) << "level " << level.rank;
    CHECK_EQ(sum, level.quantity) << "level " << level.rank;
    return true;
  });
}

}  // namespace engine
