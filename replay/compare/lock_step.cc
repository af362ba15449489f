#include "replay/compare/lock_step.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/reader.h"
#include "replay/compare/snapshot_states.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// A state digest may walk the whole state. With up to this many entities, one is taken after each
// record of a run; with more, the first pass takes one after each stride.
constexpr uint64_t kSizeForEveryState = 5000;
constexpr size_t kStride = 64;

struct Pair {
  absl::StatusOr<Answer> a;
  absl::StatusOr<Answer> b;

  bool any_ended() const { return absl::IsAborted(a.status()) || absl::IsAborted(b.status()); }
  bool equal() const { return a->outputs == b->outputs && a->state == b->state; }
};

// Sends to both before it receives, so that an engine in another process works in parallel. Errors:
// all but ABORTED, which is a result.
absl::StatusOr<Pair> PutToBoth(Subject& a, Subject& b, const journal::Batch& batch,
                               const Ask& ask) {
  const absl::Status sent_a = a.Send(batch, ask);
  const absl::Status sent_b = b.Send(batch, ask);
  Pair pair{.a = sent_a.ok() ? absl::StatusOr<Answer>(Answer()) : sent_a,
            .b = sent_b.ok() ? absl::StatusOr<Answer>(Answer()) : sent_b};
  if (sent_a.ok()) pair.a = a.Receive();
  if (sent_b.ok()) pair.b = b.Receive();
  for (const absl::Status& status : {pair.a.status(), pair.b.status()}) {
    if (!status.ok() && !absl::IsAborted(status)) return status;
  }
  return pair;
}

absl::StatusOr<Outcome> OutcomeOf(Subject& subject, const absl::StatusOr<Answer>& answer) {
  Outcome outcome;
  if (!answer.ok()) {
    outcome.ended = std::string(answer.status().message());
    return outcome;
  }
  outcome.state = answer->state;
  ASSIGN_OR_RETURN(const std::span<const Output> outputs, subject.Outputs());
  outcome.outputs.assign(outputs.begin(), outputs.end());
  return outcome;
}

absl::StatusOr<Divergence> Describe(Subject& a, Subject& b, const journal::Batch& one,
                                    const Pair& pair) {
  Divergence divergence;
  divergence.entry = FirstOf(one);
  ASSIGN_OR_RETURN(divergence.a, OutcomeOf(a, pair.a));
  ASSIGN_OR_RETURN(divergence.b, OutcomeOf(b, pair.b));
  if (pair.any_ended()) {
    divergence.what = Divergence::What::kEnded;
  } else if (pair.a->outputs == pair.b->outputs) {
    divergence.what = Divergence::What::kState;
  }
  return divergence;
}

// Where in (equal, differs] the engines diverge.
struct Stretch {
  SequenceNumber equal;                  // They are equal up to here ...
  SequenceNumber differs;                // ... and differ here.
  std::optional<Divergence> divergence;  // Set if the stretch is one command.
};

absl::StatusOr<Stretch> FoundIn(Subject& a, Subject& b, const journal::Batch& part,
                                const Pair& pair) {
  Stretch found{.equal = part.rows.front().sequence - 1,
                .differs = part.rows.back().sequence,
                .divergence = {}};
  if (part.rows.size() == 1) {
    ASSIGN_OR_RETURN(found.divergence, Describe(a, b, part, pair));
  }
  return found;
}

// Compares after each command, or after each `stride_when_expensive` if state digests are
// expensive.
absl::StatusOr<Stretch> Narrow(LogSource& source, Subject& a, Subject& b, const Stretch& within,
                               size_t stride_when_expensive, const LockStepOptions& options) {
  RETURN_IF_ERROR(BringTo(source, a, within.equal, options.states));
  RETURN_IF_ERROR(BringTo(source, b, within.equal, options.states));
  RETURN_IF_ERROR(source.Seek(within.equal.Next()));
  size_t stride = 1;
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty() || run.rows.front().sequence > within.differs) break;
    for (size_t i = 0; i < run.rows.size();) {
      const journal::Batch part = run.Part(i, stride);
      ASSIGN_OR_RETURN(const Pair pair, PutToBoth(a, b, part, {.state = options.compare_state}));
      if (pair.any_ended() || !pair.equal()) return FoundIn(a, b, part, pair);
      i += part.rows.size();
      const bool is_expensive = options.compare_state && pair.a->state_size > kSizeForEveryState;
      if (is_expensive) stride = stride_when_expensive;
    }
  }
  return absl::InternalError(absl::StrCat(
      "the engines differ between records ", within.equal.Next().value(), " and ",
      within.differs.value(), ", but not when these are put to them a second time: one of ",
      a.identity().name, ", ", b.identity().name, " is not deterministic"));
}

}  // namespace

