#include "tools/strategy/strategy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/types/decimal.h"
#include "tools/strategy/desk.h"

namespace strategy {
namespace {

constexpr auto kPowersOfTen = [] {
  std::array<int64_t, engine::kDecimalsMax + 1> powers = {1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

// `value` with `from` decimals as one with `to` decimals, rounded towards zero.
int64_t Rescaled(int64_t value, int from, int to) {
  if (from >= to) return value / kPowersOfTen[static_cast<size_t>(from - to)];
  constexpr __int128 kMost = 1'000'000'000'000'000'000;
  const __int128 scaled = __int128{value} * kPowersOfTen[static_cast<size_t>(to - from)];
  return static_cast<int64_t>(std::clamp<__int128>(scaled, -kMost, kMost));
}

}  // namespace

engine::Timestamp Strategy::now() const { return desk_->now(); }
ConnectionState Strategy::connection() const { return desk_->connection(); }
bool Strategy::Knows(engine::MarketId market) const { return desk_->Find(market) != nullptr; }
const engine::MarketDefinition& Strategy::definition(engine::MarketId market) const {
  return desk_->Get(market).definition;
}
const Book& Strategy::book(engine::MarketId market) const { return desk_->Get(market).book; }
const Book::Level* Strategy::best_of_others(engine::MarketId market, engine::Side side) const {
  return desk_->BestOfOthers(market, side);
}
const Position& Strategy::position(engine::MarketId market) const {
  return desk_->Get(market).position;
}
engine::Money Strategy::profit(engine::MarketId market) const { return desk_->Get(market).profit; }
engine::Money Strategy::profit() const { return desk_->profit(); }

void Strategy::Quote(engine::MarketId market, engine::Side side, engine::Price price,
                     engine::Quantity quantity, size_t level, engine::OrderFlags flags) {
  desk_->Quote(market, side, price, quantity, level, flags);
}
void Strategy::PullQuotes(engine::MarketId market) { desk_->PullQuotes(market); }
OrderNumber Strategy::Send(const NewOrder& order) { return desk_->Send(order); }
void Strategy::Cancel(OrderNumber order) { desk_->Cancel(order); }
void Strategy::CancelAll() { desk_->CancelAll(); }
void Strategy::Stop() { desk_->Stop(StopReason::kAsked); }
bool Strategy::is_stopped() const { return desk_->is_stopped(); }
const Orders& Strategy::orders() const { return desk_->orders(); }
bool Strategy::has_order(engine::MarketId market) const { return desk_->HasOrder(market); }

void Strategy::SetTimer(TimerId timer, engine::Timestamp at) { desk_->SetTimer(timer, at); }
void Strategy::CancelTimer(TimerId timer) { desk_->CancelTimer(timer); }

void Strategy::Log(absl::string_view text) { desk_->Log(text); }
void Strategy::Metric(absl::string_view name, int64_t value) { desk_->Metric(name, value); }

engine::Quantity Parameter::In(engine::MarketId market) const {
  const int decimals = strategy_.definition(market).quantity_decimals;
  const int64_t units = Rescaled(entry_.value, entry_.terms.decimals, decimals);
  return engine::Quantity::FromUnits(static_cast<uint64_t>(std::max<int64_t>(units, 0)));
}

int64_t Parameter::PriceUnitsIn(engine::MarketId market) const {
  return Rescaled(entry_.value, entry_.terms.decimals, strategy_.definition(market).price_decimals);
}

}  // namespace strategy
