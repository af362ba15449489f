#include "tools/cli/compare/divergence_report.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/market_definition.h"
#include "engine/views/order_history.h"
#include "replay/command_row.h"
#include "replay/compare/failure.h"
#include "replay/compare/log_items.h"
#include "replay/event_outputs.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::RestingOrder;
using replay::Divergence;
using replay::Outcome;

void AddSide(Report& report, absl::string_view name, absl::string_view side, const Outcome& outcome,
             size_t i, const DescribedDivergence& found) {
  std::string line = "(nothing)";
  if (outcome.ended.has_value()) {
    line = absl::StrCat("(it ended: ", *outcome.ended, ")");
  } else if (i < outcome.outputs.size()) {
    line = found.Text(outcome.outputs[i]);
  }
  report.Row(name, side, "  ", Styled(Style::kRed, line));
}

// Adds the fields that differ, if both outputs are of the same kind.
void AddFields(Report& report, const replay::Output& a, const replay::Output& b,
               const replay::Vocabulary& vocabulary) {
  if (a.kind != b.kind) {
    return report.Row("", "   kind: ", vocabulary.OutputKindName(a.kind), " against ",
                      vocabulary.OutputKindName(b.kind));
  }
  for (const replay::FieldDifference& field : replay::DifferingFields(vocabulary, a, b)) {
    report.Row("", "   ", field.field, ": ", field.a, " against ", field.b);
  }
}

void AddOutputs(Report& report, const DescribedDivergence& found) {
  const Divergence& divergence = found.divergence;
  const auto& a = divergence.a.outputs;
  const auto& b = divergence.b.outputs;
  const size_t count = std::max({a.size(), b.size(), size_t{1}});
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(count, kShown); ++i) {
    const bool both = i < a.size() && i < b.size();
    const std::string name = absl::StrCat(found.is_of_exchange ? "event " : "output ", i);
    if (both && a[i] == b[i]) {
      report.Row(name, "=  ", found.Text(a[i]));
      continue;
    }
    AddSide(report, name, "A", divergence.a, i, found);
    AddSide(report, "", "B", divergence.b, i, found);
    if (both) AddFields(report, a[i], b[i], *found.vocabulary);
  }
  if (count > kShown) report.Row("", "... and ", count - kShown, " more");
  if (divergence.what == Divergence::What::kState) {
    report.Row("state", "A  ", divergence.a.state);
    report.Row("", "B  ", divergence.b.state);
  }
}

std::string QueueText(const std::vector<RestingOrder>& queue,
                      const engine::MarketDefinition* market) {
  constexpr size_t kShown = 12;
  std::string text = "[";
  for (size_t i = 0; i < std::min(queue.size(), kShown); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : "  ", queue[i].id.value(), ": ",
                    QuantityText(queue[i].quantity_remaining, market));
  }
  if (queue.size() > kShown) absl::StrAppend(&text, "  ... ", queue.size() - kShown, " more");
  return text + "]";
}

std::vector<std::string> NextCommands(const DescribedDivergence& found) {
  const std::string journal = ShellWord(found.path);
  const uint64_t sequence = found.divergence.sequence().value();
  std::vector<std::string> next = {absl::StrCat("ticktape minimize ", journal, " --engine-a ",
                                                ShellWord(found.engine_a), " --engine-b ",
                                                ShellWord(found.engine_b), " -o found")};
  if (!found.is_of_exchange) return next;
  const engine::Command command = replay::ToCommand(found.divergence.row);
  // The book before the command: that of its own market, not of the previous command's.
  const engine::MarketDefinition* market =
      replay::IsAboutOrders(command.kind) ? found.markets().Find(command.market) : nullptr;
  next.insert(
      next.begin(),
      absl::StrCat("ticktape inspect ", journal, " @", sequence > 1 ? sequence - 1 : 1,
                   market == nullptr ? "" : absl::StrCat(" --market ", ShellWord(market->symbol))));
  return next;
}

// Adds the fields of one engine.
void AddSideFields(JsonObject& json, absl::string_view name, absl::string_view engine,
                   const replay::SubjectIdentity& identity, const Outcome& outcome,
                   absl::string_view rule, const std::vector<RestingOrder>& queue,
                   const DescribedDivergence& found) {
  json.BeginObject(name);
  json.Field("engine", engine);
  json.Field("name", identity.name);
  json.Field("build", identity.build_id);
  json.Field("semantics_version", identity.semantics_version);
  json.Field("ended", outcome.ended);
  json.Field("state_digest", outcome.state);
  if (found.is_of_exchange) json.Field("rule", rule);
  const engine::Timestamp time = found.divergence.row.timestamp;
  if (!found.is_of_exchange) {
    json.Objects("outputs", outcome.outputs, [&](const replay::Output& output) {
      WriteOutput(json, output, time, *found.vocabulary);
    });
    return json.EndObject();
  }
  json.Objects("events", replay::AsEvents(outcome.outputs),
               [&](const engine::Event& event) { WriteEvent(json, event, time, found.markets()); });
  json.Objects("queue", queue, [&](const RestingOrder& order) {
    json.Field("order", order.id);
    json.Field("priority", order.priority);
    WriteQuantity(json, "remaining", order.quantity_remaining, found.markets().Find(order.market));
  });
  json.EndObject();
}

}  // namespace

