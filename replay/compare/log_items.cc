#include "replay/compare/log_items.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/fields.h"
#include "engine/types/order_type.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "replay/command_row.h"

namespace replay {

using engine::Command;
using engine::CommandKind;
using engine::RestingOrder;

bool IsAboutOrders(CommandKind kind) {
  const engine::Scope scope = engine::InfoOf(kind).scope;
  return scope == engine::Scope::kOrders || scope == engine::Scope::kTime;
}

engine::Command EnteringCommand(const RestingOrder& order) {
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.type = engine::OrderType::kLimit;
  command.side = order.side;
  command.tif = order.tif;
  command.price = order.price;
  command.quantity = order.quantity_remaining;
  command.account = order.account;
  command.market = order.market;
  command.flags = order.flags;
  command.set_group(order.group);
  if (order.tif == engine::TimeInForce::kGoodTillTime) command.set_expires_at(order.expires_at);
  return command;
}

OrderFamilies::OrderFamilies(const LogItems& items) {
  for (const LogItem& item : items) {
    const Command command = ToCommand(item.entry.row);
    if (command.kind == CommandKind::kReplace && command.order_id.value() < item.key) {
      replaced_.emplace(item.key, command.order_id.value());
    }
  }
}

uint64_t OrderFamilies::RootOf(uint64_t key) const {
  for (auto found = replaced_.find(key); found != replaced_.end(); found = replaced_.find(key)) {
    key = found->second;
  }
  return key;
}

uint64_t OrderFamilies::LifeOf(const LogItem& item) const {
  const Command command = ToCommand(item.entry.row);
  if (command.kind == CommandKind::kNewOrder) return item.key;
  return NamesAnOrder(command.kind) ? RootOf(command.order_id.value()) : 0;
}

Log OrderFamilies::ToLog(const LogItems& items) const {
  absl::flat_hash_map<uint64_t, uint64_t> places;
  places.reserve(items.size());
  Log log;
  log.reserve(items.size());
  for (const LogItem& item : items) {
    LogEntry& entry = log.emplace_back(item.entry);
    entry.row.sequence = engine::SequenceNumber(log.size());
    places.emplace(item.key, log.size());
    const Command command = ToCommand(entry.row);
    if (!NamesAnOrder(command.kind)) continue;
    uint64_t key = command.order_id.value();
    if (key == 0) continue;
    auto place = places.find(key);
    while (place == places.end()) {
      const auto before = replaced_.find(key);
      if (before == replaced_.end()) break;
      key = before->second;
      place = places.find(key);
    }
    EditCommand(entry.row, [&](Command& naming) {
      naming.order_id = place == places.end() ? engine::UnknownOrderFor(naming.kind)
                                              : engine::OrderId(place->second);
    });
  }
  return log;
}

absl::StatusOr<LogItems> WithSynthesisedBook(const Log& log, size_t window, Subject& subject,
                                             const std::function<bool(engine::MarketId)>& keep) {
  LogItems result;
  std::set<engine::MarketId> markets;
  engine::Timestamp now;
  for (size_t i = 0; i < window; ++i) {
    const Command command = ToCommand(log[i].row);
    now = command.timestamp;
    if (command.kind == CommandKind::kDefineMarket) markets.insert(command.market);
    if (!IsAboutOrders(command.kind)) result.push_back({.key = i + 1, .entry = log[i]});
  }
  std::vector<RestingOrder> live;
  for (const engine::MarketId market : markets) {
    if (!keep(market)) continue;
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      ASSIGN_OR_RETURN(const std::vector<RestingOrder> orders, subject.Orders(market, side));
      live.insert(live.end(), orders.begin(), orders.end());
    }
  }
  std::ranges::sort(live, {}, &RestingOrder::priority);
  for (const RestingOrder& order : live) {
    LogItem item{.key = order.id.value(), .entry = {.row = ToRow(EnteringCommand(order))}};
    item.entry.row.timestamp = now;
    result.push_back(std::move(item));
  }
  for (size_t i = window; i < log.size(); ++i) result.push_back({.key = i + 1, .entry = log[i]});
  return result;
}

}  // namespace replay
