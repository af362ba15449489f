// Orders against a venue that answers late, in any order of orders, loses connections, and refuses:
// the strategy knows what the venue has.

#include "tools/strategy/orders.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace strategy {
namespace {

using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

// What the venue has of an order.
struct Resting {
  Side side = {};
  Price price = {};
  uint64_t quantity = 0;
  uint64_t filled = 0;
};

class RandomVenue final : public OrderHost {
 public:
  explicit RandomVenue(uint64_t seed) : random_(seed) {
    orders_.AddMarket(0, kMarket);
    Connect(ConnectionState::kLive);
  }

  void Run(size_t steps) {
    for (size_t i = 0; i < steps; ++i) {
      Step();
      orders_.Reconcile(now_);
      if (i % 256 == 0) orders_.CheckInvariants();
    }
  }

  // Lets everything arrive and be answered, and compares both sides.
  void Compare() {
    if (!is_up_) Reconnect();
    refusing_ = false;
    for (int round = 0; round < 20'000; ++round) {
      now_ = Timestamp::FromNanos(now_.nanos() + Orders::kRetryNanos);
      while (!requests_.empty()) TakeRequestAtVenue();
      while (!answers_.empty()) Hear();
      orders_.Reconcile(now_);
      if (requests_.empty() && orders_.retry_at() == Timestamp::Max()) break;
    }
    orders_.CheckInvariants();
    ASSERT_TRUE(requests_.empty());
    ASSERT_EQ(orders_.live_count(), resting_.size());
    for (const auto& [number, resting] : resting_) {
      const Order* const order = orders_.Find(OrderNumber(number));
      ASSERT_NE(order, nullptr) << number;
      EXPECT_EQ(order->state, OrderState::kLive);
      EXPECT_EQ(order->price, resting.price);
      EXPECT_EQ(order->remaining.units(), resting.quantity);
      EXPECT_EQ(order->filled.units(), resting.filled);
    }
    for (const auto& each : wanted_) {
      const Side side = each.first.first;
      const Wanted& wanted = each.second;
      const auto is_it = [&](const auto& resting) {
        return resting.second.side == side && resting.second.price == wanted.price &&
               resting.second.quantity <= wanted.quantity;
      };
      EXPECT_TRUE(wanted.quantity == 0 || std::ranges::any_of(resting_, is_it))
          << "level " << each.first.second << " of side " << static_cast<int>(side) << " at "
          << wanted.price << ", " << wanted.quantity;
    }
  }

  size_t heard() const { return heard_; }

 private:
  static constexpr MarketId kMarket = MarketId(7);

  struct Request {
    Action action;
    bool is_lost = false;
  };
  struct Wanted {
    Price price = {};
    uint64_t quantity = 0;
  };

  Quantity MayHave(MarketId, Side, Quantity quantity, Quantity) override {
    return is_live_ ? quantity : Quantity();
  }
  bool TakeRequest() override { return random_.Below(100) != 0; }
  Timestamp NextRequest() const override {
    return Timestamp::FromNanos(now_.nanos() + Orders::kRetryNanos);
  }
  void Emit(const Action& action) override {
    ASSERT_TRUE(is_up_) << "sent while the connection is down";
    requests_.push_back({.action = action});
  }

