#include "replay/compare/moments.h"

#include <functional>
#include <span>
#include <tuple>
#include <variant>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_state.h"
#include "replay/output.h"

namespace replay {
namespace {

using engine::AccountId;
using engine::Event;
using engine::EventKind;
using engine::MarketId;
using engine::OrderId;
using engine::RestingOrder;
using engine::SequenceNumber;
using engine::Side;
using HowItLeft = engine::OrderHistory::Status;

using Orders = std::map<OrderId, RestingOrder>;
using Accounts = std::map<AccountId, AccountMoney>;

// Calls `ask` with the exchange of the machine: ExchangeState has no accounts.
template <typename Ask>
auto AskExchange(const Machine& machine, Ask ask) {
  if (const auto* fast = dynamic_cast<const ExchangeMachine*>(&machine)) {
    return ask(fast->exchange());
  }
  const auto* const reference = dynamic_cast<const ReferenceMachine*>(&machine);
  CHECK(reference != nullptr) << "asked of " << machine.name() << " what only an exchange knows";
  return ask(reference->exchange());
}

Orders OrdersOf(const Machine& machine) {
  Orders orders;
  ExchangeOf(machine).VisitAllOrders(
      [&](const RestingOrder& order) { orders.emplace(order.id, order); });
  return orders;
}

Accounts AccountsOf(const Machine& machine) {
  Accounts accounts;
  // Only a snapshot lists all accounts; it comes from this process, so decoding it cannot fail.
  const absl::Status walked = machine.Save([&](engine::Bytes bytes) {
    ASSIGN_OR_RETURN(const engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
    if (const auto* list = std::get_if<std::vector<engine::AccountStatus>>(&part)) {
      for (const engine::AccountStatus& status : *list) {
        if (status.is_open) accounts[status.account] = BalanceOf(machine, status.account);
      }
    } else if (const auto* list = std::get_if<std::vector<engine::SnapshotPosition>>(&part)) {
      for (const engine::SnapshotPosition& held : *list) {
        if (held.position != 0) accounts[held.account].positions[held.market] = held.position;
      }
    }
    return absl::OkStatus();
  });
  CHECK(walked.ok()) << walked.message();
  return accounts;
}

// What the events between the two moments say about orders.
struct OrderEvents {
  std::map<OrderId, MarketId> made;      // New orders.
  std::map<OrderId, HowItLeft> removed;  // Those of @from that were cancelled or replaced.
};

void AddEvent(const Event& event, const Orders& before, OrderEvents& orders, MomentsDiff& diff) {
  const auto remove = [&](OrderId order, HowItLeft how) {
    if (before.contains(order)) orders.removed[order] = how;
  };
  switch (event.kind) {
    case EventKind::kAccepted:
      orders.made[event.order_id] = event.market;
      break;
    case EventKind::kReplaced:
      orders.made[event.order_id] = event.market;
      remove(event.counter_order_id, HowItLeft::kReplaced);
      break;
    case EventKind::kCancelled:
      remove(event.order_id, HowItLeft::kCancelled);
      break;
    case EventKind::kReduced:
      if (event.quantity_remaining.is_zero()) remove(event.order_id, HowItLeft::kCancelled);
      break;
    case EventKind::kTrade: {
      MarketChange& market = diff.markets[event.market];
      ++market.trades;
      market.volume += event.quantity;
      break;
    }
    case EventKind::kRejected:
      ++diff.rejected;
      break;
    default:
      break;
  }
}

void CompareOrders(const Orders& before, const Orders& after, const OrderEvents& events,
                   MomentsDiff& diff) {
  for (const auto& [id, order] : before) {
    const auto now = after.find(id);
    if (now == after.end()) {
      const auto removed = events.removed.find(id);
      diff.markets[order.market].left.push_back(
          {.order = order,
           .how = removed == events.removed.end() ? HowItLeft::kFilled : removed->second});
    } else if (now->second.quantity_remaining != order.quantity_remaining ||
               now->second.price != order.price || now->second.priority != order.priority) {
      diff.markets[order.market].amended.push_back({.before = order, .after = now->second});
    }
  }
  for (const auto& [id, order] : after) {
    if (!before.contains(id)) diff.markets[order.market].entered.push_back(order);
  }
  for (const auto& [id, market] : events.made) {
    if (!after.contains(id)) ++diff.markets[market].came_and_went;
  }
}

void CompareLevels(const Orders& before, const Orders& after, MomentsDiff& diff) {
  using Key = std::tuple<MarketId, Side, engine::Price>;
  std::map<Key, LevelChange, std::greater<Key>> levels;
  const auto add = [&](const Orders& orders, LevelSize Change<LevelSize>::*size) {
    for (const auto& [id, order] : orders) {
      LevelChange& level = levels[{order.market, order.side, order.price}];
      level.side = order.side;
      level.price = order.price;
      (level.size.*size).quantity += order.quantity_remaining;
      ++(level.size.*size).orders;
    }
  };
  add(before, &Change<LevelSize>::before);
  add(after, &Change<LevelSize>::after);
  for (const auto& [key, level] : levels) {
    if (level.size.before == level.size.after) continue;
    diff.markets[std::get<MarketId>(key)].levels.push_back(level);
  }
}

}  // namespace

absl::StatusOr<MomentsDiff> CompareMoments(StartingPoint& start, journal::Reader& reader,
                                           SequenceNumber from, SequenceNumber to,
                                           absl::FunctionRef<void(SequenceNumber)> passed) {
  const Machine& machine = *start.machine;
  Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.RunInParts(
      reader, from,
      [&](const journal::Record& record, std::span<const Output>) { passed(record.sequence()); }));
  const Orders before = OrdersOf(machine);
  Accounts accounts_before = AccountsOf(machine);

