#include "replay/trace_vector.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/reader.h"
#include "replay/compare/snapshot_states.h"

namespace replay {

using engine::SequenceNumber;

TraceComparison CompareTraces(std::span<const journal::Checkpoint> a,
                              std::span<const journal::Checkpoint> b) {
  TraceComparison result;
  std::vector<std::pair<const journal::Checkpoint*, const journal::Checkpoint*>> common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].sequence < b[j].sequence) {
      ++i;
    } else if (b[j].sequence < a[i].sequence) {
      ++j;
    } else {
      if (a[i].trace && b[j].trace) {
        if (a[i].state.has_value() != b[j].state.has_value()) result.comparable = false;
        common.emplace_back(&a[i], &b[j]);
      }
      ++i;
      ++j;
    }
  }
  result.common = common.size();
  if (common.empty()) return result;
  result.last = common.back().first->sequence;
  // A run that was continued has checkpoints between multiples of 4096, which are not part of a
  // chain. Of these only the last counts: it is the end of both runs.
  const auto differs = [&](size_t i) {
    ++result.looked_at;
    return common[i].first->trace != common[i].second->trace;
  };
  if (!result.comparable || !differs(common.size() - 1)) return result;
  size_t low = 0;
  size_t high = common.size() - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (differs(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  result.differing =
      DivergingRun{.equal = high == 0 ? SequenceNumber() : common[high - 1].first->sequence,
                   .differs = common[high].first->sequence};
  return result;
}

absl::Status TakeTrace(LogSource& source, Subject& subject, SequenceNumber last,
                       const std::function<bool(const journal::Checkpoint&)>& seen,
                       SnapshotStates* states) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  engine::Digest chain;
  SequenceNumber at;
  while (at < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    ASSIGN_OR_RETURN(const Answer answer, Put(subject, PartOf(run, 0, last - at), {.state = true}));
    const engine::Digest links[] = {chain, answer.outputs, answer.state};
    chain = engine::DigestOf(std::as_bytes(std::span(links)));
    at = answer.last;
    if (states != nullptr) states->Offer(subject, answer);
    if (!seen({.sequence = at, .log = std::nullopt, .trace = chain, .state = answer.state})) break;
  }
  return absl::OkStatus();
}

}  // namespace replay
