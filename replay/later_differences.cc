#include "replay/later_differences.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "journal/reader.h"
#include "replay/failure_class.h"
#include "replay/lock_step.h"
#include "replay/log_items.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::RestingOrder;
using engine::SequenceNumber;

std::span<const Event> TakeEventsOf(SequenceNumber sequence, std::span<const Event>& events) {
  const auto end = std::ranges::upper_bound(events, sequence, {}, &Event::sequence);
  const auto mine = events.first(static_cast<size_t>(end - events.begin()));
  events = events.subspan(mine.size());
  return mine;
}

// The commands after `first` at which they say different things.
absl::StatusOr<std::vector<SequenceNumber>> AllAfter(LogSource& source, Subject& a, Subject& b,
                                                     SequenceNumber first) {
  std::vector<SequenceNumber> all;
  RETURN_IF_ERROR(BringTo(source, a, first));
  RETURN_IF_ERROR(BringTo(source, b, first));
  RETURN_IF_ERROR(source.Seek(first.Next()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return all;
    ASSIGN_OR_RETURN(const Answer answer_a, Put(a, run, {}));
    ASSIGN_OR_RETURN(const Answer answer_b, Put(b, run, {}));
    if (answer_a.events == answer_b.events) continue;
    ASSIGN_OR_RETURN(std::span<const Event> events_a, a.Events());
    ASSIGN_OR_RETURN(std::span<const Event> events_b, b.Events());
    for (const journal::Row& row : run.rows) {
      if (!std::ranges::equal(TakeEventsOf(row.sequence, events_a),
                              TakeEventsOf(row.sequence, events_b))) {
        all.push_back(row.sequence);
      }
    }
  }
}

Command Anew(const RestingOrder& order, const Command& at) {
  Command command;
  command.sequence = at.sequence;
  command.timestamp = at.timestamp;
  command.kind = CommandKind::kNewOrder;
  command.type = engine::OrderType::kLimit;
  command.side = order.side;
  command.tif = order.tif;
  command.price = order.price;
  command.quantity = order.quantity_remaining;
  command.account = order.account;
  command.market = order.market;
  command.flags = order.flags;
  command.group = order.group;
  if (order.tif == engine::TimeInForce::kGoodTillTime) command.set_expires_at(order.expires_at);
  return command;
}

// What leads straight to the book of `subject`, which has applied the first `length` commands.
absl::Status Reseed(Log& log, size_t length, Subject& subject) {
  std::set<engine::MarketId> markets;
  for (size_t i = 0; i < length; ++i) {
    Command& command = log[i].command;
    if (command.kind == CommandKind::kDefineMarket) markets.insert(command.market);
    if (!IsAboutOrders(command.kind)) continue;
    Command nothing;
    nothing.sequence = command.sequence;
    nothing.timestamp = command.timestamp;
    nothing.kind = CommandKind::kAdvanceTime;
    command = nothing;
  }
  for (const engine::MarketId market : markets) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      ASSIGN_OR_RETURN(const std::vector<RestingOrder> orders, subject.Orders(market, side));
      for (const RestingOrder& order : orders) {
        Command& own = log[order.id.value() - 1].command;
        own = Anew(order, own);
        if (order.priority.value() == order.id.value()) continue;
        // An amend that changes nothing goes to the back: it gives the order its later place.
        Command& later = log[order.priority.value() - 1].command;
        Command amend = Anew(order, later);
        amend.kind = CommandKind::kAmend;
        amend.order_id = order.id;
        later = amend;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaterDifferences> ClassifyLater(LogSource& source, Subject& a, Subject& b,
                                               SequenceNumber first, size_t independent_max) {
  LaterDifferences later;
  absl::StatusOr<std::vector<SequenceNumber>> all = AllAfter(source, a, b, first);
  if (absl::IsAborted(all.status())) {
    later.stopped = absl::StrCat("an engine ends later on: ", all.status().message());
    return later;
  }
  RETURN_IF_ERROR(all.status());
  ASSIGN_OR_RETURN(const Log original, LoadLog(source, source.last()));
  SequenceNumber seed_at = first;
  while (later.stopped.empty()) {
    Log reseeded = original;
    RETURN_IF_ERROR(BringTo(source, a, seed_at));
    RETURN_IF_ERROR(Reseed(reseeded, seed_at.value(), a));
    MemorySource again(reseeded);
    ASSIGN_OR_RETURN(const std::optional<Difference> next,
                     FindFirstDifference(again, a, b, again.last(), {.compare_state = false}));
    if (!next.has_value()) break;
    if (next->sequence() <= seed_at) {
      later.stopped = absl::StrCat("B cannot be led to A's book after @", seed_at.value(),
                                   ": it differs on the way, at @", next->sequence().value());
      break;
    }
    later.independent.push_back({next->sequence(), FailureClass(*next)});
    if (later.independent.size() == independent_max) later.stopped = "there may be more";
    seed_at = next->sequence();
  }
  later.consequences = all->size();
  for (const LaterDifferences::Independent& one : later.independent) {
    if (std::ranges::binary_search(*all, one.sequence)) --later.consequences;
  }
  return later;
}

}  // namespace replay