  MomentsDiff diff;
  OrderEvents order_events;
  RETURN_IF_ERROR(driver.RunInParts(
      reader, to, [&](const journal::Record& record, std::span<const Output> outputs) {
        passed(record.sequence());
        for (const Event& event : AsEvents(outputs)) AddEvent(event, before, order_events, diff);
      }));
  const Orders after = OrdersOf(machine);
  CompareOrders(before, after, order_events, diff);
  CompareLevels(before, after, diff);
  // Accounts are never closed.
  for (const auto& [account, money] : AccountsOf(machine)) {
    const AccountMoney& was = accounts_before[account];
    if (was != money) diff.accounts[account] = {.before = was, .after = money};
  }
  return diff;
}

void SeedDepth(const Machine& machine, MarketId market, engine::DepthView& depth) {
  const ExchangeState* const exchange = FindExchange(machine);
  if (exchange == nullptr) return;
  exchange->VisitOrdersOf(market, [&](const RestingOrder& order) {
    Event event;
    event.kind = EventKind::kAccepted;
    event.order_id = order.id;
    event.market = order.market;
    event.side = order.side;
    event.price = order.price;
    event.quantity = event.quantity_remaining = order.quantity_remaining;
    depth.OnEvents({}, {&event, 1});
  });
}

void SeedDepth(const Machine& machine, engine::DepthView& depth) {
  const ExchangeState* const exchange = FindExchange(machine);
  if (exchange == nullptr) return;
  for (const auto& [id, definition] : exchange->markets().all()) SeedDepth(machine, id, depth);
}

AccountMoney BalanceOf(const Machine& machine, AccountId account) {
  return AskExchange(machine, [&](const auto& exchange) {
    const auto state = exchange.FindAccount(account);
    if (!state.has_value()) return AccountMoney();
    return AccountMoney{
        .is_open = true, .balance = state->balance, .reserved = state->reserved, .positions = {}};
  });
}

AccountMoney MoneyOf(const Machine& machine, AccountId account) {
  AccountMoney money = BalanceOf(machine, account);
  if (!money.is_open) return money;
  AskExchange(machine, [&](const auto& exchange) {
    for (const auto& [id, definition] : exchange.markets().all()) {
      const int64_t position = exchange.Position(account, id);
      if (position != 0) money.positions[id] = position;
    }
  });
  return money;
}

}  // namespace replay
