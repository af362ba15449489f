#include "replay/compare/explanation.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/messages/names.h"
#include "engine/state/snapshot_parts.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/failure.h"
#include "replay/compare/snapshot_states.h"
#include "replay/event_outputs.h"
#include "replay/exchange_vocabulary.h"
#include "replay/output.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::RestingOrder;

bool HasPrice(const Event& event) {
  return engine::IsValid(event.side) && event.kind != EventKind::kBalance &&
         event.kind != EventKind::kPosition && event.kind != EventKind::kRejected;
}

// Returns the first event that differs, of A or else of B, if it has a price; null if none has.
const Event* PricedEvent(const Divergence& divergence) {
  const size_t i = FirstDifferingOutput(divergence);
  for (const auto* outputs : {&divergence.a.outputs, &divergence.b.outputs}) {
    const auto events = AsEvents(*outputs);
    if (i < events.size() && HasPrice(events[i])) return &events[i];
  }
  return nullptr;
}

absl::StatusOr<std::vector<RestingOrder>> OrdersUnlessEnded(Subject& subject,
                                                            const Outcome& outcome,
                                                            engine::MarketId market,
                                                            engine::Side side) {
  if (outcome.ended.has_value()) return std::vector<RestingOrder>();
  return subject.Orders(market, side);
}

// Returns the level of the first order that only one engine has, or that differs between them.
absl::StatusOr<std::optional<PriceLevel>> LevelOfState(Subject& a, Subject& b,
                                                       const Divergence& divergence) {
  for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
    const engine::MarketId market = ToCommand(divergence.entry.row).market;
    ASSIGN_OR_RETURN(const auto orders_a, OrdersUnlessEnded(a, divergence.a, market, side));
    ASSIGN_OR_RETURN(const auto orders_b, OrdersUnlessEnded(b, divergence.b, market, side));
    std::map<engine::OrderId, const RestingOrder*> only_one;
    for (const RestingOrder& order : orders_a) only_one[order.id] = &order;
    for (const RestingOrder& order : orders_b) {
      const auto [found, added] = only_one.emplace(order.id, &order);
      if (!added && *found->second == order) only_one.erase(found);
    }
    if (!only_one.empty()) return PriceLevel{market, side, only_one.begin()->second->price};
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<PriceLevel>> LevelConcerned(Subject& a, Subject& b,
                                                         const Divergence& divergence) {
  if (divergence.what == Divergence::What::kState) return LevelOfState(a, b, divergence);
  if (const Event* const event = PricedEvent(divergence)) {
    return PriceLevel{event->market, event->side, event->price};
  }
  const Command command = ToCommand(divergence.entry.row);
  if (command.kind == CommandKind::kNewOrder && engine::IsValid(command.side)) {
    return PriceLevel{command.market, command.side, command.price};
  }
  return LevelOfState(a, b, divergence);
}

absl::StatusOr<std::vector<RestingOrder>> QueueOf(Subject& subject, const Outcome& outcome,
                                                  const PriceLevel& level) {
  ASSIGN_OR_RETURN(std::vector<RestingOrder> orders,
                   OrdersUnlessEnded(subject, outcome, level.market, level.side));
  std::erase_if(orders, [&](const RestingOrder& order) { return order.price != level.price; });
  return orders;
}

engine::OrderId OrderConcerned(const Divergence& divergence) {
  const Command command = ToCommand(divergence.entry.row);
  if (NamesAnOrder(command.kind)) return command.order_id;
  if (const Event* const event = PricedEvent(divergence)) return event->order_id;
  return command.kind == CommandKind::kNewOrder ? engine::OrderIdOf(command.sequence)
                                                : engine::OrderId();
}

// How many records a replay of `born` to `last` applies, with those since the state that it begins
// at.
uint64_t ReplayBetween(engine::SequenceNumber born, engine::SequenceNumber last,
                       SnapshotStates* states) {
  const SavedState* const state = states == nullptr ? nullptr : states->Newest(born - 1);
  return last - (state == nullptr ? engine::SequenceNumber() : state->sequence);
}

// Replays from the order's own command on; earlier events do not concern it.
absl::StatusOr<engine::OrderHistory> LifeOf(LogSource& source, Subject& subject,
                                            engine::OrderId order, engine::SequenceNumber last,
                                            SnapshotStates* states) {
  engine::OrderHistory life(order);
  const engine::SequenceNumber born(order.value());
  RETURN_IF_ERROR(BringTo(source, subject, born - 1, states));
  RETURN_IF_ERROR(source.Seek(born));
  for (engine::SequenceNumber at = born - 1; at < last;) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    const journal::Batch part = run.Part(0, last - at);
    const absl::StatusOr<Answer> answer = Put(subject, part, {});
    if (!answer.ok()) break;  // It ended; no further events exist.
    ASSIGN_OR_RETURN(std::span<const Output> outputs, subject.Outputs());
    for (const journal::Row& row : part.rows) {
      life.OnEvents(ToCommand(row), AsEvents(TakeOutputsOf(row.sequence, outputs)));
    }
    at = part.rows.back().sequence;
  }
  return life;
}

