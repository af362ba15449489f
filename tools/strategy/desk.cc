#include "tools/strategy/desk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/messages/market_definition_codec.h"

namespace strategy {
namespace {

using engine::MarketId;
using engine::Money;
using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

constexpr int64_t kSecondNanos = 1'000'000'000;
// What a position, a level, its change and a fee are at most, and an order.
constexpr int64_t kAmountMax = 1'000'000'000'000'000'000;
constexpr uint64_t kOrderQuantityMax = 1'000'000'000'000;

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

bool IsOfOrder(InputKind kind) {
  return kind >= InputKind::kOrderAccepted && kind <= InputKind::kOrderFound;
}

// Whether the numbers are within the bounds of all sums that are made of them.
bool IsSane(const Input& input) {
  const uint64_t quantity_max = IsOfOrder(input.kind) ? kOrderQuantityMax : uint64_t{kAmountMax};
  return -engine::kPriceUnitsMax <= input.price.units() &&
         input.price.units() <= engine::kPriceUnitsMax && input.quantity.units() <= quantity_max &&
         -kAmountMax <= input.amount && input.amount <= kAmountMax;
}

}  // namespace

Desk::Desk(Strategy& strategy)
    : strategy_(strategy),
      position_limit_(strategy.parameters().Add(
          "limit.position", {.summary = "contracts or shares of a market, long or short"})),
      order_limit_(strategy.parameters().Add("limit.order",
                                             {.summary = "contracts or shares of one order"})),
      request_limit_(strategy.parameters().Add("limit.requests",
                                               {.summary = "new orders and amends in a second"})),
      loss_limit_(strategy.parameters().Add(
          "limit.loss", {.decimals = 2, .summary = "dollars, after which all is cancelled"})),
      quotes_when_stale_(strategy.parameters().Add(
          "quotes.when_stale", {.high = 1, .summary = "orders may leave while a book is stale"})) {
  strategy.desk_ = this;
}

std::span<const replay::Output> Desk::Apply(const journal::Record& record) {
  outputs_.Begin(record.sequence());
  now_ = record.timestamp();
  if (now_ >= next_timer_) FireTimers();
  Handle(record);
  CheckLoss();
  orders_.Reconcile(now_);
  return outputs_.outputs();
}

void Desk::Handle(const journal::Record& record) {
  const Input& input = AsInput(*record.row);
  if (!IsSane(input)) return;
  switch (input.kind) {
    case InputKind::kMarket:
      return DefineMarket(record);
    case InputKind::kParameter:
      return SetParameter(record);
    case InputKind::kConnection:
      if (input.connection() <= ConnectionState::kLive) SetConnection(input.connection());
      return;
    default:
      break;
  }
  if (IsOfOrder(input.kind)) return HandleOrder(input);
  const uint32_t index = places_.Find(input.market.value());
  if (index == engine::IdTable::kNone) return;
  handled_ = &markets_[index];
  HandleOfMarket(input, markets_[index]);
}

void Desk::HandleOfMarket(const Input& input, Market& market) {
  switch (input.kind) {
    case InputKind::kBookClear: {
      const bool was_good = market.book.is_good();
      market.book.Clear();
      if (!was_good) orders_.LookAgain();
      break;
    }
    case InputKind::kBookLevel:
      if (IsValid(input.side)) market.book.Set(input.side, input.price, input.quantity);
      break;
    case InputKind::kBookChange:
      if (IsValid(input.side)) market.book.Change(input.side, input.price, input.amount);
      break;
    case InputKind::kBookStale:
      market.book.SetStale();
      return strategy_.OnBook(input.market);
    case InputKind::kTrade:
      if (!market.book.has_mid()) SetMark(market, 2 * input.price.units());
      return strategy_.OnTrade(
          input.market, {.price = input.price, .quantity = input.quantity, .taker = input.side});
    case InputKind::kPosition:
      market.position.Set(input.amount, market.twice_mark);
      return Revalue(market);
    case InputKind::kSettled:
      SetMark(market, 2 * input.price.units());
      market.is_settled = true;
      return;
    default:
      return;
  }
  if (!input.is_last()) return;
  if (market.book.has_mid()) SetMark(market, market.book.twice_mid());
  strategy_.OnBook(input.market);
}

void Desk::HandleOrder(const Input& input) {
  const Order* const before = orders_.Find(input.order);
  const Quantity remaining = before == nullptr ? Quantity() : before->remaining;
  const Order* const order = orders_.OnAnswer(input, now_);
  if (order == nullptr) return;
  OrderUpdate update{.kind = input.kind, .order = order};
  if (input.kind == InputKind::kOrderFilled) {
    update.price = input.price;
    update.quantity = std::min(input.quantity, remaining);
    update.fee = Money::FromMicros(input.amount);
    Market& market = markets_[IndexOf(order->market)];
    market.position.Fill(order->side, input.price, update.quantity, update.fee);
    if (market.twice_mark == 0) market.twice_mark = 2 * input.price.units();
    Revalue(market);
  } else if (input.kind == InputKind::kOrderRefused || input.kind == InputKind::kRequestRefused) {
    update.refusal = input.refusal();
  }
  strategy_.OnOrder(update);
}

const Desk::Market& Desk::GetOther(MarketId market) const {
  const Market* const found = Find(market);
  CHECK(found != nullptr) << "market " << market << " is not known";
  return *found;
}

const Book::Level* Desk::BestOfOthers(MarketId market, Side side) const {
  const Market& of = Get(market);
  for (size_t i = 0; i < of.book.size(side); ++i) {
    const Book::Level& level = of.book.at(side, i);
    if (level.quantity > orders_.QuotedAt(of.index, side, level.price)) return &level;
  }
  return nullptr;
}

void Desk::DefineMarket(const journal::Record& record) {
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  const MarketId id = ToInput(*record.row).market;
  if (!definition.ok() || definition->id != id || Find(id) != nullptr) return;
  const size_t index = markets_.size();
  markets_.push_back({.definition = *std::move(definition), .index = index});
  markets_.back().position = Position(markets_.back().definition);
  places_.Set(id.value(), static_cast<uint32_t>(index));
  orders_.AddMarket(index, id);
  strategy_.OnMarket(id);
}

void Desk::SetParameter(const journal::Record& record) {
  const absl::string_view name = engine::AsText(record.attachment);
  const absl::Status set = strategy_.parameters().Set(name, ToInput(*record.row).amount);
  if (!set.ok()) return Log(absl::StrCat("refused: ", set.message()));
  orders_.LookAgain();
  strategy_.OnParameter(name);
}

void Desk::SetConnection(ConnectionState state) {
  connection_ = state;
  orders_.OnConnection(state);
  strategy_.OnConnection(state);
}

void Desk::FireTimers() {
  while (true) {
    const auto first = std::ranges::min_element(
        timers_, {}, [](const Timer& timer) { return std::pair(timer.at, timer.id); });
    next_timer_ = first == timers_.end() ? Timestamp::Max() : first->at;
    if (now_ < next_timer_ || first == timers_.end()) return;
    const TimerId id = first->id;
    timers_.erase(first);
    strategy_.OnTimer(id);
  }
}

void Desk::SetTimer(TimerId timer, Timestamp at) {
  CancelTimer(timer);
  // Not now: OnTimer() that sets its own timer to the past would never return.
  const Timestamp soonest = Timestamp::FromNanos(now_.nanos() + 1);
  timers_.push_back({.at = std::max(at, soonest), .id = timer});
  next_timer_ = std::min(next_timer_, timers_.back().at);
}

void Desk::CancelTimer(TimerId timer) {
  std::erase_if(timers_, [&](const Timer& each) { return each.id == timer; });
}

void Desk::SetMark(Market& market, int64_t twice_mark) {
  if (market.is_settled || market.twice_mark == twice_mark) return;
  market.twice_mark = twice_mark;
  Revalue(market);
}

void Desk::Revalue(Market& market) {
  const Money profit = market.position.Profit(market.twice_mark);
  profit_micros_ += profit.micros() - __int128{market.profit.micros()};
  market.profit = profit;
}

Money Desk::profit() const {
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max();
  return Money::FromMicros(
      static_cast<int64_t>(std::clamp<__int128>(profit_micros_, -kMost, kMost)));
}

void Desk::CheckLoss() {
  if (loss_limit_.value == 0 || is_stopped_) return;
  const __int128 limit = __int128{loss_limit_.value} * 10'000;  // Cents in 10^-6 dollar.
  if (profit_micros_ < -limit) Stop(StopReason::kLoss);
}

void Desk::Stop(StopReason reason) {
  orders_.CancelAll();
  if (is_stopped_) return;
  is_stopped_ = true;
  Action stopped{.kind = ActionKind::kStopped};
  stopped.detail[0] = static_cast<std::byte>(reason);
  Emit(stopped);
}

Quantity Desk::MayHave(MarketId market, Side side, Quantity quantity, Quantity exposure) {
  const size_t index = IndexOf(market);
  const Market& of = markets_[index];
  const bool is_known = of.book.is_good() || quotes_when_stale_.value != 0;
  if (is_stopped_ || connection_ != ConnectionState::kLive || !is_known) return {};
  const int64_t unit = PowerOfTen(of.definition.quantity_decimals);
  __int128 most = quantity.units();
  if (order_limit_.value != 0) most = std::min(most, __int128{order_limit_.value} * unit);
  if (position_limit_.value != 0) {
    const int64_t held = side == Side::kBid ? of.position.units() : -of.position.units();
    const Quantity others = orders_.Exposure(index, side) - exposure;
    most = std::min(most, __int128{position_limit_.value} * unit - held - others.units());
  }
  return most <= 0 ? Quantity() : Quantity::FromUnits(static_cast<uint64_t>(most));
}

bool Desk::TakeRequest() {
  if (request_limit_.value == 0) return true;
  if (now_ >= NextRequest()) {
    second_begin_ = now_;
    requests_in_second_ = 0;
  }
  if (requests_in_second_ >= request_limit_.value) return false;
  ++requests_in_second_;
  return true;
}

Timestamp Desk::NextRequest() const {
  return Timestamp::FromNanos(second_begin_.nanos() + kSecondNanos);
}

void Desk::Emit(const Action& action) {
  replay::Output& output = outputs_.Append(static_cast<uint16_t>(action.kind));
  Action emitted = action;
  emitted.sequence = output.sequence;
  emitted.index = output.index;
  output = std::bit_cast<replay::Output>(emitted);
}

void Desk::Log(absl::string_view text) {
  do {
    const absl::string_view piece = text.substr(0, Action::kTextBytes);
    text.remove_prefix(piece.size());
    EmitText(ActionKind::kLog, piece, 0, !text.empty());
  } while (!text.empty());
}

void Desk::Metric(absl::string_view name, int64_t value) {
  EmitText(ActionKind::kMetric, name.substr(0, Action::kTextBytes), value, false);
}

void Desk::EmitText(ActionKind kind, absl::string_view text, int64_t value, bool is_continued) {
  replay::Output& output = outputs_.Append(static_cast<uint16_t>(kind));
  Action action = ToAction(output);
  action.price = Price::FromUnits(value);
  action.detail[0] = static_cast<std::byte>(is_continued);
  output = std::bit_cast<replay::Output>(action);
  std::memcpy(reinterpret_cast<std::byte*>(&output) + kTextOffset, text.data(), text.size());
}

uint64_t Desk::state_size() const {
  uint64_t size = orders_.all().size();
  for (const Market& market : markets_) {
    size += market.book.size(Side::kBid) + market.book.size(Side::kAsk);
  }
  return size;
}

engine::Digest Desk::StateDigest() const {
  engine::Digester digester;
  const auto add = [&digester](auto value) {
    const auto word = static_cast<uint64_t>(value);
    digester.Add(std::as_bytes(std::span(&word, 1)));
  };
  add(static_cast<uint64_t>(connection_) << 1 | (is_stopped_ ? 1 : 0));
  for (const Market& market : markets_) {
    add(market.definition.id.value());
    add(market.book.is_good());
    for (const Side side : {Side::kBid, Side::kAsk}) {
      add(market.book.size(side));
      for (size_t i = 0; i < market.book.size(side); ++i) {
        add(market.book.at(side, i).price.units());
        add(market.book.at(side, i).quantity.units());
      }
    }
    add(market.position.units());
    add(market.profit.micros());
    add(market.twice_mark);
  }
  for (const Order& order : orders_.all()) {
    if (!order.is_live()) continue;
    add(order.number.value());
    add(order.state);
    add(order.price.units());
    add(order.remaining.units());
    add(order.asked.units());
  }
  for (const Parameters::Entry& entry : strategy_.parameters().all()) add(entry.value);
  add(NextTimer().nanos());
  return digester.Finish();
}

void Desk::CheckInvariants() const { orders_.CheckInvariants(); }

}  // namespace strategy
