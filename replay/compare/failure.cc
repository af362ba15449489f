#include "replay/compare/failure.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/state/resting_order.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "replay/command_row.h"

namespace replay {
namespace {

using engine::RestingOrder;
using engine::SequenceNumber;
using Place = std::optional<SequenceNumber>;

std::string OutputsClass(const Divergence& divergence, const Vocabulary& vocabulary) {
  const size_t i = FirstDifferingOutput(divergence);
  const auto& a = divergence.a.outputs;
  const auto& b = divergence.b.outputs;
  if (i >= a.size()) return absl::StrCat("only B says ", vocabulary.ClassOf(b[i]));
  if (i >= b.size()) return absl::StrCat("only A says ", vocabulary.ClassOf(a[i]));
  if (a[i].kind != b[i].kind) {
    return absl::StrCat(vocabulary.ClassOf(a[i]), " against ", vocabulary.ClassOf(b[i]));
  }
  const std::vector<FieldDifference> fields = DifferingFields(vocabulary, a[i], b[i]);
  return absl::StrCat(vocabulary.OutputKindName(a[i].kind), ".",
                      fields.empty() ? "sequence" : fields.front().field);
}

// Returns where an engine ended, from its last output: "engine/core/ledger.cc:97", else its first
// line.
std::string EndSite(absl::string_view last_words) {
  const size_t check = last_words.find(": CHECK failed");
  if (check != absl::string_view::npos) {
    const absl::string_view before = last_words.substr(0, check);
    const size_t begin = before.find_last_of(" \n");
    return std::string(begin == absl::string_view::npos ? before : before.substr(begin + 1));
  }
  const std::vector<absl::string_view> lines = absl::StrSplit(last_words, '\n');
  return std::string(lines.front());
}

// The end within (before, last], a batch of `stride` at a time.
absl::StatusOr<std::optional<Turn>> FindEndFrom(LogSource& source, Subject& subject,
                                                SequenceNumber before, SequenceNumber last,
                                                size_t stride, bool invariants,
                                                const SearchProgress& progress) {
  RETURN_IF_ERROR(BringTo(source, subject, before));
  RETURN_IF_ERROR(source.Seek(before.Next()));
  while (before < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    for (size_t i = 0; i < run.rows.size() && before < last; i += stride) {
      const journal::Batch part = run.Part(i, std::min<uint64_t>(stride, last - before));
      const absl::StatusOr<Answer> answer = Put(subject, part, {.invariants = invariants});
      if (absl::IsAborted(answer.status())) {
        return Turn{.sequence = part.rows.back().sequence,
                    .what = std::string(answer.status().message())};
      }
      RETURN_IF_ERROR(answer.status());
      before = part.rows.back().sequence;
    }
    if (progress) progress(before);
  }
  return std::nullopt;
}

// Returns how the book, seen from outside, violates the invariant; empty if it does not. "E2": not
// crossed. "E3": priority ascends along each queue.
std::string WrongWith(absl::string_view invariant, const std::vector<RestingOrder>& bids,
                      const std::vector<RestingOrder>& asks) {
  if (invariant == "E2") {
    if (bids.empty() || asks.empty() || bids.front().price < asks.front().price) return "";
    return absl::StrCat("crossed: bid ", bids.front().id.value(), " at #",
                        bids.front().price.units(), ", ask ", asks.front().id.value(), " at #",
                        asks.front().price.units());
  }
  for (const auto* orders : {&bids, &asks}) {
    for (size_t i = 1; i < orders->size(); ++i) {
      const RestingOrder& before = (*orders)[i - 1];
      const RestingOrder& order = (*orders)[i];
      if (before.price != order.price || before.priority < order.priority) continue;
      return absl::StrCat("order ", before.id.value(), " stands before order ", order.id.value(),
                          ", which has the earlier priority");
    }
  }
  return "";
}

}  // namespace

size_t FirstDifferingOutput(const Divergence& divergence) {
  const auto& a = divergence.a.outputs;
  const auto& b = divergence.b.outputs;
  const auto [at, ignored] = std::ranges::mismatch(a, b);
  return static_cast<size_t>(at - a.begin());
}

std::string FailureClass(const Divergence& divergence, const Vocabulary& vocabulary) {
  const std::string row = vocabulary.RowKindName(vocabulary.KindOf(divergence.entry.row));
  switch (divergence.what) {
    case Divergence::What::kOutputs:
      return absl::StrCat(row, ": ", OutputsClass(divergence, vocabulary));
    case Divergence::What::kState:
      return absl::StrCat(row, ": state");
    case Divergence::What::kEnded:
      break;
  }
  std::string text = row + ":";
  if (divergence.a.ended) absl::StrAppend(&text, " A ends at ", EndSite(*divergence.a.ended));
  if (divergence.b.ended) absl::StrAppend(&text, " B ends at ", EndSite(*divergence.b.ended));
  return text;
}

FailureTest PartingTest(Subject& a, Subject& b, const Divergence& original,
                        const Vocabulary& vocabulary) {
  const std::string failure_class = FailureClass(original, vocabulary);
  const LockStepOptions options = {.compare_state = original.what == Divergence::What::kState};
  return {.failure_class = failure_class,
          .fails_at = original.sequence(),
          .healthy = a,
          .find = [=, &a, &b, &vocabulary](LogSource& source) -> absl::StatusOr<Place> {
            ASSIGN_OR_RETURN(const std::optional<Divergence> divergence,
                             FindFirstDivergence(source, a, b, options));
            if (!divergence.has_value()) return std::nullopt;
            if (FailureClass(*divergence, vocabulary) != failure_class) return std::nullopt;
            return divergence->sequence();
          }};
}

absl::StatusOr<std::optional<Turn>> FindEnd(LogSource& source, Subject& subject, bool invariants,
                                            const SearchProgress& progress) {
  constexpr size_t kWholeRuns = 4096;
  ASSIGN_OR_RETURN(const std::optional<Turn> run,
                   FindEndFrom(source, subject, SequenceNumber(), source.last(), kWholeRuns,
                               invariants, progress));
  if (!run.has_value()) return std::nullopt;
  const SequenceNumber before((run->sequence.value() - 1) / kWholeRuns * kWholeRuns);
  ASSIGN_OR_RETURN(const std::optional<Turn> end,
                   FindEndFrom(source, subject, before, run->sequence, 1, invariants, nullptr));
  if (end.has_value()) return end;
  return absl::InternalError(absl::StrCat(subject.identity().name, " ends between records ",
                                          before.Next().value(), " and ", run->sequence.value(),
                                          ", but not a second time: it is not deterministic"));
}

absl::StatusOr<std::optional<Turn>> FindWrongBook(LogSource& source, Subject& subject,
                                                  absl::string_view invariant,
                                                  const SearchProgress& progress) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    for (size_t i = 0; i < run.rows.size(); ++i) {
      RETURN_IF_ERROR(Put(subject, run.Part(i, 1), {}).status());
      const engine::Command command = ToCommand(run.rows[i]);
      ASSIGN_OR_RETURN(const auto bids, subject.Orders(command.market, engine::Side::kBid));
      ASSIGN_OR_RETURN(const auto asks, subject.Orders(command.market, engine::Side::kAsk));
      const std::string wrong = WrongWith(invariant, bids, asks);
      if (!wrong.empty()) return Turn{.sequence = command.sequence, .what = wrong};
    }
    if (progress) progress(run.rows.back().sequence);
  }
}

FailureTest EndTest(Subject& subject, Subject& healthy, const Turn& original, bool invariants) {
  const std::string site = EndSite(original.what);
  return {.failure_class = absl::StrCat("ends at ", site),
          .fails_at = original.sequence,
          .healthy = healthy,
          .find = [=, &subject](LogSource& source) -> absl::StatusOr<Place> {
            ASSIGN_OR_RETURN(const std::optional<Turn> end,
                             FindEnd(source, subject, invariants, nullptr));
            if (!end.has_value() || EndSite(end->what) != site) return std::nullopt;
            return end->sequence;
          }};
}

}  // namespace replay
