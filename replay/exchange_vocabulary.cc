#include "replay/exchange_vocabulary.h"

#include <concepts>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/market_definition.h"
#include "replay/command_outcome.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

using engine::Event;
using engine::EventKind;

const Event& AsEvent(const Output& output) { return AsEvents({&output, 1}).front(); }

// The fields of an event as plain counts, which need no market.
class EventFields {
 public:
  explicit EventFields(const Event& event) : event_(event) {}

  std::vector<NamedValue> List() {
    if (event_.kind == EventKind::kBalance) {
      AddMoney();
    } else {
      AddOrder();
    }
    Add("account", event_.account.value());
    Add("market", event_.market.value());
    AddName("side", engine::NameOf(event_.side));
    AddDetail();
    return std::move(fields_);
  }

 private:
  void Add(absl::string_view name, std::integral auto value) {
    fields_.push_back({.name = std::string(name), .value = absl::StrCat(value)});
  }
  void AddName(absl::string_view name, std::string value) {
    fields_.push_back({.name = std::string(name), .value = std::move(value), .is_text = true});
  }

  void AddMoney() {
    Add("order", event_.order_id.value());
    Add("change", event_.change().micros());
    Add("fee", event_.fee().micros());
    Add("balance", event_.balance().micros());
    Add("reserved", event_.reserved().micros());
  }
  void AddOrder() {
    const bool is_trade = event_.kind == EventKind::kTrade;
    Add(is_trade ? "maker" : "order", event_.order_id.value());
    Add(is_trade ? "taker" : "from", event_.counter_order_id.value());
    Add(event_.kind == EventKind::kPosition ? "position" : "price", event_.price.units());
    Add("quantity", event_.quantity.units());
    Add("remaining", event_.quantity_remaining.units());
  }
  void AddDetail() {
    switch (event_.kind) {
      case EventKind::kRejected:
        return AddName("reason", NameOf(event_.reject_reason()));
      case EventKind::kCancelled:
        return AddName("reason", NameOf(event_.cancel_reason()));
      case EventKind::kAmended:
        return AddName("priority", NameOf(event_.priority()));
      default:
        return Add("detail", unsigned{event_.detail});
    }
  }

  const Event& event_;
  std::vector<NamedValue> fields_;
};

}  // namespace

void FollowMarkets(const journal::Record& record, engine::MarketDirectory& markets) {
  if (record.attachment.empty()) return;
  const engine::Command command = ToCommand(*record.row);
  if (command.kind != engine::CommandKind::kDefineMarket) return;
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  if (definition.ok() && definition->id == command.market) markets.Add(*std::move(definition));
}

uint16_t ExchangeVocabulary::KindOf(const journal::Row& row) const {
  return static_cast<uint16_t>(ToCommand(row).kind);
}

std::string ExchangeVocabulary::RowKindName(uint16_t kind) const {
  return engine::NameIn(engine::NamesOf(engine::CommandKind()), kind);
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
  return EventFields(AsEvent(output)).List();
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
  return static_cast<uint16_t>(replay::OutcomeOf(ToCommand(row), AsEvents(outputs)));
}

std::string ExchangeVocabulary::OutcomeName(uint16_t outcome) const {
  return NameOf(static_cast<CommandOutcome>(outcome));
}

}  // namespace replay
