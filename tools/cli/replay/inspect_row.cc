#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "journal/record.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/replay/inspect.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using replay::NamedValue;

// The field by which the rows of a conversation belong together, and how many are shown.
constexpr char kSession[] = "session";
constexpr size_t kEarlierMax = 20;

std::string SessionOf(const std::vector<NamedValue>& fields) {
  const auto found = std::ranges::find(fields, kSession, &NamedValue::name);
  return found == fields.end() ? "" : found->value;
}

bool AsksOfExchange(const InspectRequest& request) {
  return !request.market.empty() || request.order.has_value() || request.account.has_value() ||
         !request.queue.empty() || !request.diff.empty() || !request.watch.empty();
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