absl::Status BringTo(LogSource& source, Subject& subject, SequenceNumber last,
                     SnapshotStates* states) {
  SequenceNumber at;
  if (states == nullptr) {
    RETURN_IF_ERROR(subject.Reset());
  } else {
    ASSIGN_OR_RETURN(at, states->Restore(subject, last));
    CHECK_LE(at, last);
  }
  return GoOn(source, subject, at, last, states);
}

absl::Status GoOn(LogSource& source, Subject& subject, SequenceNumber at, SequenceNumber last,
                  SnapshotStates* states) {
  RETURN_IF_ERROR(source.Seek(at.Next()));
  while (at < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return absl::OutOfRangeError("the log ends before that record");
    const journal::Batch part = run.Part(0, last - at);
    RETURN_IF_ERROR(Put(subject, part, {}).status());
    at = part.rows.back().sequence;
    if (states != nullptr) states->CountReplayed(part.rows.size());
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> KeepStateAt(LogSource& source, Subject& subject, SequenceNumber last,
                                 SnapshotStates& states) {
  const SavedState* const newest = states.Newest(last);
  if (last == SequenceNumber() || (newest != nullptr && newest->sequence == last)) return false;
  ASSIGN_OR_RETURN(const SequenceNumber at, states.Restore(subject, last));
  // An engine that cannot save shows it here, before it replays.
  if (at == SequenceNumber() && absl::IsUnimplemented(subject.Save().status())) return false;
  RETURN_IF_ERROR(GoOn(source, subject, at, last, &states));
  absl::StatusOr<SavedState> state = subject.Save();
  if (absl::IsUnimplemented(state.status())) return false;
  RETURN_IF_ERROR(state.status());
  states.Keep(*std::move(state));
  return true;
}

absl::StatusOr<std::optional<Divergence>> FindFirstDivergence(LogSource& source, Subject& a,
                                                              Subject& b,
                                                              const LockStepOptions& options) {
  RETURN_IF_ERROR(a.Reset());
  RETURN_IF_ERROR(b.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  const SequenceNumber last = source.last();
  SequenceNumber equal;
  while (equal < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    for (size_t i = 0; i < run.rows.size() && equal < last; i += options.state_every) {
      const size_t count = std::min<uint64_t>(options.state_every, last - equal);
      const journal::Batch part = run.Part(i, count);
      const SequenceNumber end = part.rows.back().sequence;
      ASSIGN_OR_RETURN(const Pair pair, PutToBoth(a, b, part, {.state = options.compare_state}));
      if (pair.any_ended() || !pair.equal()) {
        ASSIGN_OR_RETURN(const Divergence found,
                         FindDivergenceWithin(source, a, b, equal, end, options));
        return found;
      }
      equal = end;
      if (options.compare_state && options.states != nullptr) {
        options.states->Know(equal, pair.a->state);
        options.states->Offer(a, *pair.a);
      }
    }
    if (options.progress) options.progress(equal);
  }
  return std::nullopt;
}

absl::StatusOr<Divergence> FindDivergenceWithin(LogSource& source, Subject& a, Subject& b,
                                                SequenceNumber equal, SequenceNumber differs,
                                                const LockStepOptions& options) {
  // B, and the second narrowing, continue from A's state there.
  if (options.compare_state && options.states != nullptr) {
    RETURN_IF_ERROR(KeepStateAt(source, a, equal, *options.states).status());
  }
  Stretch stretch{.equal = equal, .differs = differs, .divergence = {}};
  ASSIGN_OR_RETURN(stretch, Narrow(source, a, b, stretch, kStride, options));
  if (!stretch.divergence.has_value()) {
    ASSIGN_OR_RETURN(stretch, Narrow(source, a, b, stretch, 1, options));
  }
  return *std::move(stretch.divergence);
}

}  // namespace replay
