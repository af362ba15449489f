#include "tools/strategy/orders.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace strategy {
namespace {

using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

}  // namespace

void Orders::AddMarket(size_t market_index, engine::MarketId market) {
  CHECK_EQ(quotes_.size(), market_index * 2 * kQuoteLevels) << "markets are added in order";
  for (const Side side : {Side::kBid, Side::kAsk}) {
    for (size_t level = 0; level < kQuoteLevels; ++level) {
      quotes_.push_back({.market = market, .side = side});
    }
  }
  level_counts_.resize(level_counts_.size() + 2);
  exposures_.resize(exposures_.size() + 2);
  last_numbers_.push_back((uint64_t{market.value()} - 1) * kNumbersOfMarket);
  dirty_.reserve(quotes_.size());
  now_dirty_.reserve(quotes_.size());
}

void Orders::Quote(size_t market_index, Side side, size_t level, Price price, Quantity quantity,
                   engine::OrderFlags flags) {
  CHECK_LT(level, kQuoteLevels);
  const size_t at = PlaceOf(market_index, side) * kQuoteLevels + level;
  QuotePlace& quote = quotes_[at];
  if (quote.price == price && quote.quantity == quantity && quote.flags == flags) return;
  size_t& level_count = level_counts_[PlaceOf(market_index, side)];
  level_count = std::max(level_count, level + 1);
  quote.price = price;
  quote.quantity = quantity;
  quote.flags = flags;
  quote.is_held = false;
  MarkDirty(static_cast<uint32_t>(at));
}

void Orders::PullQuotes(size_t market_index) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    for (size_t level = 0; level < level_counts_[PlaceOf(market_index, side)]; ++level) {
      const QuotePlace& quote = quotes_[PlaceOf(market_index, side) * kQuoteLevels + level];
      Quote(market_index, side, level, quote.price, Quantity(), quote.flags);
    }
  }
}

OrderNumber Orders::Send(size_t market_index, const NewOrder& order) {
  const uint32_t slot = Make(market_index, order);
  return slot == kNone ? OrderNumber() : orders_[slot].number;
}

void Orders::Cancel(OrderNumber number) {
  const uint32_t slot = SlotOf(number);
  if (slot == kNone) return;
  if (orders_[slot].state == OrderState::kLive) {
    CancelSlot(slot);
  } else if (orders_[slot].state != OrderState::kCancelling) {
    orders_[slot].wants_cancel = true;
  }
}

void Orders::CancelAll() {
  for (size_t i = 0; i < quotes_.size() / (2 * kQuoteLevels); ++i) PullQuotes(i);
  for (const Order& order : orders_) Cancel(order.number);
}

const Order* Orders::OnAnswer(const Input& input, Timestamp now) {
  const uint32_t slot = SlotOf(input.order);
  if (slot == kNone) {
    // An order of an earlier run, or one that was thought to have ended.
    if (input.kind == InputKind::kOrderFound) {
      Emit(ActionKind::kCancel, {.number = input.order, .market = input.market, .side = input.side},
           {}, {});
    }
    return nullptr;
  }
  Order& order = orders_[slot];
  const bool waits = order.state == OrderState::kAmending || order.state == OrderState::kCancelling;
  switch (input.kind) {
    case InputKind::kOrderAccepted:
      if (order.state == OrderState::kSent || order.state == OrderState::kUnsure) SetLive(slot);
      break;
    case InputKind::kOrderRefused:
      HoldQuote(
          places_[slot].quote,
          input.refusal() == Refusal::kTooManyRequests || input.refusal() == Refusal::kNotSent,
          now);
      End(slot);
      break;
    case InputKind::kOrderFilled: {
      const Quantity filled = std::min(input.quantity, order.remaining);
      order.filled += filled;
      SetExposure(slot, order.remaining - filled, order.asked);
      if (order.remaining.is_zero()) End(slot);
      break;
    }
    case InputKind::kOrderAmended:
    case InputKind::kOrderFound:
      order.price = input.price;
      if (input.kind == InputKind::kOrderFound) {
        order.filled =
            Quantity::FromUnits(static_cast<uint64_t>(std::max<int64_t>(input.amount, 0)));
      }
      SetExposure(slot, input.quantity, {});
      places_[slot].quoted =
          order.state == OrderState::kAmending ? places_[slot].asked : input.quantity;
      if (input.quantity.is_zero()) {
        End(slot);
      } else if (input.kind == InputKind::kOrderFound || order.state != OrderState::kCancelling) {
        SetLive(slot);
      }
      break;
    case InputKind::kOrderCancelled:
      End(slot);
      break;
    case InputKind::kRequestRefused:
      if (!waits) break;
      if (input.refusal() == Refusal::kUnknownOrder) {
        End(slot);
      } else {
        HoldQuote(places_[slot].quote, /*is_tried_again=*/true, now);
        SetExposure(slot, order.remaining, {});
        order.wants_cancel = false;
        SetLive(slot);
      }
      break;
    default:
      break;
  }
  return &order;
}

