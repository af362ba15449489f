#include "tools/cli/compare/difference_report.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/market_definition.h"
#include "engine/views/order_history.h"
#include "replay/compare/failure_class.h"
#include "replay/compare/log_items.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::Event;
using engine::RestingOrder;
using replay::Difference;
using replay::Outcome;

// ---- For people

void PrintSide(Console& console, absl::string_view name, absl::string_view side,
               const Outcome& outcome, size_t i, bool differs, const engine::MessageText& text) {
  std::string line = "(nothing)";
  if (outcome.ended.has_value()) {
    line = absl::StrCat("(it ended: ", *outcome.ended, ")");
  } else if (i < outcome.events.size()) {
    line = text.Format(outcome.events[i]);
  }
  PrintRow(
      console, name,
      ConsoleText::Of(side, "  ", differs ? console.Styled(Style::kRed, line) : ConsoleText(line)));
}

// Prints the fields that differ, if both events are of the same kind.
void PrintFields(Console& console, const Event& a, const Event& b) {
  if (a.kind != b.kind) {
    PrintRow(
        console, "",
        absl::StrCat("   kind: ", engine::NameOf(a.kind), " against ", engine::NameOf(b.kind)));
    return;
  }
  for (const replay::FieldDifference& field : replay::DifferingFields(a, b)) {
    PrintRow(console, "", absl::StrCat("   ", field.field, ": ", field.a, " against ", field.b));
  }
}