  void Step() {
    now_ = Timestamp::FromNanos(now_.nanos() + random_.Between(0, 50'000'000));
    switch (random_.Below(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Want();
      case 4:
        if (is_live_) Send();
        return;
      case 5:
        return CancelAny();
      case 6:
      case 7:
        return Trade();
      case 8:
        if (random_.Below(50) == 0) is_up_ ? Disconnect() : Reconnect();
        refusing_ = random_.Below(4) == 0;
        return;
      case 9:
        if (!resting_.empty() && random_.Below(20) == 0) EndAtVenue();
        return;
      default:
        if (random_.Below(2) == 0 && !requests_.empty()) TakeRequestAtVenue();
        if (random_.Below(2) == 0 && !answers_.empty()) Hear();
    }
  }

  Side AnySide() { return random_.Below(2) == 0 ? Side::kBid : Side::kAsk; }
  Price AnyPrice() { return Price::FromUnits(random_.Between(1, 1000)); }

  void Want() {
    const Side side = AnySide();
    const size_t level = random_.Below(3);
    const Price price = AnyPrice();
    const uint64_t quantity = random_.Below(4) == 0 ? 0 : random_.Below(100);
    wanted_[{side, level}] = {.price = price, .quantity = quantity};
    orders_.Quote(0, side, level, price, Quantity::FromUnits(quantity), {});
  }
  void Send() {
    const Side side = AnySide();
    const Price price = AnyPrice();
    const Quantity quantity = Quantity::FromUnits(1 + random_.Below(100));
    orders_.Send(0, {.market = kMarket,
                     .side = side,
                     .price = price,
                     .quantity = quantity,
                     .tif = engine::TimeInForce::kGoodTillCancelled});
  }
  // Of orders that no quote asks for it is final; those of quotes come again.
  void CancelAny() {
    if (!resting_.empty()) orders_.Cancel(OrderNumber(AnyResting()->first));
  }
  std::map<uint64_t, Resting>::iterator AnyResting() {
    return std::next(resting_.begin(), static_cast<ptrdiff_t>(random_.Below(resting_.size())));
  }

  void Trade() {
    if (resting_.empty()) return;
    const auto order = AnyResting();
    const uint64_t quantity = 1 + random_.Below(order->second.quantity);
    Answer({.price = order->second.price,
            .quantity = Quantity::FromUnits(quantity),
            .order = OrderNumber(order->first),
            .kind = InputKind::kOrderFilled});
    order->second.quantity -= quantity;
    order->second.filled += quantity;
    if (order->second.quantity == 0) resting_.erase(order);
  }
  void EndAtVenue() {
    const auto order = AnyResting();
    Answer({.order = OrderNumber(order->first), .kind = InputKind::kOrderCancelled});
    resting_.erase(order);
  }

  void Connect(ConnectionState state) {
    is_up_ = state != ConnectionState::kDown;
    is_live_ = state == ConnectionState::kLive;
    orders_.OnConnection(state);
  }
  // What was sent may have arrived; what was answered is not heard.
  void Disconnect() {
    while (!requests_.empty()) {
      if (random_.Below(2) == 0)
        TakeRequestAtVenue();
      else
        requests_.pop_front();
    }
    answers_.clear();
    Connect(ConnectionState::kDown);
  }
  void Reconnect() {
    answers_.clear();
    Connect(ConnectionState::kConnecting);
    for (const auto& [number, resting] : resting_) {
      Apply({.price = resting.price,
             .quantity = Quantity::FromUnits(resting.quantity),
             .order = OrderNumber(number),
             .amount = static_cast<int64_t>(resting.filled),
             .market = kMarket,
             .kind = InputKind::kOrderFound,
             .side = resting.side});
    }
    Connect(ConnectionState::kLive);
  }

  void TakeRequestAtVenue() {
    const Action action = requests_.front().action;
    requests_.pop_front();
    const uint64_t number = action.order.value();
    const auto refuse = [&](InputKind kind, Refusal refusal) {
      Answer({.order = action.order, .kind = kind, .detail = static_cast<uint8_t>(refusal)});
    };
    const bool refuses = refusing_ && random_.Below(3) == 0;
    if (action.kind == ActionKind::kNewOrder) {
      ASSERT_EQ(resting_.count(number), 0u) << "a number used twice";
      if (refuses) return refuse(InputKind::kOrderRefused, Refusal::kTooManyRequests);
      resting_[number] = {action.side, action.price, action.quantity.units()};
      return Answer({.order = action.order, .kind = InputKind::kOrderAccepted});
    }
    const auto order = resting_.find(number);
    if (order == resting_.end()) return refuse(InputKind::kRequestRefused, Refusal::kUnknownOrder);
    if (refuses) return refuse(InputKind::kRequestRefused, Refusal::kTooManyRequests);
    if (action.kind == ActionKind::kCancel) {
      resting_.erase(order);
      return Answer({.order = action.order, .kind = InputKind::kOrderCancelled});
    }
    if (action.quantity.units() <= order->second.filled) {
      return refuse(InputKind::kRequestRefused, Refusal::kBadOrder);
    }
    order->second.price = action.price;
    order->second.quantity = action.quantity.units() - order->second.filled;
    Answer({.price = action.price,
            .quantity = Quantity::FromUnits(order->second.quantity),
            .order = action.order,
            .kind = InputKind::kOrderAmended});
  }

  void Answer(Input answer) {
    answer.market = kMarket;
    if (is_up_) answers_.push_back(answer);
  }
  void Hear() {
    const Input answer = answers_.front();
    answers_.pop_front();
    Apply(answer);
  }
  void Apply(const Input& answer) {
    orders_.OnAnswer(answer, now_);
    ++heard_;
  }

  engine::Prng random_;
  Timestamp now_ = Timestamp::FromNanos(1);
  Orders orders_{*this};
  bool is_up_ = false;
  bool is_live_ = false;
  bool refusing_ = false;
  std::deque<Request> requests_;
  std::deque<Input> answers_;
  std::map<uint64_t, Resting> resting_;
  std::map<std::pair<Side, size_t>, Wanted> wanted_;
  size_t heard_ = 0;
};

TEST(Orders, KnowWhatTheVenueHas) {
  size_t heard = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomVenue venue(seed);
    for (int round = 0; round < 10; ++round) {
      venue.Run(2'000);
      venue.Compare();
      if (::testing::Test::HasFatalFailure()) return;
    }
    heard += venue.heard();
  }
  EXPECT_GT(heard, 100'000u);
}

}  // namespace
}  // namespace strategy
