#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {
namespace {

using replay::ClassTimes;
using replay::LatencyHistogram;
using replay::PerformanceVerdict;

constexpr std::array<std::pair<const char*, uint64_t>, 6> kPercentiles = {{
    {"p50", 500'000},
    {"p90", 900'000},
    {"p99", 990'000},
    {"p99.9", 999'000},
    {"p99.99", 999'900},
    {"p99.999", 999'990},
}};

std::string Percent(double ratio) { return absl::StrFormat("%+.1f %%", (ratio - 1) * 100); }

void AddTable(Report& report, const char* title, const RetimeReport& all,
              const LatencyHistogram ClassTimes::*times) {
  std::string head = absl::StrFormat("  %-26s %11s", title, "count");
  for (const auto& [name, per_million] : kPercentiles) absl::StrAppendFormat(&head, " %9s", name);
  report.Line(Styled(Style::kDim, absl::StrFormat("%s %11s", head, "max")));
  for (const ClassTimes& each : all.classes) {
    const LatencyHistogram& histogram = each.*times;
    std::string line = absl::StrFormat("  %-26s %11s", each.name(), WithCommas(histogram.count()));
    for (const auto& [name, per_million] : kPercentiles) {
      absl::StrAppendFormat(&line, " %9s", WithCommas(histogram.Percentile(per_million)));
    }
    report.Line(line, absl::StrFormat(" %11s", WithCommas(histogram.max())));
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

void AddWorst(Report& report, const std::string& path, const RetimeReport& all) {
  if (!all.worst.empty()) {
    report.Line();
    report.Line(Styled(Style::kDim, all.is_open_loop ? "  worst latency" : "  worst service time"));
  }
  report.Objects("worst", all.worst, [&](const replay::SlowCommand& slow) {
    const uint64_t nanos = all.is_open_loop ? slow.latency_nanos : slow.service_nanos;
    std::string what = absl::StrFormat("  %10s  %-22s", HumanNanos(nanos), slow.name);
    if (all.is_open_loop) {
      absl::StrAppendFormat(&what, " service %-9s", HumanNanos(slow.service_nanos));
    }
    report.Line(what, " ticktape inspect ", path, " @", slow.sequence);
    report.Field("sequence", slow.sequence);
    report.Field("class", slow.name);
    report.Field("service_ns", slow.service_nanos);
    if (all.is_open_loop) report.Field("latency_ns", slow.latency_nanos);
  });
}

void AddPercentiles(Report& report, const char* name, const LatencyHistogram& histogram) {
  report.BeginObject(name);
  report.Field("count", histogram.count());
  for (const auto& [label, per_million] : kPercentiles) {
    report.Field(label, histogram.Percentile(per_million));
  }
  report.Field("max", histogram.max());
  report.Field("hdr", replay::EncodeHistogram(histogram));
  report.EndObject();
}

Style StyleOf(PerformanceVerdict verdict) {
  if (verdict == PerformanceVerdict::kWorse) return Style::kRed;
  return verdict == PerformanceVerdict::kInconclusive ? Style::kYellow : Style::kGreen;
}

void AddAdvice(Report& report, const RetimeComparison& comparison) {
  if (comparison.judgements.empty()) {
    report.Line("  no kind of work has ", WithCommas(kJudgedCountMin),
                " commands a run: nothing can be judged");
    return;
  }
  if (comparison.verdict != PerformanceVerdict::kInconclusive) return;
  if (comparison.more_runs > 0) {
    report.Line("  run more: --runs ", comparison.more_runs);
  } else {
    report.Line("  more runs do not help: the machine itself is at another speed (",
                Percent(1 + comparison.machine_drift),
                "); measure both now, in turns: --against OTHER/ticktape");
  }
}

}  // namespace

void AddRetime(Report& report, const std::string& path, const RetimeReport& all, size_t run_count) {
  const double seconds = double(all.total_nanos) / 1e9;
  std::string speed, commands;
  for (const auto& [name, value] : all.work) {
    if (name == "speed") speed = value;
    if (name == "commands") commands = value;
  }
  report.Line(Styled(Style::kBold, path), " ", commands, " at ", speed, ", ", run_count,
              run_count == 1 ? " run" : " runs, together");
  report.Field("runs", run_count);
  report.Named("work", all.work);
  report.Named("environment", all.environment);
  report.Row("commands", WithCommas(all.commands), " in ", HumanSeconds(seconds), ", ",
             HumanCount(double(all.commands) / seconds), "/s");
  report.Field("commands", all.commands);
  report.Field("seconds", seconds);
  report.Row("look at clock", absl::StrFormat("%.0f ns, part of every time below",
                                              replay::MeanBetween(all.probe, 0, 0.98)));
  report.Fact("allocations", "allocations", all.allocations());
  report.Row("page faults", WithCommas(all.thread_counts.minor_faults), " minor, ",
             WithCommas(all.thread_counts.major_faults), " major; ",
             WithCommas(all.thread_counts.switches), " context switches");
  report.Field("minor_faults", all.thread_counts.minor_faults);
  report.Field("major_faults", all.thread_counts.major_faults);
  report.Field("context_switches", all.thread_counts.switches);
  report.Row("perf counters", HardwareCounts(all));
  report.BeginObject("hardware_counts");
  for (const HardwareCount& count : all.hardware_counts) report.Field(count.name, count.value);
  report.EndObject();
  report.Field("hardware_counts_missing", all.hardware_counts_missing);
  report.Row("conditions", Conditions(all));
  report.Objects("conditions", all.conditions, [&](const ConditionReport& condition) {
    report.Field("name", condition.name);
    report.Field("asked", condition.asked);
    report.Field("taken", condition.taken);
    report.Field("detail", condition.detail);
  });
  report.Line();
  if (all.is_open_loop) {
    AddTable(report, "latency, ns", all, &ClassTimes::latency);
    report.Line();
  }
  AddTable(report, "service time, ns", all, &ClassTimes::service);
  report.Objects("classes", all.classes, [&](const ClassTimes& each) {
    report.Field("kind", each.kind);
    report.Field("outcome", each.outcome);
    report.Field("allocations", each.allocations);
    AddPercentiles(report, "service_ns", each.service);
    if (all.is_open_loop) AddPercentiles(report, "latency_ns", each.latency);
  });
  AddWorst(report, path, all);
}

void AddComparison(Report& report, const RetimeComparison& comparison, double threshold) {
  report.Line();
  report.Line(
      Styled(StyleOf(comparison.verdict), absl::AsciiStrToUpper(NameOf(comparison.verdict))),
      absl::StrFormat("  against the baseline; %.1f %% counts as a difference; the machine %s",
                      threshold * 100, Percent(1 + comparison.machine_drift)));
  report.BeginObject("comparison");
  report.Field("verdict", NameOf(comparison.verdict));
  report.Field("machine_drift", comparison.machine_drift);
  report.Field("more_runs", comparison.more_runs);
  report.Objects("judgements", comparison.judgements, [&](const replay::Judgement& each) {
    const double noise = std::expm1(each.noise);
    report.Line(
        "  ", Styled(StyleOf(each.verdict), absl::StrFormat("%-12s", NameOf(each.verdict))),
        absl::StrFormat("  %-34s %9s  (%s to %s, noise %.1f %%)", each.name, Percent(each.ratio),
                        Percent(each.low), Percent(each.high), noise * 100));
    report.Field("name", each.name);
    report.Field("verdict", NameOf(each.verdict));
    report.Field("ratio", each.ratio);
    report.Field("low", each.low);
    report.Field("high", each.high);
    report.Field("noise", noise);
  });
  report.Texts("too_few", comparison.skipped);
  report.EndObject();
  if (!comparison.skipped.empty()) {
    report.Line(Styled(Style::kDim, absl::StrCat("  too few to judge: ",
                                                 absl::StrJoin(comparison.skipped, ", "))));
  }
  AddAdvice(report, comparison);
}

}  // namespace tools