void PrintEvents(Console& console, const Difference& difference, const engine::MessageText& text) {
  const auto& a = difference.a.events;
  const auto& b = difference.b.events;
  const size_t count = std::max({a.size(), b.size(), size_t{1}});
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(count, kShown); ++i) {
    const bool both = i < a.size() && i < b.size();
    const std::string name = absl::StrCat("event ", i);
    if (both && a[i] == b[i]) {
      PrintRow(console, name, absl::StrCat("=  ", text.Format(a[i])));
      continue;
    }
    PrintSide(console, name, "A", difference.a, i, true, text);
    PrintSide(console, "", "B", difference.b, i, true, text);
    if (both) PrintFields(console, a[i], b[i]);
  }
  if (count > kShown) PrintRow(console, "", absl::StrCat("... and ", count - kShown, " more"));
  if (difference.what == Difference::What::kState) {
    PrintRow(console, "state", absl::StrCat("A  ", difference.a.state.ToString()));
    PrintRow(console, "", absl::StrCat("B  ", difference.b.state.ToString()));
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

void PrintQueues(Console& console, const DifferenceReport& report) {
  const auto& level = report.explanation.level;
  if (!level.has_value()) return;
  const engine::MarketDefinition* market = report.markets.Find(level->market);
  PrintRow(console, "queue",
           absl::StrCat(MarketText(level->market, market), " ", engine::NameOf(level->side), " ",
                        PriceText(level->price, market), ", afterwards (order: remaining)"));
  PrintRow(console, "", absl::StrCat("A  ", QueueText(report.explanation.queue_a, market)));
  PrintRow(console, "", absl::StrCat("B  ", QueueText(report.explanation.queue_b, market)));
}

void PrintLife(Console& console, const DifferenceReport& report, const engine::MessageText& text) {
  const auto& life = report.explanation.life;
  if (!life.has_value()) return;
  PrintRow(console, "life",
           absl::StrCat("order ", life->order().value(), ": ", engine::NameOf(life->status()),
                        ", as A tells it"));
  constexpr size_t kShown = 12;
  const auto entries = life->entries();
  const size_t first = entries.size() > kShown ? entries.size() - kShown : 0;
  if (first > 0) PrintRow(console, "", absl::StrCat("   ... ", first, " earlier"));
  for (const auto& entry : entries.subspan(first)) {
    PrintRow(console, "", absl::StrCat("   ", text.Format(entry.event)));
  }
}

std::vector<std::string> NextCommands(const DifferenceReport& report) {
  const std::string journal = ShellWord(report.path);
  const uint64_t sequence = report.difference.sequence().value();
  const engine::Command& command = report.difference.command;
  // The book before the command: that of its own market, not of the previous command's.
  const engine::MarketDefinition* market =
      replay::IsAboutOrders(command.kind) ? report.markets.Find(command.market) : nullptr;
  return {
      absl::StrCat("ticktape inspect ", journal, " @", sequence > 1 ? sequence - 1 : 1,
                   market == nullptr ? "" : absl::StrCat(" --market ", ShellWord(market->symbol))),
      absl::StrCat("ticktape minimize ", journal, " --engine-a ", ShellWord(report.engine_a),
                   " --engine-b ", ShellWord(report.engine_b), " -o found")};
}

// ---- JSON

void WriteSide(JsonObject& json, absl::string_view name, absl::string_view engine,
               const replay::SubjectIdentity& identity, const Outcome& outcome,
               absl::string_view rule, const std::vector<RestingOrder>& queue,
               const DifferenceReport& report) {
  json.BeginObject(name);
  json.Field("engine", engine);
  json.Field("name", identity.name);
  json.Field("build", identity.build_id);
  json.Field("semantics_version", identity.semantics_version);
  if (outcome.ended.has_value()) json.Field("ended", *outcome.ended);
  json.Field("state_digest", outcome.state.ToString());
  json.Field("rule", rule);
  json.BeginArray("events");
  for (const Event& event : outcome.events) {
    json.BeginElement();
    WriteEvent(json, event, report.difference.command.timestamp, report.markets);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("queue");
  for (const RestingOrder& order : queue) {
    json.BeginElement();
    json.Field("order", order.id.value());
    json.Field("priority", order.priority.value());
    WriteQuantity(json, "remaining", order.quantity_remaining, report.markets.Find(order.market));
    json.EndElement();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string ShellWord(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t'\"$`\\*?&|;<>()#!") == word.npos;
  return plain ? word : absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

void PrintDifference(Console& console, const DifferenceReport& report) {
  const Difference& difference = report.difference;
  const engine::MessageText text(report.markets);
  console.PrintLine(console.Styled(Style::kRed, "DIFFERENT"), " at @",
                    difference.sequence().value(), "  (", difference.command.timestamp.ToString(),
                    ")  ", report.path);
  PrintRow(console, "command", text.Format(difference.command, difference.attachment));
  PrintRow(console, "engine A",
           absl::StrCat(report.identity_a.name, "; ", report.identity_a.build_id));
  PrintRow(console, "engine B",
           absl::StrCat(report.identity_b.name, "; ", report.identity_b.build_id));
  PrintRow(console, "class", replay::FailureClass(difference));
  PrintEvents(console, difference, text);
  PrintQueues(console, report);
  PrintRow(console, "rule (RULES.md)", absl::StrCat("A  ", report.explanation.rule_a));
  PrintRow(console, "", absl::StrCat("B  ", report.explanation.rule_b));
  PrintLife(console, report, text);
  const std::vector<std::string> next = NextCommands(report);
  for (size_t i = 0; i < next.size(); ++i) PrintRow(console, i == 0 ? "next" : "", next[i]);
}

void WriteDifference(JsonObject& json, const DifferenceReport& report) {
  const Difference& difference = report.difference;
  const auto& explanation = report.explanation;
  json.BeginObject("difference");
  json.Field("sequence", difference.sequence().value());
  json.Field("class", replay::FailureClass(difference));
  json.BeginObject("command");
  WriteCommand(json, difference.command, difference.attachment, report.markets);
  json.EndObject();
  WriteSide(json, "a", report.engine_a, report.identity_a, difference.a, explanation.rule_a,
            explanation.queue_a, report);
  WriteSide(json, "b", report.engine_b, report.identity_b, difference.b, explanation.rule_b,
            explanation.queue_b, report);
  if (explanation.level.has_value()) {
    const engine::MarketDefinition* market = report.markets.Find(explanation.level->market);
    json.BeginObject("level");
    json.Field("market", MarketText(explanation.level->market, market));
    json.Field("side", engine::NameOf(explanation.level->side));
    WritePrice(json, "price", explanation.level->price, market);
    json.EndObject();
  }
  if (explanation.life.has_value()) {
    json.Field("order", explanation.life->order().value());
    json.BeginArray("life");
    for (const auto& entry : explanation.life->entries()) {
      json.BeginElement();
      WriteEvent(json, entry.event, entry.time, report.markets);
      json.EndElement();
    }
    json.EndArray();
  }
  json.BeginArray("next");
  for (const std::string& command : NextCommands(report)) json.Element(command);
  json.EndArray();
  json.EndObject();
}

}  // namespace tools
