#include "bench/comparison_report.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/messages/names.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"

namespace bench {
namespace {

using tools::Console;
using tools::JsonObject;
using tools::Style;
using tools::Styled;
using tools::WithCommas;

constexpr size_t kBarWidth = 30;

struct Percentile {
  const char* name;
  uint64_t per_million;
};
constexpr std::array<Percentile, 4> kPercentiles = {
    {{"p50", 500'000}, {"p90", 900'000}, {"p99", 990'000}, {"p99.9", 999'000}}};

// Prints a dim name and its value, aligned with the other rows.
void PrintRow(Console& console, absl::string_view name, const tools::ConsoleText& value) {
  console.PrintLine("  ", Styled(Style::kDim, absl::StrFormat("%-16s", name)), " ", value);
}

absl::string_view NameOfMode(Mode mode) { return mode == Mode::kSame ? "same" : "drained"; }

// The median of the null engine in the same mode; 0 if it did not run.
double NullNanos(const Comparison& comparison, Mode mode) {
  for (const ComparisonRow& row : comparison.rows) {
    if (row.contender == Contender::kNull && row.mode == mode) return row.median_nanos;
  }
  return 0;
}

double MillionsPerSecond(const ComparisonRow& row) { return 1e3 / row.median_nanos; }

void PrintTableRow(Console& console, const Comparison& comparison, const ComparisonRow& row,
                   double most) {
  const double null_nanos = NullNanos(comparison, row.mode);
  const std::string of_null =
      null_nanos > 0 ? absl::StrFormat("%3.0f %%", 100 * null_nanos / row.median_nanos) : "";
  console.PrintLine(
      absl::StrFormat("  %-9s  %-7s %9.1f  %7.2f  %6s  %9.1f..%-9.1f  ", NameOf(row.contender),
                      NameOfMode(row.mode), row.median_nanos, MillionsPerSecond(row), of_null,
                      row.fastest_nanos, row.slowest_nanos),
      tools::Bar(static_cast<uint64_t>(1e3 * MillionsPerSecond(row)),
                 static_cast<uint64_t>(1e3 * most), kBarWidth));
}

void PrintTable(Console& console, const Comparison& comparison) {
  console.PrintLine(
      Styled(Style::kDim, "  engine     mode    ns/command      M/s  of null    fastest..slowest"));
  double most = 0;
  for (const ComparisonRow& row : comparison.rows) most = std::max(most, MillionsPerSecond(row));
  for (const ComparisonRow& row : comparison.rows) {
    PrintTableRow(console, comparison, row, most);
  }
}

// Nanoseconds per maker filled, for the fast engine: the cost of a sweep.
void PrintPerTrade(Console& console, const RecordedWorkload& workload,
                   const Comparison& comparison) {
  if (comparison.outcome.trades < workload.timed_count()) return;
  for (const ComparisonRow& row : comparison.rows) {
    if (row.contender != Contender::kFast || row.mode != Mode::kSame) continue;
    const double nanos = row.median_nanos * static_cast<double>(workload.timed_count()) /
                         static_cast<double>(comparison.outcome.trades);
    PrintRow(console, "per trade", absl::StrFormat("%.1f ns, fast, same thread", nanos));
  }
}

void AddProvenance(JsonObject& json, const Provenance& provenance,
                   const RecordedWorkload& workload) {
  json.Field("command", provenance.command);
  json.Field("build", provenance.build);
  json.Field("commit", provenance.commit);
  json.Field("machine", provenance.machine);
  json.Field("workload", workload.name);
  json.Field("journal", workload.path);
  json.Field("commands", uint64_t{workload.timed_count()});
  json.Field("warm_up", uint64_t{workload.warm_up_count});
  json.Field("log_digest", workload.log_digest.ToString());
}

void PrintJson(Console& console, const Provenance& provenance, const RecordedWorkload& workload,
               const Comparison& comparison) {
  JsonObject json("ticktape.apply_bench/1");
  AddProvenance(json, provenance, workload);
  const Outcome& outcome = comparison.outcome;
  json.Field("trace_digest", outcome.digests.trace.ToString());
  json.Field("state_digest", outcome.digests.state.ToString());
  json.Field("reference_agrees", comparison.reference_agrees);
  json.Field("events", outcome.tally.events);
  json.Field("trades", outcome.trades);
  json.Field("rejections", outcome.rejections);
  json.Field("live_orders", outcome.live_orders);
  json.Field("live_orders_most", outcome.live_orders_most);
  json.Field("cores", NameOf(comparison.cores_kind));
  json.Field("round_trip_ns_least", comparison.round_trip_nanos_least);
  json.Field("round_trip_ns_most", comparison.round_trip_nanos_most);
  json.BeginArray("rows");
  for (const ComparisonRow& row : comparison.rows) {
    json.BeginElement();
    json.Field("engine", NameOf(row.contender));
    json.Field("mode", NameOfMode(row.mode));
    json.Field("ns_per_command", row.median_nanos);
    json.Field("ns_per_command_least", row.fastest_nanos);
    json.Field("ns_per_command_most", row.slowest_nanos);
    json.Field("commands_per_second", 1e9 / row.median_nanos);
    json.Field("runs", uint64_t{row.compared_count});
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

std::string TimedAndWarmUp(const RecordedWorkload& workload) {
  return absl::StrCat(WithCommas(workload.timed_count()), ", after ",
                      WithCommas(workload.warm_up_count), " of warm-up");
}

}  // namespace

void PrintProvenance(Console& console, const Provenance& provenance) {
  if (console.json()) return;
  PrintRow(console, "command", provenance.command);
  PrintRow(console, "build", provenance.build);
  PrintRow(console, "commit", provenance.commit);
  PrintRow(console, "machine", provenance.machine);
}

void PrintComparison(Console& console, const Provenance& provenance,
                     const RecordedWorkload& workload, const Comparison& comparison) {
  if (console.json()) {
    PrintJson(console, provenance, workload, comparison);
    return;
  }
  const Outcome& outcome = comparison.outcome;
  console.PrintLine("\n", Styled(Style::kBold, workload.name));
  PrintRow(console, "commands", TimedAndWarmUp(workload));
  PrintRow(console, "events",
           absl::StrCat(WithCommas(outcome.tally.events), ": ", WithCommas(outcome.trades),
                        " trades, ", WithCommas(outcome.rejections), " rejections; at most ",
                        WithCommas(outcome.live_orders_most), " live orders"));
  PrintRow(console, "log digest", workload.log_digest.ToString());
  PrintRow(console, "trace digest", outcome.digests.trace.ToString());
  PrintRow(console, "state digest", outcome.digests.state.ToString());
  PrintRow(console, "reference",
           comparison.reference_agrees ? tools::ConsoleText("agrees on both")
                                       : Styled(Style::kYellow, "was not run"));
  if (comparison.round_trip_nanos_most > 0) {
    PrintRow(console, "cores",
             absl::StrFormat("%s, round trips of %.0f to %.0f ns", NameOf(comparison.cores_kind),
                             comparison.round_trip_nanos_least, comparison.round_trip_nanos_most));
  }
  PrintPerTrade(console, workload, comparison);
  PrintTable(console, comparison);
}

void PrintLatency(Console& console, const Provenance& provenance, const RecordedWorkload& workload,
                  const LatencyResult& result) {
  const auto add = [](JsonObject& json, absl::string_view kind, const LatencyHistogram& histogram) {
    json.BeginElement();
    json.Field("kind", kind);
    json.Field("count", histogram.count());
    for (const Percentile& each : kPercentiles) {
      json.Field(absl::StrCat(each.name, "_ns"), histogram.Percentile(each.per_million));
    }
    json.Field("max_ns", histogram.max());
    json.EndElement();
  };
  const auto print = [&](absl::string_view kind, const LatencyHistogram& histogram) {
    std::string line = absl::StrFormat("  %-14s %11s", kind, WithCommas(histogram.count()));
    for (const Percentile& each : kPercentiles) {
      absl::StrAppendFormat(&line, " %8s", WithCommas(histogram.Percentile(each.per_million)));
    }
    absl::StrAppendFormat(&line, " %10s", WithCommas(histogram.max()));
    console.PrintLine(line);
  };
  if (console.json()) {
    JsonObject json("ticktape.apply_bench.latency/1");
    AddProvenance(json, provenance, workload);
    json.BeginArray("kinds");
    add(json, "probe", result.probe);
    for (const auto& [kind, histogram] : result.by_kind) {
      add(json, engine::NameOf(kind), histogram);
    }
    json.EndArray();
    console.PrintLine(json.Take());
    return;
  }
  console.PrintLine("\n", Styled(Style::kBold, workload.name));
  PrintRow(console, "commands", TimedAndWarmUp(workload));
  PrintRow(console, "log digest", workload.log_digest.ToString());
  PrintRow(console, "latency", "nanoseconds per call, fast engine; the probe is in every figure");
  console.PrintLine(
      Styled(Style::kDim, absl::StrFormat("  %-14s %11s %8s %8s %8s %8s %10s", "kind", "count",
                                          "p50", "p90", "p99", "p99.9", "max")));
  print("(the probe)", result.probe);
  for (const auto& [kind, histogram] : result.by_kind) print(engine::NameOf(kind), histogram);
}

}  // namespace bench
