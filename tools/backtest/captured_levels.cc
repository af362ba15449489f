#include "tools/backtest/captured_levels.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/market_definition.h"
#include "replay/command_row.h"

namespace tools {

using engine::Command;
using engine::CommandKind;
using engine::Quantity;

// A capture has no times of the venue besides those of its records.
constexpr int64_t kMoment = 0;

absl::Status CapturedLevels::Take(const journal::Record& record) {
  const Command command = replay::ToCommand(*record.row);
  if (command.kind == CommandKind::kDefineMarket && IsOfCapture(record)) {
    markets_.insert(command.market);
    if (!orders_.has_value()) orders_.emplace(emit_, record.sequence().value() - 1);
  }
  if (!orders_.has_value()) return emit_(record);
  if (!markets_.contains(command.market)) return orders_->Pass(command, record.attachment);
  return TakeOfCapture(command, record.attachment);
}

bool CapturedLevels::IsOfCapture(const journal::Record& record) const {
  const absl::StatusOr<engine::MarketDefinition> market =
      engine::DecodeMarketDefinition(record.attachment);
  return market.ok() && market->mirrored && market->kind == engine::MarketKind::kBinary;
}

absl::Status CapturedLevels::TakeOfCapture(const Command& command, engine::Bytes attachment) {
  // No order has more.
  const bool is_sane = command.quantity <= engine::kQuantityMax;
  if (command.kind == CommandKind::kNewOrder) {
    if (!is_sane || !IsValid(command.side)) return orders_->Skip(command.timestamp);
    const LevelName level{.market = command.market, .side = command.side, .price = command.price};
    resting_[engine::OrderIdOf(command.sequence)] = {.level = level, .quantity = command.quantity};
    return Change(command.timestamp, level, Quantity(), command.quantity);
  }
  if (command.kind == CommandKind::kExecute && command.order_id == engine::OrderId()) {
    if (!is_sane) return orders_->Skip(command.timestamp);
    return orders_->Trade(command.timestamp, kMoment,
                          {.market = command.market, .side = command.side, .price = command.price},
                          command.quantity);
  }
  if (engine::InfoOf(command.kind).scope != engine::Scope::kOrders) {
    return orders_->Pass(command, attachment);
  }
  const auto found = resting_.find(command.order_id);
  if (!is_sane || found == resting_.end()) return orders_->Skip(command.timestamp);
  const Resting before = found->second;
  Quantity after;
  switch (command.kind) {
    case CommandKind::kCancel:
      break;
    case CommandKind::kReduce:
    case CommandKind::kExecute:
      after = before.quantity - std::min(command.quantity, before.quantity);
      break;
    case CommandKind::kReduceTo:
      after = std::min(command.quantity, before.quantity);
      break;
    case CommandKind::kAmend:
      if (command.price == before.level.price) {
        after = command.quantity;
        break;
      }
      [[fallthrough]];
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("@", command.sequence.value(), " is a ", engine::NameOf(command.kind),
                       " in a market of levels, which no import of a capture writes"));
  }
  found->second.quantity = after;
  if (after.is_zero()) resting_.erase(found);
  return Change(command.timestamp, before.level, before.quantity, after);
}

absl::Status CapturedLevels::Change(engine::Timestamp time, const LevelName& level, Quantity less,
                                    Quantity more) {
  Quantity& quantity = levels_[level];
  quantity = quantity - less + more;
  return orders_->SetLevel(time, kMoment, level, quantity);
}

}  // namespace tools
