#include "tools/cli/compare/difference_report.h"

#include <algorithm>
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
#include "replay/compare/failure_class.h"
#include "replay/compare/log_items.h"
#include "replay/log_source.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::Event;
using engine::RestingOrder;
using replay::Difference;
using replay::Outcome;

void AddSide(Report& report, absl::string_view name, absl::string_view side, const Outcome& outcome,
             size_t i, const engine::MessageText& text) {
  std::string line = "(nothing)";
  if (outcome.ended.has_value()) {
    line = absl::StrCat("(it ended: ", *outcome.ended, ")");
  } else if (i < outcome.events.size()) {
    line = text.Format(outcome.events[i]);
  }
  report.Row(name, side, "  ", Styled(Style::kRed, line));
}

// Adds the fields that differ, if both events are of the same kind.
void AddFields(Report& report, const Event& a, const Event& b) {
  if (a.kind != b.kind) {
    return report.Row("", "   kind: ", engine::NameOf(a.kind), " against ", engine::NameOf(b.kind));
  }
  for (const replay::FieldDifference& field : replay::DifferingFields(a, b)) {
    report.Row("", "   ", field.field, ": ", field.a, " against ", field.b);
  }
}

void AddEvents(Report& report, const Difference& difference, const engine::MessageText& text) {
  const auto& a = difference.a.events;
  const auto& b = difference.b.events;
  const size_t count = std::max({a.size(), b.size(), size_t{1}});
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(count, kShown); ++i) {
    const bool both = i < a.size() && i < b.size();
    const std::string name = absl::StrCat("event ", i);
    if (both && a[i] == b[i]) {
      report.Row(name, "=  ", text.Format(a[i]));
      continue;
    }
    AddSide(report, name, "A", difference.a, i, text);
    AddSide(report, "", "B", difference.b, i, text);
    if (both) AddFields(report, a[i], b[i]);
  }
  if (count > kShown) report.Row("", "... and ", count - kShown, " more");
  if (difference.what == Difference::What::kState) {
    report.Row("state", "A  ", difference.a.state);
    report.Row("", "B  ", difference.b.state);
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

std::vector<std::string> NextCommands(const DescribedDifference& found) {
  const std::string journal = ShellWord(found.path);
  const uint64_t sequence = found.difference.sequence().value();
  const engine::Command& command = found.difference.command;
  // The book before the command: that of its own market, not of the previous command's.
  const engine::MarketDefinition* market =
      replay::IsAboutOrders(command.kind) ? found.markets().Find(command.market) : nullptr;
  return {
      absl::StrCat("ticktape inspect ", journal, " @", sequence > 1 ? sequence - 1 : 1,
                   market == nullptr ? "" : absl::StrCat(" --market ", ShellWord(market->symbol))),
      absl::StrCat("ticktape minimize ", journal, " --engine-a ", ShellWord(found.engine_a),
                   " --engine-b ", ShellWord(found.engine_b), " -o found")};
}

// Adds the fields of one engine.
void AddSideFields(JsonObject& json, absl::string_view name, absl::string_view engine,
                   const replay::SubjectIdentity& identity, const Outcome& outcome,
                   absl::string_view rule, const std::vector<RestingOrder>& queue,
                   const DescribedDifference& found) {
  json.BeginObject(name);
  json.Field("engine", engine);
  json.Field("name", identity.name);
  json.Field("build", identity.build_id);
  json.Field("semantics_version", identity.semantics_version);
  json.Field("ended", outcome.ended);
  json.Field("state_digest", outcome.state);
  json.Field("rule", rule);
  json.Objects("events", outcome.events, [&](const Event& event) {
    WriteEvent(json, event, found.difference.command.timestamp, found.markets());
  });
  json.Objects("queue", queue, [&](const RestingOrder& order) {
    json.Field("order", order.id);
    json.Field("priority", order.priority);
    WriteQuantity(json, "remaining", order.quantity_remaining, found.markets().Find(order.market));
  });
  json.EndObject();
}

}  // namespace

absl::StatusOr<DescribedDifference> DescribedDifference::Make(
    const OpenedJournal& opened, EngineStates& states, const std::string& engine_a,
    replay::Subject& a, const std::string& engine_b, replay::Subject& b,
    const replay::Difference& difference) {
  replay::JournalSource source(*opened.reader);
  ASSIGN_OR_RETURN(replay::Explanation explanation,
                   replay::Explain(source, a, b, difference, &states.states()));
  DescribedDifference found = {.path = std::string(opened.directory->path()),
                               .engine_a = engine_a,
                               .engine_b = engine_b,
                               .identity_a = a.identity(),
                               .identity_b = b.identity(),
                               .difference = difference,
                               .explanation = std::move(explanation),
                               .follower = {}};
  RETURN_IF_ERROR(states.FollowMarkets(*opened.reader, difference.sequence(), found.follower));
  return found;
}

void DescribedDifference::AddRows(Report& report) const {
  const engine::MessageText text(markets());
  report.Line(Styled(Style::kRed, "DIFFERENT"), " at @", difference.sequence(), "  (",
              difference.command.timestamp, ")  ", path);
  report.Row("command", text.Format(difference.command, difference.attachment));
  report.Row("engine A", identity_a.name, "; ", identity_a.build_id);
  report.Row("engine B", identity_b.name, "; ", identity_b.build_id);
  report.Row("class", replay::FailureClass(difference));
  AddEvents(report, difference, text);
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
      report.Row("", "   ", text.Format(entry.event));
    }
  }
  const std::vector<std::string> next = NextCommands(*this);
  for (size_t i = 0; i < next.size(); ++i) report.Row(i == 0 ? "next" : "", next[i]);
}

void DescribedDifference::AddFields(JsonObject& json) const {
  json.BeginObject("difference");
  json.Field("sequence", difference.sequence());
  json.Field("class", replay::FailureClass(difference));
  json.BeginObject("command");
  WriteCommand(json, difference.command, difference.attachment, markets());
  json.EndObject();
  AddSideFields(json, "a", engine_a, identity_a, difference.a, explanation.rule_a,
                explanation.queue_a, *this);
  AddSideFields(json, "b", engine_b, identity_b, difference.b, explanation.rule_b,
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
