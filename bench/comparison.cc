#include "bench/comparison.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "bench/ping_pong.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace bench {
namespace {

bool Contains(const std::vector<Contender>& contenders, Contender contender) {
  return std::find(contenders.begin(), contenders.end(), contender) != contenders.end();
}

absl::Status Differs(absl::string_view workload, absl::string_view engine, absl::string_view what,
                     absl::string_view found, absl::string_view expected) {
  return absl::AbortedError(absl::StrCat(workload, ": the engine ", engine, " has ", what, " ",
                                         found, ", expected ", expected));
}

absl::Status CheckDigests(absl::string_view workload, absl::string_view engine,
                          const RunDigests& found, const RunDigests& expected) {
  if (found.trace != expected.trace) {
    return Differs(workload, engine, "trace digest", found.trace.ToString(),
                   expected.trace.ToString());
  }
  if (found.state != expected.state) {
    return Differs(workload, engine, "state digest", found.state.ToString(),
                   expected.state.ToString());
  }
  return absl::OkStatus();
}

// Checks that a timed run produced the same events as the checked one, as far as its mode records
// them.
absl::Status CheckTimed(absl::string_view workload, Contender contender, Mode mode,
                        const TimedResult& result, const Outcome& outcome) {
  if (contender == Contender::kNull) return absl::OkStatus();
  const absl::string_view engine = NameOf(contender);
  if (result.tally.events != outcome.tally.events) {
    return Differs(workload, engine, "in a timed run a count of events of",
                   absl::StrCat(result.tally.events), absl::StrCat(outcome.tally.events));
  }
  if (mode == Mode::kDrained && result.tally != outcome.tally) {
    return Differs(workload, engine, "through the ring a tally of events of",
                   absl::StrCat(result.tally.mix), absl::StrCat(outcome.tally.mix));
  }
  if (result.digests.has_value()) {
    return CheckDigests(workload, engine, *result.digests, outcome.digests);
  }
  if (result.state.has_value() && *result.state != outcome.digests.state) {
    return Differs(workload, engine, "after a timed run the state digest", result.state->ToString(),
                   outcome.digests.state.ToString());
  }
  return absl::OkStatus();
}

// Checks the fast engine against the reference; the fast engine's outcome is the expected one from
// then on.
absl::Status Agree(const RecordedWorkload& workload, bool ask_reference, const OutcomeCache& cache,
                   const Narrator& narrator, Comparison& comparison) {
  const uint64_t total = workload.commands.size();
  std::optional<Outcome> reference = cache.Find(workload.log_digest);
  if (!reference.has_value() && ask_reference) {
    reference = CheckedRun(Contender::kReference, workload,
                           [&](uint64_t done) { narrator("reference", done, total); });
    cache.Keep(workload.log_digest, *reference);
  }
  comparison.outcome = CheckedRun(Contender::kFast, workload,
                                  [&](uint64_t done) { narrator("check", done, total); });
  comparison.reference_agrees = reference.has_value();
  if (!reference.has_value()) return absl::OkStatus();
  RETURN_IF_ERROR(
      CheckDigests(workload.name, "fast", comparison.outcome.digests, reference->digests));
  if (comparison.outcome.tally != reference->tally) {
    return Differs(workload.name, "fast", "a tally of events of",
                   absl::StrCat(comparison.outcome.tally.mix), absl::StrCat(reference->tally.mix));
  }
  return absl::OkStatus();
}

std::optional<CoresKind> KindOf(const TimedResult& run) {
  const bool near_before = run.round_trip_nanos_before < kNearNanos;
  const bool near_after = run.round_trip_nanos_after < kNearNanos;
  if (near_before != near_after) return std::nullopt;
  return near_before ? CoresKind::kNear : CoresKind::kFar;
}

size_t CountOf(const ComparisonRow& row, CoresKind kind) {
  return static_cast<size_t>(
      std::count_if(row.runs.begin(), row.runs.end(),
                    [&](const TimedResult& run) { return KindOf(run) == kind; }));
}

// kNear if every drained row has such a run, else kFar if every row has one, else kMixed.
CoresKind ChooseKind(const std::vector<ComparisonRow>& rows) {
  for (const CoresKind kind : {CoresKind::kNear, CoresKind::kFar}) {
    const bool all_have = std::all_of(rows.begin(), rows.end(), [&](const ComparisonRow& row) {
      return row.mode == Mode::kSame || CountOf(row, kind) > 0;
    });
    if (all_have) return kind;
  }
  return CoresKind::kMixed;
}

void Summarise(const RecordedWorkload& workload, CoresKind kind, ComparisonRow& row) {
  std::vector<double> nanos;
  for (const TimedResult& run : row.runs) {
    if (row.mode == Mode::kDrained && kind != CoresKind::kMixed && KindOf(run) != kind) continue;
    nanos.push_back(run.seconds * 1e9 / static_cast<double>(workload.timed_count()));
  }
  CHECK(!nanos.empty());
  std::sort(nanos.begin(), nanos.end());
  row.median_nanos = nanos[nanos.size() / 2];
  row.fastest_nanos = nanos.front();
  row.slowest_nanos = nanos.back();
  row.compared_count = nanos.size();
}

void SummariseAll(const RecordedWorkload& workload, Comparison& comparison) {
  comparison.cores_kind = ChooseKind(comparison.rows);
  bool is_first = true;
  for (ComparisonRow& row : comparison.rows) {
    Summarise(workload, comparison.cores_kind, row);
    if (row.mode != Mode::kDrained) continue;
    for (const TimedResult& run : row.runs) {
      for (const double nanos : {run.round_trip_nanos_before, run.round_trip_nanos_after}) {
        comparison.round_trip_nanos_least =
            is_first ? nanos : std::min(comparison.round_trip_nanos_least, nanos);
        comparison.round_trip_nanos_most = std::max(comparison.round_trip_nanos_most, nanos);
        is_first = false;
      }
    }
  }
}

}  // namespace

absl::string_view NameOf(CoresKind kind) {
  switch (kind) {
    case CoresKind::kNear:
      return "near";
    case CoresKind::kFar:
      return "far";
    case CoresKind::kMixed:
      return "near and far";
  }
  return "";
}

absl::StatusOr<Comparison> Compare(const RecordedWorkload& workload,
                                   const ComparisonOptions& options, const OutcomeCache& cache,
                                   const Narrator& narrator) {
  CHECK(options.run_count >= 1);
  Comparison comparison;
  const bool with_reference = Contains(options.contenders, Contender::kReference);
  RETURN_IF_ERROR(Agree(workload, with_reference, cache, narrator, comparison));
  for (const Mode mode : options.modes) {
    for (const Contender contender : options.contenders) {
      if (contender == Contender::kReference && mode == Mode::kDrained) continue;
      comparison.rows.push_back({.contender = contender, .mode = mode, .runs = {}});
    }
  }
  // Runs alternate, so that other load on the machine affects all rows alike.
  for (int run = 0; run < options.run_count; ++run) {
    for (ComparisonRow& row : comparison.rows) {
      if (row.contender == Contender::kReference && run > 0) continue;
      narrator("time", static_cast<uint64_t>(run), static_cast<uint64_t>(options.run_count));
      TimedResult result = TimedRun(row.contender, row.mode, workload, options.cores);
      RETURN_IF_ERROR(
          CheckTimed(workload.name, row.contender, row.mode, result, comparison.outcome));
      row.runs.push_back(std::move(result));
    }
  }
  SummariseAll(workload, comparison);
  return comparison;
}

}  // namespace bench
