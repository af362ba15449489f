#include "replay/exchange_vocabulary.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/market_definition.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::RejectReason;

// What came of a command, as its events tell it.
enum class CommandOutcome : uint16_t {
  kRest,      // A new order that did not trade and rests.
  kNoFill,    // A new order that did not trade and ended: immediate or cancel.
  kOneFill,   // An order that traded once.
  kSweep,     // An order that traded more than once.
  kHit,       // A command that names a live order, accepted.
  kMiss,      // A command that names an unknown order or one that has ended.
  kRejected,  // Rejected for any other reason.
  kDone,      // Anything else: definitions, accounts, time.
};
constexpr std::array<const char*, 8> kOutcomeNames = {"rest", "no fill", "one fill", "sweep",
                                                      "hit",  "miss",    "reject",   "done"};

CommandOutcome OutcomeOfCommand(const engine::Command& command, std::span<const Event> events) {
  uint64_t trades = 0;
  bool has_ended = false;
  for (const Event& event : events) {
    if (event.kind == EventKind::kRejected) {
      const bool is_miss = event.reject_reason() == RejectReason::kUnknownOrder ||
                           event.reject_reason() == RejectReason::kOrderNotLive;
      return is_miss ? CommandOutcome::kMiss : CommandOutcome::kRejected;
    }
    if (event.kind == EventKind::kTrade) ++trades;
    has_ended |=
        event.kind == EventKind::kCancelled && event.order_id.value() == command.sequence.value();
  }
  if (trades > 0) return trades == 1 ? CommandOutcome::kOneFill : CommandOutcome::kSweep;
  if (command.kind == CommandKind::kNewOrder) {
    return has_ended ? CommandOutcome::kNoFill : CommandOutcome::kRest;
  }
  return NamesAnOrder(command.kind) ? CommandOutcome::kHit : CommandOutcome::kDone;
}

const Event& AsEvent(const Output& output) { return AsEvents({&output, 1}).front(); }

// The fields of an event as plain counts, which need no market.
std::vector<NamedValue> FieldsOfEvent(const Event& event) {
  std::vector<NamedValue> fields;
  const auto add = [&fields](absl::string_view name, std::integral auto value) {
    fields.push_back({.name = std::string(name), .value = absl::StrCat(value)});
  };
  const auto add_name = [&fields](absl::string_view name, std::string value) {
    fields.push_back({.name = std::string(name), .value = std::move(value), .is_text = true});
  };
  if (event.kind == EventKind::kBalance) {
    add("order", event.order_id.value());
    add("change", event.change().micros());
    add("fee", event.fee().micros());
    add("balance", event.balance().micros());
    add("reserved", event.reserved().micros());
  } else {
    const bool is_trade = event.kind == EventKind::kTrade;
    add(is_trade ? "maker" : "order", event.order_id.value());
    add(is_trade ? "taker" : "from", event.counter_order_id.value());
    add(event.kind == EventKind::kPosition ? "position" : "price", event.price.units());
    add("quantity", event.quantity.units());
    add("remaining", event.quantity_remaining.units());
  }
  add("account", event.account.value());
  add("market", event.market.value());
  add_name("side", engine::NameOf(event.side));
  switch (event.kind) {
    case EventKind::kRejected:
      add_name("reason", NameOf(event.reject_reason()));
      break;
    case EventKind::kCancelled:
      add_name("reason", NameOf(event.cancel_reason()));
      break;
    case EventKind::kAmended:
      add_name("priority", NameOf(event.priority()));
      break;
    default:
      add("detail", unsigned{event.detail});
  }
  return fields;
}

}  // namespace

void FollowMarkets(const journal::Record& record, engine::MarketDirectory& markets) {
  if (record.attachment.empty()) return;
  const engine::Command command = ToCommand(*record.row);
  if (command.kind != CommandKind::kDefineMarket) return;
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  if (definition.ok() && definition->id == command.market) markets.Add(*std::move(definition));
}

void FollowMarkets(const journal::Batch& batch, engine::MarketDirectory& markets) {
  for (const journal::AttachmentView& attachment : batch.attachments) {
    const size_t index = attachment.sequence - batch.rows.front().sequence;
    FollowMarkets({.row = &batch.rows[index], .attachment = attachment.bytes}, markets);
  }
}

uint16_t ExchangeVocabulary::KindOf(const journal::Row& row) const {
  return static_cast<uint16_t>(ToCommand(row).kind);
}

std::string ExchangeVocabulary::RowKindName(uint16_t kind) const {
  return engine::NameIn(engine::NamesOf(CommandKind()), kind);
}

std::string ExchangeVocabulary::OutputKindName(uint16_t kind) const {
  return engine::NameIn(engine::NamesOf(EventKind()), kind);
}

std::vector<NamedValue> ExchangeVocabulary::Fields(const journal::Record& record) const {
  const engine::Command command = ToCommand(*record.row);
  std::vector<NamedValue> fields;
  for (const engine::Field& field : engine::FieldsOf(command)) {
    const bool is_own = !field.name.empty() && field.name != "sequence" && field.name != "time" &&
                        field.name != "kind";
    if (!is_own) continue;
    fields.push_back({.name = std::string(field.name),
                      .value = engine::FieldText(field.type, field.Get(command), nullptr),
                      .is_text = true});
  }
  return fields;
}

std::vector<NamedValue> ExchangeVocabulary::Fields(const Output& output) const {
  return FieldsOfEvent(AsEvent(output));
}

std::string ExchangeVocabulary::Text(const journal::Record& record) const {
  return text_.Format(ToCommand(*record.row), record.attachment);
}

std::string ExchangeVocabulary::Text(const Output& output) const {
  return text_.Format(AsEvent(output));
}

// "rejected(price_off_tick)", "trade".
std::string ExchangeVocabulary::ClassOf(const Output& output) const {
  const Event& event = AsEvent(output);
  std::string text = engine::NameOf(event.kind);
  if (event.kind == EventKind::kRejected) {
    absl::StrAppend(&text, "(", engine::NameOf(event.reject_reason()), ")");
  } else if (event.kind == EventKind::kCancelled) {
    absl::StrAppend(&text, "(", engine::NameOf(event.cancel_reason()), ")");
  }
  return text;
}

uint16_t ExchangeVocabulary::OutcomeOf(const journal::Row& row,
                                       std::span<const Output> outputs) const {
  return static_cast<uint16_t>(OutcomeOfCommand(ToCommand(row), AsEvents(outputs)));
}

std::string ExchangeVocabulary::OutcomeName(uint16_t outcome) const {
  CHECK(outcome < kOutcomeNames.size()) << "outcome " << outcome;
  return kOutcomeNames[outcome];
}

}  // namespace replay
