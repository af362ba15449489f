#include "tools/cli/retime/retime_printer.h"

#include <array>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/retime/hdr_text.h"

namespace tools {
namespace {

using replay::LatencyHistogram;

constexpr std::array<std::pair<const char*, uint64_t>, 6> kPercentiles = {{
    {"p50", 500'000},
    {"p90", 900'000},
    {"p99", 990'000},
    {"p99.9", 999'000},
    {"p99.99", 999'900},
    {"p99.999", 999'990},
}};

std::string Percent(double ratio) { return absl::StrFormat("%+.1f %%", (ratio - 1) * 100); }

void PrintTable(Console& console, const char* title, const RetimeReport& all,
                const LatencyHistogram RetimeReport::Class::*times) {
  std::string head = absl::StrFormat("  %-26s %11s", title, "count");
  for (const auto& [name, per_million] : kPercentiles) absl::StrAppendFormat(&head, " %9s", name);
  console.PrintLine(console.Styled(Style::kDim, absl::StrFormat("%s %11s", head, "max")));
  for (const RetimeReport::Class& each : all.classes) {
    const LatencyHistogram& histogram = each.*times;
    std::string line = absl::StrFormat("  %-26s %11s", each.name(), WithCommas(histogram.count()));
    for (const auto& [name, per_million] : kPercentiles) {
      absl::StrAppendFormat(&line, " %9s", WithCommas(histogram.Percentile(per_million)));
    }
    console.PrintLine(line, absl::StrFormat(" %11s", WithCommas(histogram.max())));
  }
}

std::string Conditions(const RetimeReport& all) {
  std::vector<std::string> parts;
  for (const ConditionReport& condition : all.conditions) {
    parts.push_back(!condition.asked
                        ? absl::StrCat(condition.name, " not asked for")
                        : absl::StrCat(condition.name, condition.taken ? " taken (" : " REFUSED (",
                                       condition.detail, ")"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string HardwareCounts(const RetimeReport& all) {
  std::vector<std::string> parts;
  for (const HardwareCount& count : all.hardware_counts) {
    parts.push_back(absl::StrFormat("%s %s, %.1f a command", HumanCount(double(count.value)),
                                    count.name, double(count.value) / double(all.commands)));
  }
  if (!all.hardware_counts_missing.empty()) parts.push_back(all.hardware_counts_missing);
  return absl::StrJoin(parts, "; ");
}

void PrintWorst(Console& console, const std::string& path, const RetimeReport& all) {
  if (all.worst.empty()) return;
  console.PrintLine();
  console.PrintLine(
      console.Styled(Style::kDim, all.is_open_loop ? "  worst latency" : "  worst service time"));
  for (const RetimeReport::Slow& slow : all.worst) {
    const uint64_t nanos = all.is_open_loop ? slow.latency_nanos : slow.service_nanos;
    std::string what =
        absl::StrFormat("  %10s  %-22s", HumanSeconds(double(nanos) / 1e9), slow.name);
    if (all.is_open_loop) {
      absl::StrAppendFormat(&what, " service %-9s", HumanSeconds(double(slow.service_nanos) / 1e9));
    }
    console.PrintLine(what, " ticktape inspect ", path, " @", slow.sequence);
  }
}

void AddPercentiles(JsonObject& json, const char* name, const LatencyHistogram& histogram) {
  json.BeginObject(name);
  json.Field("count", histogram.count());
  for (const auto& [label, per_million] : kPercentiles) {
    json.Field(label, histogram.Percentile(per_million));
  }
  json.Field("max", histogram.max());
  json.Field("hdr", EncodeHistogram(histogram));
  json.EndObject();
}

Style StyleOf(PerformanceVerdict verdict) {
  switch (verdict) {
    case PerformanceVerdict::kWorse:
      return Style::kRed;
    case PerformanceVerdict::kInconclusive:
      return Style::kYellow;
    default:
      return Style::kGreen;
  }
}

std::string Upper(absl::string_view text) {
  std::string upper(text);
  for (char& letter : upper) letter = static_cast<char>(letter - 'a' + 'A');
  return upper;
}

void PrintAdvice(Console& console, const RetimeComparison& comparison) {
  if (comparison.judgements.empty()) {
    console.PrintLine("  no kind of work has ", WithCommas(kJudgedCountMin),
                      " commands a run: nothing can be judged");
    return;
  }
  if (comparison.verdict != PerformanceVerdict::kInconclusive) return;
  if (comparison.more_runs > 0) {
    console.PrintLine("  run more: --runs ", comparison.more_runs);
  } else {
    console.PrintLine("  more runs do not help: the machine itself is at another speed (",
                      Percent(1 + comparison.machine_drift),
                      "); measure both now, in turns: --against OTHER/ticktape");
  }
}

}  // namespace

void PrintRetime(Console& console, const std::string& path, const RetimeReport& all,
                 size_t run_count) {
  const double seconds = double(all.total_nanos) / 1e9;
  std::string speed, commands;
  for (const auto& [name, value] : all.work) {
    if (name == "speed") speed = value;
    if (name == "commands") commands = value;
  }
  console.PrintLine(console.Styled(Style::kBold, path), " ", commands, " at ", speed, ", ",
                    run_count, run_count == 1 ? " run" : " runs, together");
  PrintRow(console, "commands",
           absl::StrCat(WithCommas(all.commands), " in ", HumanSeconds(seconds), ", ",
                        HumanCount(double(all.commands) / seconds), "/s"));
  PrintRow(console, "look at clock",
           absl::StrFormat("%.0f ns, part of every time below", MeanBetween(all.probe, 0, 0.98)));
  PrintRow(console, "allocations", WithCommas(all.allocations()));
  PrintRow(console, "page faults",
           absl::StrCat(WithCommas(all.thread_counts.minor_faults), " minor, ",
                        WithCommas(all.thread_counts.major_faults), " major; ",
                        WithCommas(all.thread_counts.switches), " context switches"));
  PrintRow(console, "perf counters", HardwareCounts(all));
  PrintRow(console, "conditions", Conditions(all));
  console.PrintLine();
  if (all.is_open_loop) {
    PrintTable(console, "latency, ns", all, &RetimeReport::Class::latency);
    console.PrintLine();
  }
  PrintTable(console, "service time, ns", all, &RetimeReport::Class::service);
  PrintWorst(console, path, all);
}

void AddRetime(JsonObject& json, const RetimeReport& all, size_t run_count) {
  json.Field("runs", uint64_t{run_count});
  for (const auto& [name, values] : {std::pair<const char*, const NamedValues&>("work", all.work),
                                     {"environment", all.environment}}) {
    json.BeginObject(name);
    for (const auto& [key, value] : values) json.Field(key, value);
    json.EndObject();
  }
  json.Field("commands", all.commands);
  json.Field("seconds", double(all.total_nanos) / 1e9);
  json.Field("allocations", all.allocations());
  json.Field("minor_faults", all.thread_counts.minor_faults);
  json.Field("major_faults", all.thread_counts.major_faults);
  json.Field("context_switches", all.thread_counts.switches);
  json.BeginObject("hardware_counts");
  for (const HardwareCount& count : all.hardware_counts) json.Field(count.name, count.value);
  json.EndObject();
  json.Field("hardware_counts_missing", all.hardware_counts_missing);
  json.BeginArray("conditions");
  for (const ConditionReport& condition : all.conditions) {
    json.BeginElement();
    json.Field("name", condition.name);
    json.Field("asked", condition.asked);
    json.Field("taken", condition.taken);
    json.Field("detail", condition.detail);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("classes");
  for (const RetimeReport::Class& each : all.classes) {
    json.BeginElement();
    json.Field("kind", each.kind);
    json.Field("outcome", each.outcome);
    json.Field("allocations", each.allocations);
    AddPercentiles(json, "service_ns", each.service);
    if (all.is_open_loop) AddPercentiles(json, "latency_ns", each.latency);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("worst");
  for (const RetimeReport::Slow& slow : all.worst) {
    json.BeginElement();
    json.Field("sequence", slow.sequence);
    json.Field("class", slow.name);
    json.Field("service_ns", slow.service_nanos);
    if (all.is_open_loop) json.Field("latency_ns", slow.latency_nanos);
    json.EndElement();
  }
  json.EndArray();
}

void PrintComparison(Console& console, const RetimeComparison& comparison, double threshold) {
  console.PrintLine();
  console.PrintLine(
      console.Styled(StyleOf(comparison.verdict), Upper(NameOf(comparison.verdict))),
      absl::StrFormat("  against the baseline; %.1f %% counts as a difference; the machine %s",
                      threshold * 100, Percent(1 + comparison.machine_drift)));
  for (const Judgement& each : comparison.judgements) {
    console.PrintLine(
        "  ", console.Styled(StyleOf(each.verdict), absl::StrFormat("%-12s", NameOf(each.verdict))),
        absl::StrFormat("  %-34s %9s  (%s to %s, noise %.1f %%)", each.name, Percent(each.ratio),
                        Percent(each.low), Percent(each.high), std::expm1(each.noise) * 100));
  }
  if (!comparison.skipped.empty()) {
    console.PrintLine(console.Styled(
        Style::kDim,
        absl::StrCat("  too few to judge: ", absl::StrJoin(comparison.skipped, ", "))));
  }
  PrintAdvice(console, comparison);
}

void AddComparison(JsonObject& json, const RetimeComparison& comparison) {
  json.BeginObject("comparison");
  json.Field("verdict", NameOf(comparison.verdict));
  json.Field("machine_drift", comparison.machine_drift);
  json.Field("more_runs", uint64_t{comparison.more_runs});
  json.BeginArray("judgements");
  for (const Judgement& each : comparison.judgements) {
    json.BeginElement();
    json.Field("name", each.name);
    json.Field("verdict", NameOf(each.verdict));
    json.Field("ratio", each.ratio);
    json.Field("low", each.low);
    json.Field("high", each.high);
    json.Field("noise", std::expm1(each.noise));
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("too_few");
  for (const std::string& name : comparison.skipped) json.Element(name);
  json.EndArray();
  json.EndObject();
}

}  // namespace tools
