#include "tools/cli/golden/golden_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/compare/difference_report.h"

namespace tools {
namespace {

// Cancelling a whole book may cause thousands of events.
constexpr size_t kEventsShownMax = 20;

void PrintEvents(Console& console, absl::string_view name, const std::vector<std::string>& events,
                 const std::vector<std::string>* other) {
  absl::string_view row = name;
  const size_t shown = std::min(events.size(), kEventsShownMax);
  for (size_t i = 0; i < shown; ++i) {
    const bool differs = other != nullptr && (i >= other->size() || (*other)[i] != events[i]);
    PrintRow(console, row,
             differs ? console.Styled(Style::kRed, events[i]) : ConsoleText(events[i]));
    row = "";
  }
  if (events.empty()) PrintRow(console, row, "(nothing)");
  if (shown < events.size()) {
    PrintRow(console, "", absl::StrCat("and ", WithCommas(events.size() - shown), " more"));
  }
}

void WriteLines(JsonObject& json, const char* name, const std::vector<std::string>& lines) {
  json.BeginArray(name);
  for (const std::string& line : lines) json.Element(line);
  json.EndArray();
}

std::string TraceOf(const GoldenRun& run) {
  if (run.checkpoints.empty()) return "none";
  return run.checkpoints.back().trace.value_or(engine::Digest()).ToString();
}

}  // namespace

void PrintDifferences(Console& console, const GoldenResult& result) {
  absl::string_view row = "differs";
  for (const std::string& line : result.differences) {
    PrintRow(console, row, line);
    row = "";
  }
  if (!result.run.parting.has_value()) return;
  const GoldenParting& parting = *result.run.parting;
  PrintRow(console, "first", absl::StrCat("@", parting.command));  // Begins with the number.
  if (parting.expected.has_value()) {
    PrintEvents(console, "expected", *parting.expected, nullptr);
  } else {
    PrintRow(console, "expected", "other events; 'golden add --events' keeps their text");
  }
  PrintEvents(console, "now", parting.events,
              parting.expected.has_value() ? &*parting.expected : nullptr);
}

void PrintGolden(Console& console, const GoldenResult& result, const std::string& update) {
  const std::string name = result.expected.name.empty() ? result.path : result.expected.name;
  if (result.as_expected()) {
    console.PrintLine(console.Styled(Style::kGreen, "ok     "), absl::StrFormat(" %-24s", name),
                      " ", absl::StrFormat("%12s", WithCommas(result.run.command_count())),
                      " commands  trace ", TraceOf(result.run), "  ", HumanSeconds(result.seconds));
    return;
  }
  console.PrintLine(console.Styled(Style::kRed, "FAILED "), " ", name);
  PrintRow(console, "expectation", result.path);
  if (!result.journal.empty()) PrintRow(console, "journal", result.journal);
  if (!result.engine.empty()) PrintRow(console, "engine", result.engine);
  if (!result.status.ok()) {
    PrintRow(console, "error", result.status.message());
    return;
  }
  PrintDifferences(console, result);
  if (result.run.parting.has_value()) {
    PrintRow(console, "look",
             absl::StrCat("ticktape inspect ", ShellWord(result.journal), " @",
                          result.run.parting->sequence.value()));
  }
  if (!update.empty()) PrintRow(console, "if it is meant", update);
}

void PrintGoldenJson(Console& console, const GoldenResult& result, const std::string& action) {
  JsonObject json("ticktape.golden/1");
  json.Field("action", action);
  json.Field("path", result.path);
  json.Field("name", result.expected.name);
  json.Field("journal", result.journal);
  json.Field("engine", result.engine);
  json.Field("as_expected", result.as_expected());
  if (!result.status.ok()) {
    json.Field("error", result.status.message());
  } else {
    json.Field("commands", result.run.command_count());
    json.Field("events", result.run.event_count);
    json.Field("trace_digest", TraceOf(result.run));
    json.Field("seconds", result.seconds);
    WriteLines(json, "differences", result.differences);
  }
  if (result.run.parting.has_value()) {
    const GoldenParting& parting = *result.run.parting;
    json.BeginObject("first");
    json.Field("sequence", parting.sequence.value());
    json.Field("command", parting.command);
    if (parting.expected.has_value()) WriteLines(json, "expected", *parting.expected);
    WriteLines(json, "now", parting.events);
    json.EndObject();
  }
  console.PrintLine(json.Take());
}

}  // namespace tools