void Orders::OnConnection(ConnectionState state) {
  is_up_ = state != ConnectionState::kDown;
  for (uint32_t slot = 0; slot < orders_.size(); ++slot) {
    if (!orders_[slot].is_live()) continue;
    if (state == ConnectionState::kDown) {
      orders_[slot].state = OrderState::kUnsure;
    } else if (state == ConnectionState::kLive && orders_[slot].state == OrderState::kUnsure) {
      End(slot);
    }
  }
  if (state == ConnectionState::kLive) LookAgain();
}

void Orders::LookAgain() {
  for (uint32_t i = 0; i < quotes_.size(); ++i) {
    if (!quotes_[i].quantity.is_zero() || quotes_[i].order != kNone) MarkDirty(i);
  }
}

const Order* Orders::Find(OrderNumber number) const {
  const uint32_t slot = SlotOf(number);
  return slot == kNone ? nullptr : &orders_[slot];
}

uint32_t Orders::SlotOf(OrderNumber number) const {
  static_assert(kNone == engine::IdTable::kNone);
  return slots_.Find(number.value());
}

Quantity Orders::QuotedAt(size_t market_index, Side side, Price price) const {
  Quantity sum;
  const size_t place = PlaceOf(market_index, side);
  const size_t first = place * kQuoteLevels;
  for (size_t at = first; at < first + level_counts_[place]; ++at) {
    const uint32_t slot = quotes_[at].order;
    if (slot != kNone && orders_[slot].price == price) sum += orders_[slot].remaining;
  }
  return sum;
}

void Orders::CheckInvariants() const {
  std::vector<Quantity> exposures(exposures_.size());
  size_t live_count = 0;
  for (uint32_t slot = 0; slot < orders_.size(); ++slot) {
    const Order& order = orders_[slot];
    if (!order.is_live()) continue;
    ++live_count;
    CHECK_EQ(SlotOf(order.number), slot) << order.number;
    CHECK(!order.remaining.is_zero()) << order.number;
    CHECK(order.asked.is_zero() || order.state != OrderState::kLive) << order.number;
    exposures[PlaceOf(places_[slot].market_index, order.side)] += order.exposure();
    const uint32_t quote = places_[slot].quote;
    CHECK(quote == kNone || quotes_[quote].order == slot) << order.number;
  }
  CHECK(exposures == exposures_);
  CHECK_EQ(live_count, live_count_);
  CHECK_EQ(live_count + free_.size(), orders_.size());
  CHECK_EQ(slots_.size(), live_count);
  for (uint32_t at = 0; at < quotes_.size(); ++at) {
    const uint32_t order = quotes_[at].order;
    CHECK(order == kNone || (orders_[order].is_live() && places_[order].quote == at)) << at;
  }
}

void Orders::ReconcileAll(Timestamp now) {
  if (now >= retry_at_) {
    retry_at_ = Timestamp::Max();
    for (QuotePlace& quote : quotes_) quote.is_held = false;
    LookAgain();
  }
  std::swap(dirty_, now_dirty_);
  for (const uint32_t quote : now_dirty_) {
    quotes_[quote].is_dirty = false;
    ReconcileQuote(quote);
  }
  now_dirty_.clear();
}

void Orders::ReconcileQuote(uint32_t at) {
  QuotePlace& quote = quotes_[at];
  if (quote.is_held) return;
  if (quote.order == kNone) {
    if (quote.quantity.is_zero()) return;
    quote.order = Make(at / (2 * kQuoteLevels), {.market = quote.market,
                                                 .side = quote.side,
                                                 .price = quote.price,
                                                 .quantity = quote.quantity,
                                                 .tif = engine::TimeInForce::kGoodTillCancelled,
                                                 .flags = quote.flags});
    if (quote.order != kNone) places_[quote.order].quote = at;
    return;
  }
  const Order& order = orders_[quote.order];
  if (order.state != OrderState::kLive) return;  // The answer makes it dirty.
  if (quote.quantity.is_zero()) return CancelSlot(quote.order);
  Amend(quote.order, quote.price, quote.quantity);
}