// Adds the markets of the state; returns false if it is not one of an exchange.
bool AddMarkets(const SavedState& state, engine::MarketDirectory& markets) {
  for (const std::vector<std::byte>& bytes : state.parts) {
    const absl::StatusOr<engine::SnapshotPart> part = engine::DecodeSnapshotPart(bytes);
    if (!part.ok()) return false;
    const auto* const list = std::get_if<std::vector<engine::SnapshotMarket>>(&*part);
    if (list == nullptr) continue;
    for (const engine::SnapshotMarket& market : *list) markets.Add(market.definition);
  }
  return true;
}

absl::StatusOr<engine::MarketDirectory> MarketsBefore(LogSource& source,
                                                      engine::SequenceNumber first,
                                                      SnapshotStates* states) {
  engine::MarketDirectory markets;
  const SavedState* const state = states == nullptr ? nullptr : states->Newest(first - 1);
  const bool is_known = state != nullptr && AddMarkets(*state, markets);
  engine::SequenceNumber at = is_known ? state->sequence : engine::SequenceNumber();
  RETURN_IF_ERROR(source.Seek(at.Next()));
  while (at.Next() < first) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    const journal::Batch part = run.Part(0, first - at - 1);
    FollowMarkets(part, markets);
    at = part.rows.back().sequence;
  }
  return markets;
}

std::string RuleApplied(const Divergence& divergence, const Outcome& outcome) {
  if (outcome.ended.has_value()) return absl::StrCat("none: it ended, ", *outcome.ended);
  const auto events = AsEvents(outcome.outputs);
  // Another engine may violate the rule that every command causes an event.
  if (events.empty()) return "none: it says nothing";
  if (divergence.what == Divergence::What::kState) {
    return absl::StrCat(RuleOf(events.front()), "; the state differs");
  }
  const size_t i = FirstDifferingOutput(divergence);
  if (i < events.size()) return RuleOf(events[i]);
  return absl::StrCat("nothing more after ", RuleOf(events.back()));
}

}  // namespace

std::string RuleOf(const Event& event) {
  const engine::Meaning detail = engine::InfoOf(event.kind).detail;
  std::string rule = absl::StrCat(engine::RulesSectionOf(event), ": ", engine::NameOf(event.kind));
  if (detail.name == "reason" || detail.name == "priority") {
    absl::StrAppend(&rule, detail.name == "priority" ? ", priority " : ", ",
                    engine::FieldText(detail.type, event.detail, nullptr));
  }
  return rule;
}

absl::StatusOr<Explanation> Explain(LogSource& source, Subject& a, Subject& b,
                                    const Divergence& divergence, SnapshotStates* states,
                                    uint64_t life_replay_max) {
  Explanation explanation;
  explanation.rule_a = RuleApplied(divergence, divergence.a);
  explanation.rule_b = RuleApplied(divergence, divergence.b);
  ASSIGN_OR_RETURN(explanation.level, LevelConcerned(a, b, divergence));
  if (explanation.level.has_value()) {
    ASSIGN_OR_RETURN(explanation.queue_a, QueueOf(a, divergence.a, *explanation.level));
    ASSIGN_OR_RETURN(explanation.queue_b, QueueOf(b, divergence.b, *explanation.level));
  }
  const engine::SequenceNumber last = divergence.sequence();
  const engine::OrderId order = OrderConcerned(divergence);
  if (order.value() <= last.value()) explanation.order = order;
  if (explanation.order != engine::OrderId() &&
      ReplayBetween(engine::SequenceNumber(order.value()), last, states) <= life_replay_max) {
    absl::StatusOr<engine::OrderHistory> life = LifeOf(source, a, order, last, states);
    if (life.ok()) explanation.life.emplace(*std::move(life));
    if (!life.ok() && !absl::IsAborted(life.status())) return life.status();
  }
  ASSIGN_OR_RETURN(explanation.markets, MarketsBefore(source, last, states));
  return explanation;
}

}  // namespace replay
