#include "tools/backtest/run_market.h"

#include <algorithm>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "tools/strategy/action.h"
#include "tools/strategy/desk.h"

namespace tools {

using engine::CommandKind;
using engine::Quantity;
using engine::Timestamp;
using strategy::ActionKind;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderState;

namespace {

// Of no trade.
constexpr int64_t kNoMoment = -1;

bool HasRequest(ActionKind kind) {
  return kind == ActionKind::kNewOrder || kind == ActionKind::kAmend;
}

bool IsAnswer(const Input& input) {
  switch (input.kind) {
    case InputKind::kOrderAccepted:
    case InputKind::kOrderAmended:
      return true;
    case InputKind::kOrderRefused:
    case InputKind::kRequestRefused:
      return input.refusal() != strategy::Refusal::kNotSent;
    default:
      return false;
  }
}

bool IsOfOwnOrder(InputKind kind) {
  return kind >= InputKind::kOrderAccepted && kind <= InputKind::kOrderFound;
}

LevelName LevelOf(const strategy::Order& order) {
  return {.market = order.market, .side = order.side, .price = order.price};
}

}  // namespace

RunMarket::RunMarket(std::string name, std::unique_ptr<strategy::Strategy> strategy, RunOrders own,
                     LevelOrders::Emit emit)
    : own_(own),
      machine_(std::move(name), std::move(strategy)),
      driver_(machine_, engine::SequenceNumber()),
      orders_(std::move(emit)) {}

absl::Status RunMarket::Take(const journal::Record& record) {
  const Input input = strategy::ToInput(*record.row);
  RETURN_IF_ERROR(LookAgain(input.time));
  const bool is_own = IsOfOwnOrder(input.kind);
  const std::optional<Own> before = is_own ? OwnOrder(input.order) : std::nullopt;
  Measure(input, driver_.Apply(record));
  if (input.kind == InputKind::kConnection) CountOwn();
  if (is_own) {
    if (own_ == RunOrders::kAdded && input.kind == InputKind::kOrderFilled) {
      if (!own_fills_.empty() && own_fills_.back().time != input.time) own_fills_.clear();
      own_fills_.push_back(input);
    }
    const int64_t nanos = std::min(input.time.nanos(), LevelOrders::kNanosMax);
    const Timestamp due = Timestamp::FromNanos(nanos + LevelOrders::kApartNanos);
    const std::optional<Own> after = OwnOrder(input.order);
    if (before.has_value()) own_levels_[before->level] -= before->quantity;
    if (after.has_value()) own_levels_[after->level] += after->quantity;
    if (before.has_value()) again_.emplace_back(due, before->level);
    if (after.has_value()) again_.emplace_back(due, after->level);
    return absl::OkStatus();
  }
  if (input.kind == InputKind::kMarket) return Define(record);
  const auto market = markets_.find(input.market);
  if (market == markets_.end() || market->second.is_settled) return absl::OkStatus();
  return TakeOfMarket(input, market->second);
}

void RunMarket::Measure(const Input& input, std::span<const replay::Output> outputs) {
  if (own_ == RunOrders::kDry) return;
  if (IsAnswer(input)) {
    const auto request = requests_.find(input.order);
    if (request != requests_.end()) {
      answers_.Record(static_cast<uint64_t>(input.time.nanos() - request->second.nanos()));
      requests_.erase(request);
    }
  }
  for (const replay::Output& output : outputs) {
    const strategy::Action action = strategy::ToAction(output);
    if (HasRequest(action.kind)) requests_[action.order] = input.time;
    if (action.kind == ActionKind::kCancel) requests_.erase(action.order);
  }
}

// Sums of a level's orders and what is left of them fit no limits of one order.
absl::Status RunMarket::Define(const journal::Record& record) {
  const Input input = strategy::ToInput(*record.row);
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  if (!definition.ok() || definition->id != input.market) return absl::OkStatus();
  if (!markets_.try_emplace(input.market).second) return absl::OkStatus();
  definition->mirrored = true;
  definition->starts_unopened = false;
  definition->quantity_min = Quantity();
  definition->quantity_max = Quantity();
  engine::Command command;
  command.kind = CommandKind::kDefineMarket;
  command.timestamp = input.time;
  command.market = input.market;
  RETURN_IF_ERROR(orders_.Pass(command, engine::EncodeMarketDefinition(*definition)));
  return Pass(CommandKind::kPauseMarket, input);
}

absl::Status RunMarket::TakeOfMarket(const Input& input, Market& market) {
  switch (input.kind) {
    case InputKind::kBookClear: {
      if (!market.is_known) RETURN_IF_ERROR(Pass(CommandKind::kOpenMarket, input));
      market.is_known = market.is_in_snapshot = true;
      market.missing.clear();
      for (auto level = levels_.lower_bound({.market = input.market});
           level != levels_.end() && level->first.market == input.market; ++level) {
        market.missing.insert(level->first);
      }
      break;
    }
    case InputKind::kBookLevel:
    case InputKind::kBookChange:
      if (market.is_known) RETURN_IF_ERROR(TakeLevel(input, market));
      break;
    case InputKind::kBookStale:
      return Forget(input, market);
    case InputKind::kTrade:
      return TakeTrade(input);
    case InputKind::kSettled:
      return Settle(input, market);
    default:
      break;
  }
  if (!input.is_last() || !market.is_in_snapshot) return absl::OkStatus();
  market.is_in_snapshot = false;
  for (const LevelName& level : std::exchange(market.missing, {})) {
    levels_.erase(level);
    RETURN_IF_ERROR(SetLevel(input.time, input.venue_time, level));
  }
  return absl::OkStatus();
}

absl::Status RunMarket::TakeTrade(const Input& input) {
  if (input.quantity.is_zero() || input.quantity > engine::kQuantityMax) return absl::OkStatus();
  ++market_rows_;
  const auto own = std::ranges::find_if(own_fills_, [&](const Input& fill) {
    return fill.time == input.time && fill.market == input.market && fill.price == input.price &&
           fill.quantity == input.quantity;
  });
  if (own != own_fills_.end()) {
    own_fills_.erase(own);
    return absl::OkStatus();
  }
  return orders_.Trade(input.time, input.venue_time,
                       {.market = input.market,
                        .side = IsValid(input.side) ? Opposite(input.side) : engine::Side(),
                        .price = input.price},
                       input.quantity);
}

absl::Status RunMarket::TakeLevel(const Input& input, Market& market) {
  if (!IsValid(input.side)) return absl::OkStatus();
  const LevelName name{.market = input.market, .side = input.side, .price = input.price};
  market.missing.erase(name);
  Quantity quantity = input.quantity;
  if (input.kind == InputKind::kBookChange) {
    const auto found = levels_.find(name);
    const auto before = static_cast<__int128>(found == levels_.end() ? 0 : found->second.units());
    const __int128 after = before + input.amount;
    // As the strategy's own book: it is wrong from here on.
    if (after < 0 || after > engine::kQuantityMax.units()) return Forget(input, market);
    quantity = Quantity::FromUnits(static_cast<uint64_t>(after));
  } else if (quantity > engine::kQuantityMax) {
    return Forget(input, market);
  }
  if (quantity.is_zero()) {
    levels_.erase(name);
  } else {
    levels_[name] = quantity;
  }
  ++market_rows_;
  return SetLevel(input.time, input.venue_time, name);
}

absl::Status RunMarket::Forget(const Input& input, Market& market) {
  market.is_in_snapshot = false;
  if (!std::exchange(market.is_known, false)) return absl::OkStatus();
  return Pass(CommandKind::kPauseMarket, input);
}

absl::Status RunMarket::Settle(const Input& input, Market& market) {
  market.is_settled = true;
  RETURN_IF_ERROR(Pass(CommandKind::kCloseMarket, input));
  return Pass(CommandKind::kDetermineMarket, input);
}

absl::Status RunMarket::LookAgain(Timestamp now) {
  while (!again_.empty() && again_.front().first < now) {
    const auto [due, level] = again_.front();
    again_.pop_front();
    const auto market = markets_.find(level.market);
    if (market == markets_.end() || !market->second.is_known) continue;
    RETURN_IF_ERROR(SetLevel(due, kNoMoment, level));
  }
  return absl::OkStatus();
}

absl::Status RunMarket::SetLevel(Timestamp time, int64_t moment, const LevelName& level) {
  const auto found = levels_.find(level);
  const Quantity all = found == levels_.end() ? Quantity() : found->second;
  return orders_.SetLevel(time, moment, level, all - std::min(all, OwnAt(level)));
}

Quantity RunMarket::OwnAt(const LevelName& level) const {
  const auto own = own_levels_.find(level);
  return own == own_levels_.end() ? Quantity() : own->second;
}

std::optional<RunMarket::Own> RunMarket::OwnOf(const strategy::Order& order) const {
  const bool rests = order.is_live() && order.state != OrderState::kSent && Rests(order.tif);
  if (!rests || own_ == RunOrders::kDry) return std::nullopt;
  return Own{.level = LevelOf(order), .quantity = order.remaining};
}

std::optional<RunMarket::Own> RunMarket::OwnOrder(strategy::OrderNumber number) const {
  const strategy::Order* const order = machine_.desk().orders().Find(number);
  return order == nullptr ? std::nullopt : OwnOf(*order);
}

void RunMarket::CountOwn() {
  own_levels_.clear();
  for (const strategy::Order& order : machine_.desk().orders().all()) {
    const std::optional<Own> own = OwnOf(order);
    if (own.has_value()) own_levels_[own->level] += own->quantity;
  }
}

absl::Status RunMarket::Pass(CommandKind kind, const Input& input) {
  engine::Command command;
  command.kind = kind;
  command.timestamp = input.time;
  command.market = input.market;
  if (kind == CommandKind::kDetermineMarket) command.price = input.price;
  return orders_.Pass(command, {});
}

}  // namespace tools