void Orders::MarkDirty(uint32_t quote) {
  if (quotes_[quote].is_dirty) return;
  quotes_[quote].is_dirty = true;
  dirty_.push_back(quote);
}

void Orders::HoldQuote(uint32_t quote, bool is_tried_again, Timestamp now) {
  if (quote == kNone) return;
  quotes_[quote].is_held = true;
  if (!is_tried_again) return;
  retry_at_ = std::min(retry_at_, Timestamp::FromNanos(now.nanos() + kRetryNanos));
}

uint32_t Orders::Make(size_t market_index, const NewOrder& wanted) {
  const Quantity quantity = host_.MayHave(wanted.market, wanted.side, wanted.quantity, Quantity());
  if (!is_up_ || quantity.is_zero()) return kNone;
  if (free_.empty() && orders_.size() == kOrdersMax) return kNone;
  if (!host_.TakeRequest()) {
    retry_at_ = std::min(retry_at_, host_.NextRequest());
    return kNone;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(orders_.size()));
    orders_.emplace_back();
    places_.emplace_back();
    free_.reserve(orders_.capacity());
  }
  const uint32_t slot = free_.back();
  free_.pop_back();
  places_[slot].quote = kNone;
  places_[slot].market_index = static_cast<uint32_t>(market_index);
  places_[slot].quoted = wanted.quantity;
  orders_[slot] = {.number = OrderNumber(++last_numbers_[market_index]),
                   .market = wanted.market,
                   .side = wanted.side,
                   .tif = wanted.tif,
                   .flags = wanted.flags,
                   .state = OrderState::kSent,
                   .price = wanted.price};
  ++live_count_;
  slots_.Set(orders_[slot].number.value(), slot);
  SetExposure(slot, quantity, {});
  Emit(ActionKind::kNewOrder, orders_[slot], wanted.price, quantity, wanted.expires);
  return slot;
}

void Orders::Amend(uint32_t slot, Price price, Quantity wanted) {
  Order& order = orders_[slot];
  if (price == order.price && wanted == places_[slot].quoted) return;
  const bool is_smaller = price == order.price && wanted <= order.remaining;
  const Quantity quantity =
      is_smaller ? wanted : host_.MayHave(order.market, order.side, wanted, order.exposure());
  if (quantity.is_zero() || (price == order.price && quantity == order.remaining)) return;
  if (!host_.TakeRequest()) {
    retry_at_ = std::min(retry_at_, host_.NextRequest());
    return;
  }
  order.state = OrderState::kAmending;
  places_[slot].asked = wanted;
  SetExposure(slot, order.remaining, quantity);
  // A fill that is not known yet counts as part of it.
  Emit(ActionKind::kAmend, order, price, order.filled + quantity);
}

void Orders::CancelSlot(uint32_t slot) {
  orders_[slot].state = OrderState::kCancelling;
  orders_[slot].wants_cancel = false;
  Emit(ActionKind::kCancel, orders_[slot], {}, {});
}

void Orders::Emit(ActionKind kind, const Order& order, Price price, Quantity quantity,
                  Timestamp expires) {
  const bool is_new = kind == ActionKind::kNewOrder;
  host_.Emit({.order = order.number,
              .price = price,
              .quantity = quantity,
              .expires = expires.nanos(),
              .market = order.market,
              .side = order.side,
              .tif = is_new ? order.tif : engine::TimeInForce(),
              .flags = is_new ? order.flags : engine::OrderFlags(),
              .kind = kind});
}

void Orders::SetExposure(uint32_t slot, Quantity remaining, Quantity asked) {
  Order& order = orders_[slot];
  Quantity& sum = exposures_[PlaceOf(places_[slot].market_index, order.side)];
  sum -= order.exposure();
  order.remaining = remaining;
  order.asked = asked;
  sum += order.exposure();
}

void Orders::End(uint32_t slot) {
  SetExposure(slot, {}, {});
  orders_[slot].state = OrderState::kEnded;
  --live_count_;
  const uint32_t quote = places_[slot].quote;
  if (quote != kNone) {
    quotes_[quote].order = kNone;
    MarkDirty(quote);
  }
  slots_.Erase(orders_[slot].number.value());
  free_.push_back(slot);
}

void Orders::SetLive(uint32_t slot) {
  orders_[slot].state = OrderState::kLive;
  if (places_[slot].quote != kNone) MarkDirty(places_[slot].quote);
  if (orders_[slot].wants_cancel) CancelSlot(slot);
}

}  // namespace strategy
