#include "engine/workload/hft_mix.h"

#include <algorithm>
#include <optional>

#include "engine/base/check.h"
#include "engine/workload/orders.h"

namespace bench {
namespace {

using engine::OrderId;
using engine::Side;

constexpr size_t kClusterMax = 7;    // Clusters have 1 to 7 cancels, 4 on average ...
constexpr int64_t kClusterMean = 4;  // ... so a cluster is drawn a quarter as often as a cancel.
constexpr uint64_t kQuantityMax = 100;

}  // namespace

HftMix::HftMix(WorkloadBuilder& builder, RandomNumbers& random, Options options)
    : builder_(builder), random_(random), options_(options), draws_({45, 48 / kClusterMean, 5, 2}) {
  CHECK(options.seed_count >= 2 && options.reach < options.mid && options.reach > 10);
}

void HftMix::Seed() {
  for (size_t i = 0; i < options_.seed_count; ++i) {
    const int64_t depth = std::min<int64_t>(1 + random_.Exponential(20), options_.reach);
    if (i % 2 == 0) {
      Place(Side::kBid, options_.mid - depth);
    } else {
      Place(Side::kAsk, options_.mid + depth);
    }
  }
}

void HftMix::Next() {
  if (cluster_left_ > 0) {
    --cluster_left_;
    CancelOne();
    return;
  }
  switch (static_cast<Draw>(draws_.Draw(random_))) {
    case Draw::kNew:
      PlaceNearBest();
      break;
    case Draw::kCancels:
      if (book_.live_count() < options_.seed_count) {
        PlaceNearBest();
        break;
      }
      cluster_left_ = random_.Below(kClusterMax);
      cluster_at_ = AnyLive();
      CancelOne();
      break;
    case Draw::kModify:
      Modify();
      break;
    case Draw::kMarket:
      TakeFromMarket();
      break;
  }
}

void HftMix::Place(Side side, int64_t price) {
  const OrderId id = builder_.next_order_id();
  const uint64_t quantity = random_.Below(kQuantityMax) + 1;
  Send(LimitOrder(options_.market, side, price * options_.price_step, quantity), id);
  book_.Add(id, side, price, quantity);
  placed_.push_back(id);
  if (placed_.size() <= 4 * options_.seed_count) return;
  std::erase_if(placed_, [&](OrderId order) { return book_.Find(order) == nullptr; });
  cluster_left_ = 0;
}

void HftMix::PlaceNearBest() {
  if (book_.live_count() >= options_.live_max) {
    cluster_at_ = AnyLive();
    return CancelOne();
  }
  // Prefers the side with fewer orders, to keep the book balanced.
  const bool bid_is_short = book_.live_count(Side::kBid) < book_.live_count(Side::kAsk);
  const Side shorter = bid_is_short ? Side::kBid : Side::kAsk;
  const Side side = random_.Chance(60) ? shorter : Opposite(shorter);
  Place(side, PriceNearBest(side));
}

int64_t HftMix::PriceNearBest(Side side) {
  const int64_t direction = side == Side::kBid ? 1 : -1;
  const int64_t own = book_.Best(side).value_or(options_.mid - direction);
  const int64_t other = book_.Best(Opposite(side)).value_or(options_.mid + direction);
  // From one tick better than the best price to some ticks worse.
  const int64_t depth = random_.Exponential(4);
  int64_t price = own + direction * (1 - depth);
  if ((other - price) * direction <= 0) price = other - direction;
  // Bids stay at or below mid + reach / 2, asks at or above mid - reach / 2, so that no side
  // drifts away.
  const int64_t limit = options_.mid + options_.reach / 2 * direction;
  if ((limit - price) * direction < 0) price = limit;
  return std::clamp(price, options_.mid - options_.reach, options_.mid + options_.reach);
}

void HftMix::CancelOne() {
  if (book_.live_count() == 0) {
    PlaceNearBest();
    return;
  }
  // The next older live order; continues from the newest if there is none.
  while (!IsLive(cluster_at_)) {
    cluster_at_ = cluster_at_ == 0 ? placed_.size() - 1 : cluster_at_ - 1;
  }
  const OrderId order = placed_[cluster_at_];
  Send(Cancel(options_.market, order), order);
  book_.Remove(order);
}

void HftMix::Modify() {
  if (book_.live_count() == 0) {
    PlaceNearBest();
    return;
  }
  const OrderId id = placed_[AnyLive()];
  const PlanBook::Order order = *book_.Find(id);
  int64_t price = order.price;
  uint64_t quantity = order.quantity;
  if (order.quantity > 1 && random_.Chance(50)) {
    quantity = (quantity + 1) / 2;
  } else {
    const int64_t direction = order.side == Side::kBid ? 1 : -1;
    const std::optional<int64_t> other = book_.Best(Opposite(order.side));
    const bool towards = random_.Chance(50) && (!other || *other != price + direction);
    price = std::clamp(price + (towards ? direction : -direction), options_.mid - options_.reach,
                       options_.mid + options_.reach);
  }
  Send(Amend(options_.market, id, price * options_.price_step, order.filled + quantity), id);
  book_.Amend(id, price, quantity);
}

void HftMix::TakeFromMarket() {
  const Side side = random_.Chance(50) ? Side::kBid : Side::kAsk;
  if (book_.live_count(Opposite(side)) < 2) {
    PlaceNearBest();
    return;
  }
  const uint64_t quantity = random_.Below(kQuantityMax) + 1;
  Send(MarketOrder(options_.market, side, quantity), builder_.next_order_id());
  book_.Take(Opposite(side), quantity);
}

size_t HftMix::AnyLive() {
  CHECK(book_.live_count() > 0);
  const auto count = static_cast<int64_t>(placed_.size());
  // Seven of eight orders are short-lived.
  const int64_t age = random_.Below(8) > 0 ? random_.Exponential(64) : random_.Between(0, count);
  auto place = static_cast<size_t>(std::max<int64_t>(count - 1 - age, 0));
  while (!IsLive(place)) place = place == 0 ? placed_.size() - 1 : place - 1;
  return place;
}

void HftMix::Send(engine::Command command, OrderId order) {
  command.account = AccountOf(order);
  builder_.Add(command);
}

engine::AccountId HftMix::AccountOf(OrderId order) const {
  if (options_.account_count == 0) return {};
  return engine::AccountId(static_cast<uint32_t>(order.value() % options_.account_count) + 1);
}

}  // namespace bench
