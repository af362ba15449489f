#include "replay/compare/failure_check.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/reader.h"
#include "replay/compare/failure_class.h"
#include "replay/compare/timed_source.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// The end within (before, last], a batch of `stride` at a time.
absl::StatusOr<std::optional<End>> FindEndFrom(
    LogSource& source, Subject& subject, SequenceNumber before, SequenceNumber last, size_t stride,
    bool invariants, const std::function<void(SequenceNumber)>& progress) {
  RETURN_IF_ERROR(BringTo(source, subject, before));
  RETURN_IF_ERROR(source.Seek(before.Next()));
  while (before < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    for (size_t i = 0; i < run.rows.size() && before < last; i += stride) {
      const journal::Batch part = PartOf(run, i, std::min<uint64_t>(stride, last - before));
      const absl::StatusOr<Answer> answer = Put(subject, part, {.invariants = invariants});
      if (absl::IsAborted(answer.status())) {
        return End{.sequence = part.rows.back().sequence,
                   .last_words = std::string(answer.status().message())};
      }
      RETURN_IF_ERROR(answer.status());
      before = part.rows.back().sequence;
    }
    if (progress) progress(before);
  }
  return std::nullopt;
}

}  // namespace

PartingTest::PartingTest(Subject& a, Subject& b, const Divergence& original,
                         const Vocabulary& vocabulary)
    : a_(a),
      b_(b),
      vocabulary_(vocabulary),
      class_(FailureClass(original, vocabulary)),
      fails_at_(original.sequence()),
      compare_state_(original.what == Divergence::What::kState) {}

absl::StatusOr<std::optional<size_t>> PartingTest::FailsAt(const Log& log) {
  MemorySource memory(log);
  TimedSource source(memory, out_of_time());
  ASSIGN_OR_RETURN(
      const std::optional<Divergence> divergence,
      FindFirstDivergence(source, a_, b_, source.last(), {.compare_state = compare_state_}));
  if (!divergence.has_value() || FailureClass(*divergence, vocabulary_) != class_)
    return std::nullopt;
  return divergence->sequence().value() - 1;
}

absl::StatusOr<std::optional<End>> FindEnd(LogSource& source, Subject& subject, SequenceNumber last,
                                           bool invariants,
                                           const std::function<void(SequenceNumber)>& progress) {
  constexpr size_t kWholeRuns = 4096;
  ASSIGN_OR_RETURN(
      const std::optional<End> run,
      FindEndFrom(source, subject, SequenceNumber(), last, kWholeRuns, invariants, progress));
  if (!run.has_value()) return std::nullopt;
  const SequenceNumber before((run->sequence.value() - 1) / kWholeRuns * kWholeRuns);
  ASSIGN_OR_RETURN(const std::optional<End> end,
                   FindEndFrom(source, subject, before, run->sequence, 1, invariants, nullptr));
  if (end.has_value()) return end;
  return absl::InternalError(absl::StrCat(subject.identity().name, " ends between records ",
                                          before.Next().value(), " and ", run->sequence.value(),
                                          ", but not a second time: it is not deterministic"));
}

EndTest::EndTest(Subject& subject, Subject& healthy, const End& original, bool invariants)
    : subject_(subject),
      healthy_(healthy),
      invariants_(invariants),
      class_(absl::StrCat("ends at ", EndSite(original.last_words))),
      fails_at_(original.sequence) {}

absl::StatusOr<std::optional<size_t>> EndTest::FailsAt(const Log& log) {
  MemorySource memory(log);
  TimedSource source(memory, out_of_time());
  ASSIGN_OR_RETURN(const std::optional<End> end,
                   FindEnd(source, subject_, source.last(), invariants_, nullptr));
  if (!end.has_value() || absl::StrCat("ends at ", EndSite(end->last_words)) != class_) {
    return std::nullopt;
  }
  return end->sequence.value() - 1;
}

}  // namespace replay
