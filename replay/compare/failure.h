// The way in which two machines diverge, without order numbers and values: what minimization must
// preserve, and what distinguishes two bugs. And tests of whether a log still fails in the same
// way.
//
//   new_order: trade.price
//   new_order: rejected(post_only_would_cross) against accepted
//   cancel: state
//   new_order: B ends at engine/core/ledger.cc:97

#ifndef REPLAY_COMPARE_FAILURE_H_
#define REPLAY_COMPARE_FAILURE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/vocabulary.h"

namespace replay {

// Returns the index of the first output that differs; if one list is a prefix of the other, its
// length.
size_t FirstDifferingOutput(const Divergence& divergence);

std::string FailureClass(const Divergence& divergence, const Vocabulary& vocabulary);

struct FailureTest {
  std::string failure_class;        // The failure class to preserve, as text.
  engine::SequenceNumber fails_at;  // Where the log to be minimized fails.
  Subject& healthy;                 // The machine that is right; an exchange supplies the book.

  // Returns the record at which the log fails in this way; nullopt if it does not fail, or fails in
  // another way. Errors: those of the source and of the subjects.
  std::function<absl::StatusOr<std::optional<engine::SequenceNumber>>(LogSource&)> find;
};

// Fails where two machines diverge as in `original`, the divergence in the log to be minimized.
// Subjects and vocabulary outlive the test, here and below.
FailureTest PartingTest(Subject& a, Subject& b, const Divergence& original,
                        const Vocabulary& vocabulary);

// The first command at which something about one engine turns. A regular value type.
struct Turn {
  engine::SequenceNumber sequence;
  std::string what;  // The last words of an engine that ended.
};

// Receives the last record that was searched; may be null.
using SearchProgress = std::function<void(engine::SequenceNumber)>;

// Returns the first command at which `subject` ends unexpectedly: a failed CHECK or a signal; with
// `invariants`, also where an invariant does not hold. Resets `subject` first.
absl::StatusOr<std::optional<Turn>> FindEnd(LogSource& source, Subject& subject, bool invariants,
                                            const SearchProgress& progress);

// Returns the first command after which the book of its market, seen from outside, violates the
// invariant. "E2": not crossed. "E3": priority ascends along each queue. Resets `subject` first.
absl::StatusOr<std::optional<Turn>> FindWrongBook(LogSource& source, Subject& subject,
                                                  absl::string_view invariant,
                                                  const SearchProgress& progress);

// Fails where one engine ends at one place in its code. `healthy` is another engine, which supplies
// the book.
FailureTest EndTest(Subject& subject, Subject& healthy, const Turn& original, bool invariants);

}  // namespace replay

#endif  // REPLAY_COMPARE_FAILURE_H_
