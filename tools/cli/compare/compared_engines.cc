#include "tools/cli/compare/compared_engines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/market_definition.h"
#include "engine/views/order_history.h"
#include "replay/command_row.h"
#include "replay/compare/failure.h"
#include "replay/compare/log_items.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/log_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/format.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/snapshots.h"

namespace tools {
namespace {

using engine::RestingOrder;
using replay::Divergence;

// What the report has of each engine.
struct Side {
  const char* title;
  const char* field;
  const std::string& engine;
  const replay::SubjectIdentity& identity;
  const replay::Outcome& outcome;
  const std::string& rule;
  const std::vector<RestingOrder>& queue;
};

std::array<Side, 2> SidesOf(const DescribedDivergence& found) {
  const ComparedEngines& engines = found.engines;
  const replay::Explanation& explanation = found.explanation;
  return {Side{"A", "a", engines.engine_a, engines.a->identity(), found.divergence.a,
               explanation.rule_a, explanation.queue_a},
          Side{"B", "b", engines.engine_b, engines.b->identity(), found.divergence.b,
               explanation.rule_b, explanation.queue_b}};
}

std::string OutputText(const DescribedDivergence& found, const replay::Outcome& outcome, size_t i) {
  if (outcome.ended.has_value()) return absl::StrCat("(it ended: ", *outcome.ended, ")");
  return i < outcome.outputs.size() ? found.Text(outcome.outputs[i]) : "(nothing)";
}

// Adds the fields that differ, if both outputs are of the same kind.
void AddDifferingFields(Report& report, const replay::Output& a, const replay::Output& b,
                        const replay::Vocabulary& vocabulary) {
  if (a.kind != b.kind) {
    return report.Row("", "   kind: ", vocabulary.OutputKindName(a.kind), " → ",
                      vocabulary.OutputKindName(b.kind));
  }
  for (const replay::FieldDifference& field : replay::DifferingFields(vocabulary, a, b)) {
    report.Row("", "   ", field.field, ": ", field.a, " → ", field.b);
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
    report.Row(name, "A  ", Styled(Style::kRed, OutputText(found, divergence.a, i)));
    report.Row("", "B  ", Styled(Style::kRed, OutputText(found, divergence.b, i)));
    if (both) AddDifferingFields(report, a[i], b[i], *found.vocabulary);
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

void AddExplanation(Report& report, const replay::Explanation& explanation) {
  if (const auto& level = explanation.level; level.has_value()) {
    const engine::MarketDefinition* market = explanation.markets.Find(level->market);
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
      report.Row("", "   ", engine::MessageText(explanation.markets).Format(entry.event));
    }
  } else if (explanation.order != engine::OrderId()) {
    report.Row("life", "order ", explanation.order, ": too long ago to be replayed here");
  }
}

std::vector<std::string> NextCommands(const DescribedDivergence& found) {
  const ComparedEngines& engines = found.engines;
  const std::string journal = ShellWord(std::string(engines.opened.directory->path()));
  std::vector<std::string> next;
  if (found.is_of_exchange) {
    const uint64_t sequence = found.divergence.sequence().value();
    const engine::Command command = replay::ToCommand(found.divergence.entry.row);
    // The book before the command: that of its own market, not of the previous command's.
    const engine::MarketDefinition* market = replay::IsAboutOrders(command.kind)
                                                 ? found.explanation.markets.Find(command.market)
                                                 : nullptr;
    next.push_back(absl::StrCat(
        "ticktape inspect ", journal, " @", sequence > 1 ? sequence - 1 : 1,
        market == nullptr ? "" : absl::StrCat(" --market ", ShellWord(market->symbol))));
    if (found.explanation.order != engine::OrderId() && !found.explanation.life.has_value()) {
      next.push_back(absl::StrCat("ticktape inspect ", journal,
                                  " --watch order:", found.explanation.order.value()));
    }
  }
  next.push_back(absl::StrCat("ticktape minimize ", journal, " --engine-a ",
                              ShellWord(engines.engine_a), " --engine-b ",
                              ShellWord(engines.engine_b), " -o found"));
  return next;
}

void AddSideFields(JsonObject& json, const Side& side, const DescribedDivergence& found) {
  json.BeginObject(side.field);
  json.Field("engine", side.engine);
  json.Field("name", side.identity.name);
  json.Field("build", side.identity.build_id);
  json.Field("semantics_version", side.identity.semantics_version);
  json.Field("ended", side.outcome.ended);
  json.Field("state_digest", side.outcome.state);
  const engine::Timestamp time = found.divergence.entry.row.timestamp;
  if (found.is_of_exchange) {
    const engine::MarketDirectory& markets = found.explanation.markets;
    json.Field("rule", side.rule);
    json.Objects("events", replay::AsEvents(side.outcome.outputs),
                 [&](const engine::Event& event) { WriteEvent(json, event, time, markets); });
    json.Objects("queue", side.queue, [&](const RestingOrder& order) {
      json.Field("order", order.id);
      json.Field("priority", order.priority);
      WriteQuantity(json, "remaining", order.quantity_remaining, markets.Find(order.market));
    });
  } else {
    json.Objects("outputs", side.outcome.outputs, [&](const replay::Output& output) {
      WriteOutput(json, output, time, *found.vocabulary);
    });
  }
  json.EndObject();
}

}  // namespace

absl::Status ComparedEngines::OpenJournalAt(const std::string& path) {
  ASSIGN_OR_RETURN(opened, OpenJournal(path));
  RETURN_IF_ERROR(CheckBeginsWithFirst(opened.reader->info()));
  snapshots = OpenSnapshots(opened.directory->path()).value_or(nullptr);
  states = std::make_unique<replay::SnapshotStates>(snapshots.get(), opened.reader->info().uuid);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<replay::Subject>> ComparedEngines::OpenEngine(
    const std::string& engine, Isolation isolation) const {
  ASSIGN_OR_RETURN(const replay::Application* const application,
                   ApplicationOf(opened.reader->info()));
  return OpenSubject(engine, isolation, *application);
}

absl::Status ComparedEngines::OpenBoth(Isolation isolation_of_b) {
  ASSIGN_OR_RETURN(a, OpenEngine(engine_a));
  ASSIGN_OR_RETURN(b, OpenEngine(engine_b, isolation_of_b));
  return absl::OkStatus();
}

std::string ComparedEngines::ReplayedText() const {
  const engine::SequenceNumber from = states->began_at();
  return absl::StrCat(Counted(states->replayed(), "command"), " put to the engines again, from ",
                      from == engine::SequenceNumber()
                          ? std::string("the first record")
                          : absl::StrCat("the state at @", from.value()));
}

void ComparedEngines::AddReplayed(Report& report) const {
  for (const std::string& warning : states->warnings()) report.Note("warning: ", warning);
  if (states->replayed() > 0) report.Row("replayed", ReplayedText());
  report.Field("replayed_again", states->replayed());
  report.Field("replayed_from", states->began_at());
  report.Texts("warnings", states->warnings());
}

absl::StatusOr<DescribedDivergence> DescribedDivergence::Make(const ComparedEngines& engines,
                                                              const Divergence& divergence) {
  const journal::JournalInfo& info = engines.opened.reader->info();
  const bool is_of_exchange = IsOfExchange(info);
  replay::JournalSource source(*engines.opened.reader);
  absl::StatusOr<replay::Explanation> explanation =
      is_of_exchange
          ? replay::Explain(source, *engines.a, *engines.b, divergence, engines.states.get())
          : absl::StatusOr<replay::Explanation>(replay::Explanation());
  RETURN_IF_ERROR(explanation.status());
  return DescribedDivergence{.engines = engines,
                             .divergence = divergence,
                             .vocabulary = VocabularyOf(info),
                             .is_of_exchange = is_of_exchange,
                             .explanation = *std::move(explanation)};
}

std::string DescribedDivergence::Text(const journal::Record& record) const {
  if (!is_of_exchange) return vocabulary->Text(record);
  return engine::MessageText(explanation.markets)
      .Format(replay::ToCommand(*record.row), record.attachment);
}

std::string DescribedDivergence::Text(const replay::Output& output) const {
  if (!is_of_exchange) return vocabulary->Text(output);
  return engine::MessageText(explanation.markets).Format(replay::AsEvents({&output, 1}).front());
}

void DescribedDivergence::AddRows(Report& report) const {
  report.Line(Styled(Style::kRed, "DIFFERENT"), " at @", divergence.sequence(), "  (",
              divergence.entry.row.timestamp, ")  ", engines.opened.directory->path());
  report.Row(is_of_exchange ? "command" : "row", Text(divergence.entry.record()));
  for (const Side& side : SidesOf(*this)) {
    report.Row(absl::StrCat("engine ", side.title), side.identity.name, "; ",
               side.identity.build_id);
  }
  report.Row("class", replay::FailureClass(divergence, *vocabulary));
  AddOutputs(report, *this);
  if (is_of_exchange) AddExplanation(report, explanation);
  const std::vector<std::string> next = NextCommands(*this);
  for (size_t i = 0; i < next.size(); ++i) report.Row(i == 0 ? "next" : "", next[i]);
}

void DescribedDivergence::AddFields(JsonObject& json) const {
  const engine::MarketDirectory& markets = explanation.markets;
  json.BeginObject("difference");
  json.Field("sequence", divergence.sequence());
  json.Field("class", replay::FailureClass(divergence, *vocabulary));
  if (is_of_exchange) {
    json.BeginObject("command");
    WriteCommand(json, replay::ToCommand(divergence.entry.row), divergence.entry.bytes(), markets);
  } else {
    json.BeginObject("row");
    WriteRow(json, divergence.entry.record(), *vocabulary);
  }
  json.EndObject();
  for (const Side& side : SidesOf(*this)) AddSideFields(json, side, *this);
  if (const auto& level = explanation.level; level.has_value()) {
    const engine::MarketDefinition* market = markets.Find(level->market);
    json.BeginObject("level");
    json.Field("market", MarketText(level->market, market));
    json.Field("side", engine::NameOf(level->side));
    WritePrice(json, "price", level->price, market);
    json.EndObject();
  }
  if (const auto& life = explanation.life; life.has_value()) {
    json.Field("order", life->order());
    json.Objects("life", life->entries(),
                 [&](const auto& entry) { WriteEvent(json, entry.event, entry.time, markets); });
  }
  json.Texts("next", NextCommands(*this));
  json.EndObject();
}

}  // namespace tools
