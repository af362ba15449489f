#include "engine/gateway/known_orders.h"

#include <algorithm>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kForgottenAhead = 8;

}  // namespace

KnownOrder& KnownOrders::Remember(OrderId order, uint64_t client_id, const MarketDefinition* market,
                                  Quantity total) {
  uint32_t place = by_order_.Find(order.value());
  if (place == DenseIdTable::kNone) {
    place = TakePlace();
    by_order_.Insert(order.value(), place);
  } else {
    CHECK(!orders_[place].has_ended) << "order " << order;
  }
  KnownOrder& known = orders_[place];
  known = {.client_id = client_id, .market = market, .order = order, .total = total, .filled = {}};
  by_client_id_.Set(client_id, place);
  return known;
}

void KnownOrders::End(KnownOrder& order, SequenceNumber by) {
  CHECK(!order.has_ended) << "order " << order.order;
  order.has_ended = true;
  if (ended_count_ == ended_.size()) GrowEnded();
  ended_[(ended_first_ + ended_count_) & (ended_.size() - 1)] = {
      .by = by,
      .order = order.order,
      .client_id = order.client_id,
      .place = static_cast<uint32_t>(&order - orders_.data())};
  ++ended_count_;
}

void KnownOrders::ForgetFirst() {
  // The entries to forget were last used thousands of commands ago: prefetch those of a later one.
  const Ended& soon = ended_[(ended_first_ + kForgottenAhead) & (ended_.size() - 1)];
  by_order_.Prefetch(soon.order.value());
  by_client_id_.Prefetch(soon.client_id);

  const Ended& ended = ended_[ended_first_];
  by_order_.Erase(ended.order.value());
  // The client id may name a later order by now.
  if (by_client_id_.Find(ended.client_id) == ended.place) by_client_id_.Erase(ended.client_id);
  free_places_.push_back(ended.place);
  ended_first_ = (ended_first_ + 1) & (ended_.size() - 1);
  --ended_count_;
}

void KnownOrders::GrowEnded() {
  std::rotate(ended_.begin(), ended_.begin() + static_cast<ptrdiff_t>(ended_first_), ended_.end());
  ended_first_ = 0;
  ended_.resize(2 * ended_.size());
}

uint32_t KnownOrders::TakePlace() {
  if (free_places_.empty()) {
    CHECK_LT(orders_.size(), size_t{DenseIdTable::kNone});
    orders_.emplace_back();
    return static_cast<uint32_t>(orders_.size() - 1);
  }
  const uint32_t place = free_places_.back();
  free_places_.pop_back();
  return place;
}

void KnownOrders::CheckInvariants() const {
  std::vector<bool> is_free(orders_.size());
  for (const uint32_t place : free_places_) {
    CHECK(!is_free[place]) << "place " << place;
    is_free[place] = true;
  }
  for (size_t i = 0; i < ended_count_; ++i) {
    const Ended& ended = ended_[(ended_first_ + i) & (ended_.size() - 1)];
    const KnownOrder& known = orders_[ended.place];
    CHECK(!is_free[ended.place] && known.has_ended) << "order " << ended.order;
    CHECK(known.order == ended.order && known.client_id == ended.client_id) << ended.order;
  }
  uint64_t known_count = 0;
  uint64_t named_count = 0;
  size_t ended_count = 0;
  for (size_t place = 0; place < orders_.size(); ++place) {
    if (is_free[place]) continue;
    const KnownOrder& known = orders_[place];
    CHECK(known.market != nullptr) << "order " << known.order;
    ended_count += known.has_ended ? 1 : 0;
    ++known_count;
    CHECK_EQ(by_order_.Find(known.order.value()), place) << "order " << known.order;
    const KnownOrder* const named = FindClient(known.client_id);
    CHECK(named == nullptr || named->client_id == known.client_id) << known.client_id;
    if (named == &known) ++named_count;
  }
  CHECK_EQ(ended_count, ended_count_);
  CHECK_EQ(known_count, by_order_.size());
  CHECK_EQ(named_count, by_client_id_.size());
}

}  // namespace engine
