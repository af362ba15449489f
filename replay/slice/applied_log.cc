#include "replay/slice/applied_log.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "engine/messages/names.h"
#include "engine/types/order_type.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {

using engine::Command;
using engine::CommandKind;

Command CommandOf(CommandKind kind, engine::MarketId market, engine::AccountId account) {
  Command command;
  command.kind = kind;
  command.market = market;
  command.account = account;
  return command;
}

uint64_t AppliedLog::Do(Command command, std::vector<std::byte> attachment) {
  command.sequence = engine::SequenceNumber(log_.size() + 1);
  command.timestamp = now_;
  const journal::Row row = ToRow(command);
  const engine::Event& answer =
      AsEvents(driver_.Apply({.row = &row, .attachment = attachment})).front();
  if (answer.kind == engine::EventKind::kRejected) {
    Lose(absl::StrCat("a ", engine::NameOf(command.kind), " of account ", command.account.value(),
                      " in market ", command.market.value(),
                      ", refused: ", engine::NameOf(answer.reject_reason())));
  }
  log_.push_back({.row = row});
  if (!attachment.empty()) {
    log_.back().attachment = std::make_shared<const std::vector<std::byte>>(std::move(attachment));
  }
  return command.sequence.value();
}

void AppliedLog::Deposit(engine::AccountId account, engine::Money amount) {
  if (amount == engine::Money()) return;
  Command deposit = CommandOf(CommandKind::kDeposit, {}, account);
  deposit.set_amount(amount);
  Do(deposit);
}

void AppliedLog::Trade(const engine::MarketDefinition& market, engine::AccountId buyer,
                       engine::AccountId seller, engine::GroupId group, engine::Quantity quantity) {
  Command order = CommandOf(CommandKind::kNewOrder, market.id, buyer);
  order.side = engine::Side::kBid;
  order.type = engine::OrderType::kLimit;
  order.tif = engine::TimeInForce::kGoodTillCancelled;
  order.price = market.price_min;
  order.quantity = quantity;
  order.group = group;
  Do(order);
  order.account = seller;
  order.side = engine::Side::kAsk;
  order.tif = engine::TimeInForce::kImmediateOrCancel;
  order.group = {};
  Do(order);
}

}  // namespace replay
