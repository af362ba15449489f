#include "tools/cli/retime/count_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/json_fields.h"
#include "tools/cli/base/json_text.h"

namespace tools {
namespace {

using replay::PerformanceVerdict;

constexpr char kSchema[] = "ticktape.retime.counts/1";

struct Column {
  const char* title;
  const char* name;  // Of the field.
  uint64_t WorkCounts::*count;
  int decimals;  // Of the average.
};
constexpr std::array<Column, 5> kColumns = {{
    {"instructions", "instructions", &WorkCounts::instructions, 1},
    {"branches", "branches", &WorkCounts::branches, 1},
    {"mispredicted", "mispredicted", &WorkCounts::mispredicted, 2},
    {"L1 misses", "l1_misses", &WorkCounts::l1_misses, 2},
    {"LL misses", "last_level_misses", &WorkCounts::last_level_misses, 2},
}};

void AddNamed(JsonObject& json, absl::string_view name, const NamedValues& values) {
  json.Objects(name, values, [&](const auto& each) {
    json.Field("name", each.first);
    json.Field("value", each.second);
  });
}

void ReadNamed(JsonFields& fields, const std::string& name, NamedValues& values) {
  fields.Objects(name, [&](JsonFields& of_value) {
    const std::string key = of_value.Text("name");
    values.emplace_back(key, of_value.Text("value"));
    return of_value.Finish();
  });
}

void AddClass(JsonObject& json, const ClassCounts& each) {
  json.Field("kind", each.kind);
  json.Field("outcome", each.outcome);
  json.Field("commands", each.commands);
  for (const Column& column : kColumns) json.Field(column.name, each.counts.*column.count);
}

absl::Status ReadClass(JsonFields& fields, ClassCounts& each) {
  each.kind = fields.Text("kind");
  each.outcome = fields.Text("outcome");
  fields.Require("commands", "a number");
  fields.Number("commands", each.commands);
  for (const Column& column : kColumns) {
    fields.Require(column.name, "a number");
    fields.Number(column.name, each.counts.*column.count);
  }
  return fields.Finish();
}

void AddFields(JsonObject& json, const CountReport& report) {
  AddNamed(json, "work", report.work);
  AddNamed(json, "environment", report.environment);
  json.Objects("classes", report.classes, [&](const ClassCounts& each) { AddClass(json, each); });
}

// "new_order rest, 45000 commands", in an order that both sides have.
std::vector<std::string> Outcomes(const CountReport& report) {
  std::vector<std::string> lines;
  for (const ClassCounts& each : report.classes) {
    lines.push_back(absl::StrCat(each.name(), ", ", each.commands, " commands"));
  }
  std::ranges::sort(lines);
  return lines;
}

std::vector<std::string> OnlyIn(const std::vector<std::string>& lines,
                                const std::vector<std::string>& others, const char* where) {
  std::vector<std::string> only;
  std::ranges::set_difference(lines, others, std::back_inserter(only));
  for (std::string& line : only) line = absl::StrCat("only ", where, ": ", line);
  return only;
}

absl::Status CheckComparable(const CountReport& before, const CountReport& after, bool force) {
  const auto error = [](absl::string_view what, const std::vector<std::string>& differences) {
    return absl::UnimplementedError(absl::StrCat(what, "\n  ", absl::StrJoin(differences, "\n  ")));
  };
  const std::vector<std::string> work = Differences(before.work, after.work);
  if (!work.empty()) {
    return error("the baseline is of other work, and no counts of the two compare", work);
  }
  const std::vector<std::string> outcomes_before = Outcomes(before);
  const std::vector<std::string> outcomes_after = Outcomes(after);
  std::vector<std::string> outcomes = OnlyIn(outcomes_before, outcomes_after, "before");
  for (std::string& line : OnlyIn(outcomes_after, outcomes_before, "after")) {
    outcomes.push_back(std::move(line));
  }
  if (!outcomes.empty()) {
    return error("the two builds answer differently: 'ticktape diff' shows where", outcomes);
  }
  const std::vector<std::string> environment = Differences(before.environment, after.environment);
  if (environment.empty() || force) return absl::OkStatus();
  return error("the baseline is of a build of another kind; --force compares all the same",
               environment);
}

CountJudgement Judge(std::string name, uint64_t before, uint64_t after, double threshold) {
  CountJudgement judgement = {.name = std::move(name), .before = before, .after = after};
  const double difference = static_cast<double>(after) - static_cast<double>(before);
  if (std::abs(difference) > threshold * static_cast<double>(before)) {
    judgement.verdict = difference > 0 ? PerformanceVerdict::kWorse : PerformanceVerdict::kBetter;
  }
  return judgement;
}

Style StyleOf(PerformanceVerdict verdict) {
  return verdict == PerformanceVerdict::kWorse ? Style::kRed : Style::kGreen;
}

void AddLine(Report& report, const std::string& name, uint64_t commands, const WorkCounts& counts) {
  std::string line = absl::StrFormat("  %-26s %11s", name, WithCommas(commands));
  for (const Column& column : kColumns) {
    const double average =
        commands == 0 ? 0 : static_cast<double>(counts.*column.count) / double(commands);
    absl::StrAppendFormat(&line, " %12.*f", column.decimals, average);
  }
  report.Line(line);
}

}  // namespace

uint64_t CountReport::commands() const {
  uint64_t sum = 0;
  for (const ClassCounts& each : classes) sum += each.commands;
  return sum;
}

WorkCounts CountReport::total() const {
  WorkCounts sum;
  for (const ClassCounts& each : classes) sum += each.counts;
  return sum;
}

std::string ToJson(const CountReport& report) {
  JsonObject json(kSchema);
  AddFields(json, report);
  return json.Take();
}

absl::StatusOr<CountReport> ParseCountReport(std::string text, absl::string_view name) {
  ASSIGN_OR_RETURN(const std::unique_ptr<const JsonText> json,
                   JsonText::Parse(std::move(text), name));
  if (!json->root().IsObject()) return json->Error(nullptr, "expected an object");
  JsonFields fields("", json->root(), *json, JsonText::PlaceOf(json->root()));
  const std::string schema = fields.Text("schema");
  RETURN_IF_ERROR(fields.status());
  if (schema != kSchema) {
    return absl::UnimplementedError(
        absl::StrCat(name, ": its schema is '", schema, "', this program reads ", kSchema));
  }
  CountReport report;
  ReadNamed(fields, "work", report.work);
  ReadNamed(fields, "environment", report.environment);
  fields.Objects("classes", [&](JsonFields& of_class) {
    return ReadClass(of_class, report.classes.emplace_back());
  });
  RETURN_IF_ERROR(fields.Finish());
  return report;
}

absl::StatusOr<CountComparison> Compare(const CountReport& before, const CountReport& after,
                                        double threshold, bool force) {
  RETURN_IF_ERROR(CheckComparable(before, after, force));
  CountComparison comparison;
  for (const ClassCounts& each : after.classes) {
    if (each.commands < kJudgedCountMin) {
      comparison.skipped.push_back(each.name());
      continue;
    }
    const auto same = std::ranges::find(before.classes, each.name(), &ClassCounts::name);
    comparison.judgements.push_back(
        Judge(each.name(), same->counts.instructions, each.counts.instructions, threshold));
  }
  comparison.judgements.push_back(
      Judge("all", before.total().instructions, after.total().instructions, threshold));
  for (const CountJudgement& each : comparison.judgements) {
    if (each.verdict == PerformanceVerdict::kSame) continue;
    if (comparison.verdict == PerformanceVerdict::kWorse) break;
    comparison.verdict = each.verdict;
  }
  return comparison;
}

void AddCounts(Report& report, const std::string& path, const CountReport& counts) {
  std::string commands;
  for (const auto& [name, value] : counts.work) {
    if (name == "commands") commands = value;
  }
  report.Line(Styled(Style::kBold, path), " ", commands, " under callgrind");
  report.Row("caches", kSimulatedCaches);
  report.Line();
  std::string head = absl::StrFormat("  %-26s %11s", "average of a command", "commands");
  for (const Column& column : kColumns) absl::StrAppendFormat(&head, " %12s", column.title);
  report.Line(Styled(Style::kDim, head));
  for (const ClassCounts& each : counts.classes) {
    AddLine(report, each.name(), each.commands, each.counts);
  }
  AddLine(report, "all", counts.commands(), counts.total());
  AddFields(report, counts);
}

void AddComparison(Report& report, const CountComparison& comparison, double threshold) {
  report.Line();
  report.Line(
      Styled(StyleOf(comparison.verdict), absl::AsciiStrToUpper(NameOf(comparison.verdict))),
      absl::StrFormat("  against the baseline; %.1f %% of the instructions counts as a difference",
                      threshold * 100));
  report.BeginObject("comparison");
  report.Field("verdict", NameOf(comparison.verdict));
  report.Objects("judgements", comparison.judgements, [&](const CountJudgement& each) {
    report.Line(
        "  ", Styled(StyleOf(each.verdict), absl::StrFormat("%-8s", NameOf(each.verdict))),
        absl::StrFormat("  %-26s %+9.2f %%  (%s to %s instructions)", each.name,
                        (each.ratio() - 1) * 100, WithCommas(each.before), WithCommas(each.after)));
    report.Field("name", each.name);
    report.Field("verdict", NameOf(each.verdict));
    report.Field("before", each.before);
    report.Field("after", each.after);
  });
  report.Texts("too_few", comparison.skipped);
  report.EndObject();
  if (!comparison.skipped.empty()) {
    report.Line(Styled(Style::kDim, absl::StrCat("  too few to judge: ",
                                                 absl::StrJoin(comparison.skipped, ", "))));
  }
}

}  // namespace tools
