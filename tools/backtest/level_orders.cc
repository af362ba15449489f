#include "tools/backtest/level_orders.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "replay/command_row.h"

namespace tools {

using engine::Command;
using engine::CommandKind;
using engine::OrderId;
using engine::Quantity;
using engine::Timestamp;

void LevelOrders::Amounts::Add(int64_t moment, Quantity quantity) {
  amounts_[moment] += quantity;
  total_ += quantity;
}

Quantity LevelOrders::Amounts::Take(int64_t moment, Quantity quantity) {
  const auto found = amounts_.find(moment);
  if (found == amounts_.end()) return {};
  const Quantity taken = std::min(found->second, quantity);
  found->second -= taken;
  total_ -= taken;
  if (found->second.is_zero()) amounts_.erase(found);
  return taken;
}

void LevelOrders::Amounts::TakeAny(Quantity quantity) {
  while (!quantity.is_zero()) quantity -= Take(amounts_.begin()->first, quantity);
}

absl::Status LevelOrders::Pass(const Command& command, engine::Bytes attachment) {
  return Add({.kind = RowKind::kCommand,
              .command = command,
              .attachment = {attachment.begin(), attachment.end()}});
}

absl::Status LevelOrders::SetLevel(Timestamp time, int64_t moment, const LevelName& level,
                                   Quantity quantity) {
  Row row{.kind = RowKind::kLevel, .level = level, .quantity = quantity, .moment = moment};
  row.command.timestamp = time;
  return Add(std::move(row));
}

absl::Status LevelOrders::Trade(Timestamp time, int64_t moment, const LevelName& level,
                                Quantity quantity) {
  if (IsValid(level.side)) levels_[level].coming.Add(moment, quantity);
  Row row{.kind = RowKind::kTrade, .level = level, .quantity = quantity, .moment = moment};
  row.command.timestamp = time;
  return Add(std::move(row));
}

absl::Status LevelOrders::Skip(Timestamp time) {
  Row row{.kind = RowKind::kCommand};
  row.command.kind = CommandKind::kAdvanceTime;
  row.command.timestamp = time;
  return Add(std::move(row));
}

absl::Status LevelOrders::Add(Row row) {
  const Timestamp time = row.command.timestamp;
  if (time.nanos() > kNanosMax || time.nanos() < -kNanosMax) {
    return absl::InvalidArgumentError(absl::StrCat("a record is at ", time.ToString()));
  }
  rows_.push_back(std::move(row));
  const int64_t newest = rows_.back().command.timestamp.nanos();
  while (newest - rows_.front().command.timestamp.nanos() > kApartNanos) {
    RETURN_IF_ERROR(Release());
  }
  return absl::OkStatus();
}

absl::Status LevelOrders::Finish() {
  while (!rows_.empty()) RETURN_IF_ERROR(Release());
  return absl::OkStatus();
}

absl::Status LevelOrders::Release() {
  const Row row = std::move(rows_.front());
  rows_.pop_front();
  ++row_;
  now_ = row.command.timestamp;
  const uint64_t before = emitted_;
  RETURN_IF_ERROR(PutBack(/*all=*/row.command.kind == CommandKind::kPauseMarket));
  if (row.kind == RowKind::kLevel) {
    RETURN_IF_ERROR(ReleaseLevel(row));
  } else if (row.kind == RowKind::kTrade) {
    RETURN_IF_ERROR(ReleaseTrade(row));
  } else {
    // What was put back has come before it.
    for (uint64_t i = before; i < emitted_; ++i) numbers_.Insert(row_);
    Command command = row.command;
    if (engine::NamesAnOrder(command.kind) && command.order_id != OrderId() &&
        command.order_id.value() < row_) {
      command.order_id = OrderId(numbers_.NumberOf(command.order_id.value()));
    }
    return Emitted(command, row.attachment);
  }
  if (emitted_ == before) return Emitted(CommandAt(CommandKind::kAdvanceTime, {}));
  for (uint64_t i = before + 1; i < emitted_; ++i) numbers_.Insert(row_);
  return absl::OkStatus();
}

absl::Status LevelOrders::ReleaseLevel(const Row& row) {
  Level& level = levels_[row.level];
  const Quantity before = level.quantity;
  level.quantity = row.quantity;
  if (row.quantity >= before) return Append(row.level, level, row.quantity - before);
  Quantity less = before - row.quantity;
  less -= level.early.Take(row.moment, less);
  const Quantity traded = level.coming.Take(row.moment, std::min(less, level.sum));
  if (!traded.is_zero()) level.claimed.Add(row.moment, traded);
  less -= traded;
  RETURN_IF_ERROR(Take(CommandKind::kExecute, row.level, level, traded));
  const Quantity cancelled = std::min(less, level.sum);
  level.early.TakeAny(less - cancelled);
  return Take(CommandKind::kReduce, row.level, level, cancelled);
}

absl::Status LevelOrders::ReleaseTrade(const Row& row) {
  Quantity quantity = row.quantity;
  if (IsValid(row.level.side)) {
    Level& level = levels_[row.level];
    quantity -= level.claimed.Take(row.moment, quantity);
    level.coming.Take(row.moment, quantity);
    const Quantity early = std::min(quantity, level.sum);
    RETURN_IF_ERROR(Take(CommandKind::kExecute, row.level, level, early));
    quantity -= early;
    if (!early.is_zero()) {
      level.early.Add(row.moment, early);
      early_.push_back({.time = now_, .moment = row.moment, .level = row.level});
    }
  }
  if (quantity.is_zero()) return absl::OkStatus();
  Command print = CommandAt(CommandKind::kExecute, row.level.market);
  print.side = row.level.side;
  print.price = row.level.price;
  print.quantity = quantity;
  return Emitted(print);
}

absl::Status LevelOrders::PutBack(bool all) {
  while (!early_.empty() && (all || now_.nanos() - early_.front().time.nanos() > kApartNanos)) {
    const EarlyTrade trade = early_.front();
    early_.pop_front();
    Level& level = levels_[trade.level];
    const Quantity kept = level.early.Take(trade.moment, level.early.total());
    RETURN_IF_ERROR(Append(trade.level, level, kept));
  }
  return absl::OkStatus();
}

absl::Status LevelOrders::Append(const LevelName& name, Level& level, Quantity quantity) {
  if (quantity.is_zero()) return absl::OkStatus();
  Command command = CommandAt(CommandKind::kNewOrder, name.market);
  command.side = name.side;
  command.type = engine::OrderType::kLimit;
  command.tif = engine::TimeInForce::kGoodTillCancelled;
  command.price = name.price;
  command.quantity = quantity;
  level.queue.push_back({.order = OrderId(emitted_ + 1), .quantity = quantity});
  level.sum += quantity;
  return Emitted(command);
}

absl::Status LevelOrders::Take(CommandKind kind, const LevelName& name, Level& level,
                               Quantity quantity) {
  const bool is_trade = kind == CommandKind::kExecute;
  level.sum -= quantity;
  while (!quantity.is_zero()) {
    Part& part = is_trade ? level.queue.front() : level.queue.back();
    Command command = CommandAt(kind, name.market);
    command.order_id = part.order;
    if (is_trade) command.price = name.price;
    command.quantity = std::min(quantity, part.quantity);
    quantity -= command.quantity;
    part.quantity -= command.quantity;
    if (part.quantity.is_zero()) is_trade ? level.queue.pop_front() : level.queue.pop_back();
    RETURN_IF_ERROR(Emitted(command));
  }
  return absl::OkStatus();
}

Command LevelOrders::CommandAt(CommandKind kind, engine::MarketId market) const {
  Command command;
  command.kind = kind;
  command.timestamp = now_;
  command.market = market;
  return command;
}

absl::Status LevelOrders::Emitted(Command command, engine::Bytes attachment) {
  command.sequence = engine::SequenceNumber(++emitted_);
  const journal::Row row = replay::ToRow(command);
  return emit_({.row = &row, .attachment = attachment});
}

}  // namespace tools
