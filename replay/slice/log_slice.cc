#include "replay/slice/log_slice.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/snapshot_parts.h"
#include "replay/command_row.h"

namespace replay {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::OrderId;

absl::StatusOr<StateParts> TakeStateApart(const Machine& machine, const Interest& interest) {
  StateParts state;
  const auto lists = std::tie(state.markets, state.accounts, state.positions, state.position_limits,
                              state.groups, state.group_fills, state.orders);
  const auto matches = [&](const auto& entity) {
    bool all = true;
    if constexpr (requires { entity.definition; }) all &= interest.Has(entity.definition.id);
    if constexpr (requires { entity.market; }) all &= interest.Has(entity.market);
    if constexpr (requires { entity.account; }) all &= interest.Has(entity.account);
    return all;
  };
  RETURN_IF_ERROR(machine.Save([&](engine::Bytes bytes) -> absl::Status {
    ASSIGN_OR_RETURN(const engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
    const auto take = [&]<typename Part>(const Part& read) {
      if constexpr (std::is_same_v<Part, engine::SnapshotSummary>) {
        state.summary = read;
      } else if constexpr (!std::is_same_v<Part, engine::SnapshotEnd>) {
        std::ranges::copy_if(read, std::back_inserter(std::get<Part&>(lists)), matches);
      }
    };
    std::visit(take, part);
    return absl::OkStatus();
  }));
  return state;
}

absl::Status LogSlicer::LeadIn(StateParts state, const ClientIds& client_ids) {
  StateCommands lead = CommandsThatLeadTo(std::move(state), client_ids);
  for (const LogEntry& entry : lead.log) {
    RETURN_IF_ERROR(put_(ToCommand(entry.row), entry.bytes()).status());
  }
  report_.added_count = lead.log.size();
  report_.lost = std::move(lead.lost);
  names_ = std::move(lead.orders);
  at_slice_ = engine::SequenceNumber(lead.log.size());
  ended_ = OrderId(1);
  has_all_ = false;
  return absl::OkStatus();
}

bool LogSlicer::Keeps(const Command& command, bool wanted) const {
  const engine::CommandKindInfo& info = engine::InfoOf(command.kind);
  if (!wanted && info.scope == engine::Scope::kOrders) return false;
  if (command.market != engine::MarketId() && !interest_.Has(command.market)) return false;
  // Account zero means the operator, except in order commands.
  const bool is_of_an_order = info.makes_an_order || info.names_an_order;
  if (command.account == engine::AccountId() && !is_of_an_order) return true;
  return interest_.Has(command.account);
}

OrderId LogSlicer::NameOf(OrderId order) const {
  if (has_all_ || order == OrderId()) return order;
  if (order.value() >= at_whole_.value()) {
    // The order does not exist yet, and must not exist in the slice either.
    const uint64_t ahead = order.value() - at_whole_.value();
    const uint64_t room = std::numeric_limits<uint64_t>::max() - at_slice_.value();
    return OrderId(at_slice_.value() + std::min(ahead, room));
  }
  const auto found = names_.find(order.value());
  return found == names_.end() ? ended_ : found->second.id;
}

engine::Quantity LogSlicer::WithoutFilledBefore(engine::Quantity quantity, OrderId order) const {
  const auto found = names_.find(order.value());
  return found == names_.end() ? quantity : quantity - std::min(quantity, found->second.filled);
}

absl::Status LogSlicer::Next(const journal::Record& record, std::span<const Event> events,
                             bool wanted) {
  Command command = ToCommand(*record.row);
  at_whole_ = command.sequence;
  ++report_.seen_count;
  if (!Keeps(command, wanted)) {
    has_all_ = false;
    return LetExpire(events, command.timestamp);
  }
  at_slice_ = at_slice_.Next();
  if (report_.kept_count++ == 0) {
    report_.first_kept = at_whole_;
    report_.first_kept_in_slice = at_slice_;
  }
  if (engine::InfoOf(command.kind).makes_an_order) {
    names_[at_whole_.value()] = {.id = engine::OrderIdOf(at_slice_), .filled = {}};
  } else if (ended_ == OrderId()) {
    ended_ = engine::OrderIdOf(at_slice_);
  }
  command.sequence = at_slice_;
  if (command.kind == CommandKind::kAmend) {
    // An amend gives the total quantity; the slice's order excludes what was filled before.
    command.quantity = WithoutFilledBefore(command.quantity, command.order_id);
  }
  if (NamesAnOrder(command.kind)) command.order_id = NameOf(command.order_id);
  ASSIGN_OR_RETURN(const std::span<const Event> answer, put_(command, record.attachment));
  Compare(command, events, answer);
  return absl::OkStatus();
}

void LogSlicer::LeaveOut(uint64_t count) {
  report_.seen_count += count;
  has_all_ = has_all_ && count == 0;
}

// The command left out may have been the first one after an order's expiry time.
absl::Status LogSlicer::LetExpire(std::span<const Event> events, engine::Timestamp time) {
  std::vector<Event> expired;
  std::ranges::copy_if(events, std::back_inserter(expired), [&](const Event& event) {
    return event.kind == EventKind::kCancelled &&
           event.cancel_reason() == engine::CancelReason::kExpired &&
           names_.contains(event.order_id.value());
  });
  if (expired.empty()) return absl::OkStatus();
  at_slice_ = at_slice_.Next();
  ++report_.added_count;
  Command advance;
  advance.sequence = at_slice_;
  advance.timestamp = time;
  advance.kind = CommandKind::kAdvanceTime;
  ASSIGN_OR_RETURN(const std::span<const Event> answer, put_(advance, {}));
  Compare(advance, expired, answer.first(answer.size() - 1));
  return absl::OkStatus();
}

// Rewrites an event of the whole to the event that the slice should emit for `command`.
void LogSlicer::Renumber(Event& event, const Command& command) const {
  event.sequence = at_slice_;
  if (event.kind == EventKind::kAmended) {
    event.quantity = WithoutFilledBefore(event.quantity, event.order_id);
  }
  // An amend to less than was filled before is an amend to zero in the slice.
  if (event.kind == EventKind::kRejected && command.kind == CommandKind::kAmend &&
      event.reject_reason() == engine::RejectReason::kQuantityNotAboveFilled &&
      command.quantity.is_zero()) {
    event.detail = static_cast<uint8_t>(engine::RejectReason::kQuantityZero);
  }
  // A rejection repeats the command's order_id; it is an order only if the command names one.
  const engine::EventKindInfo& info = engine::InfoOf(event.kind);
  const bool names_an_order = event.kind == EventKind::kRejected
                                  ? NamesAnOrder(command.kind)
                                  : info.order_id.type == engine::FieldType::kOrder;
  if (names_an_order) event.order_id = NameOf(event.order_id);
  if (info.counter_order_id.type == engine::FieldType::kOrder) {
    event.counter_order_id = NameOf(event.counter_order_id);
  }
}

// Returns the events that must be equal in the whole and the slice, without fields that may differ.
std::vector<Event> LogSlicer::Comparable(std::span<const Event> events) const {
  std::vector<Event> comparable;
  comparable.reserve(events.size());
  for (Event event : events) {
    if (event.market != engine::MarketId() && !interest_.Has(event.market)) continue;
    if (!interest_.is_everything()) {
      // Balances also depend on other markets and accounts, which are not in the slice.
      if (event.kind == EventKind::kBalance) {
        event.counter_order_id = {};
        event.quantity_remaining = {};
      }
      if (event.kind == EventKind::kMassCancelled) event.quantity = {};
      event.index = 0;
    }
    comparable.push_back(event);
  }
  return comparable;
}

void LogSlicer::Compare(const Command& command, std::span<const Event> whole,
                        std::span<const Event> slice) {
  std::vector<Event> expected = Comparable(whole);
  for (Event& event : expected) Renumber(event, command);
  std::vector<Event> found = Comparable(slice);
  if (expected == found) return;
  if (++report_.different_count > kSliceDifferencesMax) return;
  report_.first_differences.push_back({.in_whole = at_whole_,
                                       .in_slice = at_slice_,
                                       .whole = std::move(expected),
                                       .slice = std::move(found)});
}

}  // namespace replay