absl::StatusOr<DescribedDivergence> DescribedDivergence::Make(
    const OpenedJournal& opened, EngineStates& states, const std::string& engine_a,
    replay::Subject& a, const std::string& engine_b, replay::Subject& b,
    const replay::Divergence& divergence) {
  const bool is_of_exchange = IsOfExchange(opened.reader->info());
  replay::JournalSource source(*opened.reader);
  absl::StatusOr<replay::Explanation> explanation =
      is_of_exchange ? replay::Explain(source, a, b, divergence, &states.states())
                     : absl::StatusOr<replay::Explanation>(replay::Explanation());
  RETURN_IF_ERROR(explanation.status());
  DescribedDivergence found = {.path = std::string(opened.directory->path()),
                               .engine_a = engine_a,
                               .engine_b = engine_b,
                               .identity_a = a.identity(),
                               .identity_b = b.identity(),
                               .divergence = divergence,
                               .vocabulary = VocabularyOf(opened.reader->info()),
                               .is_of_exchange = is_of_exchange,
                               .explanation = *std::move(explanation),
                               .follower = {}};
  if (is_of_exchange) {
    RETURN_IF_ERROR(states.FollowMarkets(*opened.reader, divergence.sequence(), found.follower));
  }
  return found;
}

std::string DescribedDivergence::Text(const journal::Record& record) const {
  if (!is_of_exchange) return vocabulary->Text(record);
  return engine::MessageText(markets()).Format(replay::ToCommand(*record.row), record.attachment);
}

std::string DescribedDivergence::Text(const replay::Output& output) const {
  if (!is_of_exchange) return vocabulary->Text(output);
  return engine::MessageText(markets()).Format(replay::AsEvents({&output, 1}).front());
}

void DescribedDivergence::AddRows(Report& report) const {
  report.Line(Styled(Style::kRed, "DIFFERENT"), " at @", divergence.sequence(), "  (",
              divergence.row.timestamp, ")  ", path);
  report.Row(is_of_exchange ? "command" : "row", Text(divergence.record()));
  report.Row("engine A", identity_a.name, "; ", identity_a.build_id);
  report.Row("engine B", identity_b.name, "; ", identity_b.build_id);
  report.Row("class", failure_class());
  AddOutputs(report, *this);
  if (is_of_exchange) AddExplanation(report);
  const std::vector<std::string> next = NextCommands(*this);
  for (size_t i = 0; i < next.size(); ++i) report.Row(i == 0 ? "next" : "", next[i]);
}

void DescribedDivergence::AddExplanation(Report& report) const {
  if (const auto& level = explanation.level; level.has_value()) {
    const engine::MarketDefinition* market = markets().Find(level->market);
    report.Row("queue", MarketText(level->market, market), " ", engine::NameOf(level->side), " ",
               PriceText(level->price, market), ", afterwards (order: remaining)");
    report.Row("", "A  ", QueueText(explanation.queue_a, market));
    report.Row("", "B  ", QueueText(explanation.queue_b, market));
  }
  report.Row("rule (RULES.md)", "A  ", explanation.rule_a);
  report.Row("", "B  ", explanation.rule_b);
  if (const auto& life = explanation.life; life.has_value()) {
    report.Row("life", "order ", life->order(), ": ", engine::NameOf(life->status()),
               ", as A tells it");
    constexpr size_t kShown = 12;
    const auto entries = life->entries();
    const size_t first = entries.size() > kShown ? entries.size() - kShown : 0;
    if (first > 0) report.Row("", "   ... ", first, " earlier");
    for (const auto& entry : entries.subspan(first)) {
      report.Row("", "   ", engine::MessageText(markets()).Format(entry.event));
    }
  }
}

void DescribedDivergence::AddFields(JsonObject& json) const {
  json.BeginObject("difference");
  json.Field("sequence", divergence.sequence());
  json.Field("class", failure_class());
  if (is_of_exchange) {
    json.BeginObject("command");
    WriteCommand(json, replay::ToCommand(divergence.row), divergence.attachment, markets());
  } else {
    json.BeginObject("row");
    WriteRow(json, divergence.record(), *vocabulary);
  }
  json.EndObject();
  AddSideFields(json, "a", engine_a, identity_a, divergence.a, explanation.rule_a,
                explanation.queue_a, *this);
  AddSideFields(json, "b", engine_b, identity_b, divergence.b, explanation.rule_b,
                explanation.queue_b, *this);
  if (const auto& level = explanation.level; level.has_value()) {
    const engine::MarketDefinition* market = markets().Find(level->market);
    json.BeginObject("level");
    json.Field("market", MarketText(level->market, market));
    json.Field("side", engine::NameOf(level->side));
    WritePrice(json, "price", level->price, market);
    json.EndObject();
  }
  if (const auto& life = explanation.life; life.has_value()) {
    json.Field("order", life->order());
    json.Objects("life", life->entries(),
                 [&](const auto& entry) { WriteEvent(json, entry.event, entry.time, markets()); });
  }
  json.Texts("next", NextCommands(*this));
  json.EndObject();
}

}  // namespace tools
