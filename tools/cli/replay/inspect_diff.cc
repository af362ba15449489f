#include "tools/cli/replay/inspect_diff.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "replay/driver.h"
#include "replay/snapshot/snapshot_file.h"

namespace tools {
namespace {

using engine::Event;
using engine::EventKind;
using engine::MarketId;
using engine::OrderId;
using engine::RestingOrder;
using engine::SequenceNumber;
using engine::Side;

using Orders = std::map<OrderId, RestingOrder>;

Orders OrdersOf(const replay::Machine& machine) {
  std::vector<std::pair<OrderId, RestingOrder>> found;
  for (const auto& [id, definition] : machine.markets()->all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      machine.VisitOrders(id, side,
                          [&](const RestingOrder& order) { found.emplace_back(order.id, order); });
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return {found.begin(), found.end()};
}

// Collects the events between the two moments.
class Between {
 public:
  explicit Between(const Orders& before) : before_(before) {}

  void Hear(std::span<const Event> events, InspectDiff& diff) {
    for (const Event& event : events) Hear(event, diff);
  }

  HowItLeft HowLeft(OrderId order) const {
    const auto found = how_.find(order);
    return found == how_.end() ? HowItLeft::kFilled : found->second;
  }
  // New orders and their markets.
  const std::map<OrderId, MarketId>& made() const { return made_; }

 private:
  void Hear(const Event& event, InspectDiff& diff) {
    switch (event.kind) {
      case EventKind::kAccepted:
        made_[event.order_id] = event.market;
        break;
      case EventKind::kReplaced:
        made_[event.order_id] = event.market;
        Left(event.counter_order_id, HowItLeft::kReplaced);
        break;
      case EventKind::kCancelled:
        Left(event.order_id, HowItLeft::kCancelled);
        break;
      case EventKind::kReduced:
        if (event.quantity_remaining.is_zero()) Left(event.order_id, HowItLeft::kCancelled);
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
  // Filled orders are not recorded here: that is HowLeft()'s default.
  void Left(OrderId order, HowItLeft how) {
    if (before_.contains(order)) how_[order] = how;
  }

  const Orders& before_;
  std::map<OrderId, HowItLeft> how_;
  std::map<OrderId, MarketId> made_;
};

void CompareOrders(const Orders& before, const Orders& after, const Between& between,
                   InspectDiff& diff) {
  for (const auto& [id, order] : before) {
    const auto now = after.find(id);
    MarketChange& market = diff.markets[order.market];
    if (now == after.end()) {
      market.left.push_back({.order = order, .how = between.HowLeft(id)});
    } else if (now->second.quantity_remaining != order.quantity_remaining ||
               now->second.price != order.price || now->second.priority != order.priority) {
      market.amended.push_back({.before = order, .after = now->second});
    }
  }
  for (const auto& [id, order] : after) {
    if (!before.contains(id)) diff.markets[order.market].entered.push_back(order);
  }
  for (const auto& [id, market] : between.made()) {
    if (!after.contains(id)) ++diff.markets[market].came_and_went;
  }
}

void CompareLevels(const Orders& before, const Orders& after, InspectDiff& diff) {
  using Key = std::tuple<MarketId, Side, engine::Price>;
  std::map<Key, LevelChange> levels;
  const auto add = [&](const RestingOrder& order, LevelChange::Size LevelChange::*size) {
    LevelChange& level = levels[{order.market, order.side, order.price}];
    (level.*size).quantity += order.quantity_remaining;
    ++(level.*size).orders;
  };
  for (const auto& [id, order] : before) add(order, &LevelChange::before);
  for (const auto& [id, order] : after) add(order, &LevelChange::after);
  for (auto& [key, level] : levels) {
    if (level.before == level.after) continue;
    level.side = std::get<1>(key);
    level.price = std::get<2>(key);
    diff.markets[std::get<0>(key)].levels.push_back(level);
  }
  for (auto& [id, market] : diff.markets) {
    std::sort(market.levels.begin(), market.levels.end(),
              [](const LevelChange& a, const LevelChange& b) {
                return std::tuple(b.side, b.price) < std::tuple(a.side, a.price);
              });
  }
}

void CompareAccounts(const std::map<engine::AccountId, AccountMoney>& before,
                     const std::map<engine::AccountId, AccountMoney>& after, InspectDiff& diff) {
  for (const auto& [account, money] : after) {
    const auto found = before.find(account);
    const AccountMoney was = found == before.end() ? AccountMoney() : found->second;
    if (was != money) diff.accounts[account] = {.before = was, .after = money};
  }
}

}  // namespace

absl::StatusOr<InspectDiff> DiffMoments(replay::StartingPoint& start, journal::Reader& reader,
                                        SequenceNumber from, SequenceNumber to,
                                        Progress& progress) {
  replay::Machine& machine = *start.machine;
  replay::Driver driver(machine, {.check_state = false});
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  const auto pass = [&](const journal::Record& record, std::span<const Event>) {
    progress.Update(record.sequence().value());
    return true;
  };
  RETURN_IF_ERROR(driver.Run(reader, from, pass));
  const Orders before = OrdersOf(machine);
  const auto money_before = MoneyOfAll(machine);

  InspectDiff diff{.from = from, .to = to, .rejected = 0, .markets = {}, .accounts = {}};
  Between between(before);
  RETURN_IF_ERROR(
      driver.Run(reader, to, [&](const journal::Record& record, std::span<const Event> events) {
        progress.Update(record.sequence().value());
        between.Hear(events, diff);
        return true;
      }));
  const Orders after = OrdersOf(machine);
  CompareOrders(before, after, between, diff);
  CompareLevels(before, after, diff);
  CompareAccounts(money_before, MoneyOfAll(machine), diff);
  std::erase_if(diff.markets, [](const auto& entry) { return entry.second.is_empty(); });
  return diff;
}

}  // namespace tools
