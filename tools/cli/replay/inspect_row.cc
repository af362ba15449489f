#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/described_state.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/nearest_word.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/inspect.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using replay::NamedValue;
using replay::StateEntity;

// The kind of what is of one market, and the field that names the market.
constexpr char kMarket[] = "market";

// The field by which the rows of a conversation belong together, and how many are shown.
constexpr char kSession[] = "session";
constexpr size_t kEarlierMax = 20;

std::string SessionOf(const std::vector<NamedValue>& fields) {
  const auto found = std::ranges::find(fields, kSession, &NamedValue::name);
  return found == fields.end() ? "" : found->value;
}

bool AsksOfExchange(const InspectRequest& request) {
  return request.order.has_value() || request.account.has_value() || !request.queue.empty() ||
         !request.diff.empty() || !request.watch.empty();
}

// A machine after one record.
struct Applied {
  replay::StartingPoint start;  // With the machine.
  std::vector<replay::Output> outputs;
};

// Applies the records up to `place`, which `vocabulary` follows.
absl::StatusOr<Applied> ApplyUntil(SequenceNumber place, const InspectRequest& request,
                                   const OpenedJournal& opened, replay::Vocabulary& vocabulary,
                                   Console& console) {
  journal::Reader& reader = *opened.reader;
  Progress progress(console, "inspect", "records", place.value());
  Applied applied;
  ASSIGN_OR_RETURN(applied.start, StartFromSnapshot(*opened.directory, reader.info(), Before(place),
                                                    request.engine, console));
  replay::Driver driver(*applied.start.machine, applied.start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.Run(reader, place, [&](const journal::Record& record, const auto outputs) {
    progress.Update(record.sequence().value());
    vocabulary.Follow(record);
    if (record.sequence() == place) applied.outputs.assign(outputs.begin(), outputs.end());
    return true;
  }));
  return applied;
}

const NamedValue* FindValue(const StateEntity& entity, absl::string_view name) {
  const auto found = std::ranges::find(entity.values, name, &NamedValue::name);
  return found == entity.values.end() ? nullptr : &*found;
}

// What the machine shows: of one market only, if one is named, and of none in particular. Errors:
// INVALID_ARGUMENT with the markets.
absl::StatusOr<std::vector<StateEntity>> StateOf(const replay::Machine& machine,
                                                 const InspectRequest& request) {
  const replay::DescribedState* const described = replay::FindDescribed(machine);
  std::vector<StateEntity> entities;
  if (described != nullptr) entities = described->Describe(request.depth);
  if (request.market.empty()) return entities;
  std::vector<std::string> markets;
  for (const StateEntity& entity : entities) {
    const NamedValue* const market = FindValue(entity, kMarket);
    if (entity.kind == kMarket && market != nullptr) markets.push_back(market->value);
  }
  if (std::ranges::count(markets, request.market) == 0) {
    return absl::InvalidArgumentError(NoSuchWord("market", request.market, markets));
  }
  std::erase_if(entities, [&](const StateEntity& entity) {
    const NamedValue* const market = FindValue(entity, kMarket);
    return market != nullptr && market->value != request.market;
  });
  return entities;
}

void AddOutputs(Report& report, const Applied& applied, engine::Timestamp time,
                const replay::Vocabulary& vocabulary) {
  report.Objects("outputs", applied.outputs, [&](const replay::Output& output) {
    report.Line("  ", vocabulary.Text(output));
    WriteOutput(report, output, time, vocabulary);
  });
}

void AddState(Report& report, const std::vector<StateEntity>& entities) {
  if (!entities.empty()) report.Line();
  report.Objects("state", entities, [&](const StateEntity& entity) {
    std::string line;
    for (const NamedValue& value : entity.values) {
      absl::StrAppend(&line, line.empty() ? "" : " ", value.name, "=", value.value);
    }
    report.Row(entity.kind, line);
    report.Field("kind", entity.kind);
    WriteNamedValues(report, entity.values);
  });
}

// The last rows before `place` that are of the session, as text.
absl::StatusOr<std::deque<std::string>> EarlierRows(const std::string& session,
                                                    SequenceNumber place, journal::Reader& reader,
                                                    replay::Vocabulary& vocabulary,
                                                    Console& console) {
  std::deque<std::string> earlier;
  Progress progress(console, "inspect", "rows", place.value());
  RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
    if (!record.has_value() || record->sequence() >= place) return earlier;
    progress.Update(record->sequence().value());
    vocabulary.Follow(*record);
    if (SessionOf(vocabulary.Fields(*record)) != session) continue;
    earlier.push_back(vocabulary.Text(*record));
    if (earlier.size() > kEarlierMax) earlier.pop_front();
  }
}

}  // namespace

absl::Status ShowRow(const InspectRequest& request, const OpenedJournal& opened, Console& console) {
  journal::Reader& reader = *opened.reader;
  if (AsksOfExchange(request)) RETURN_IF_ERROR(CheckIsOfExchange(reader.info()));
  ASSIGN_OR_RETURN(const SequenceNumber place,
                   ResolvePosition(request.position.value_or("@-1"), reader));
  const std::unique_ptr<replay::Vocabulary> vocabulary = VocabularyOf(reader.info());
  const absl::Status has_machine = MakeMachineFor(reader.info(), request.engine).status();
  std::optional<Applied> applied;
  std::vector<StateEntity> state;
  if (has_machine.ok()) {
    ASSIGN_OR_RETURN(applied, ApplyUntil(place, request, opened, *vocabulary, console));
    ASSIGN_OR_RETURN(state, StateOf(*applied->start.machine, request));
  } else if (!request.market.empty()) {
    return has_machine;
  }
  RETURN_IF_ERROR(reader.SeekToSequence(place));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  if (!record.has_value()) {
    return absl::OutOfRangeError(absl::StrCat(request.path, " has no row @", place.value()));
  }
  const std::string kind = vocabulary->RowKindName(vocabulary->KindOf(*record->row));
  const std::vector<NamedValue> fields = vocabulary->Fields(*record);
  Report report("ticktape.inspect_row/1");
  report.Field("path", request.path);
  report.Field("sequence", place);
  report.Field("time", record->timestamp());
  report.Field("kind", kind);
  report.Line(Styled(Style::kBold, absl::StrCat("@", place.value())), "  ", kind, "  ",
              record->timestamp().ToString());
  report.Objects("fields", fields, [&](const NamedValue& field) {
    report.Row(field.name, field.value);
    report.Field("name", field.name);
    report.Field("value", field.value);
  });
  if (applied.has_value()) {
    AddOutputs(report, *applied, record->timestamp(), *vocabulary);
    AddState(report, state);
  } else if (IsRunOfStrategy(reader.info())) {
    report.Note("its state is not shown: ", has_machine.message());
  }
  const std::string session = SessionOf(fields);
  if (!session.empty()) {
    ASSIGN_OR_RETURN(const std::deque<std::string> earlier,
                     EarlierRows(session, place, reader, *vocabulary, console));
    report.Line("before, in this session:");
    for (const std::string& text : earlier) report.Line("  ", text);
    report.Texts("before", std::vector<std::string>(earlier.begin(), earlier.end()));
  }
  report.PrintTo(console);
  return absl::OkStatus();
}

}  // namespace tools
