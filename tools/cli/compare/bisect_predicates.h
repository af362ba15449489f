// The predicates of bisect and minimize: the first command at which something about one engine
// turns.
//
//   crash               it ends: a CHECK, a signal
//   invariant           the same, and it checks what must hold of its own state
//   invariant:E2, E3    its books, seen from the outside after every command
//   event CONDITION     it says such an event (replay/compare/event_condition.h)
//   exec PROGRAM        a program of the user's says bad of a journal of the first commands

#ifndef TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
#define TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "replay/compare/failure_test.h"
#include "replay/compare/subject.h"
#include "tools/cli/base/progress.h"

namespace tools {

// A regular value type.
struct Predicate {
  enum class Kind { kCrash, kInvariants, kBook, kEvent, kExec };
  Kind kind = Kind::kCrash;
  std::string text;      // As it was given.
  std::string argument;  // "E2", the condition, the program.

  // Whether the engine that is asked may end of it, and wants a process of its own.
  bool may_end() const { return kind == Kind::kCrash || kind == Kind::kInvariants; }
};

// What is looked for unless a predicate is named: two engines part.
inline constexpr char kDiverge[] = "diverge";

inline constexpr char kPredicateHelp[] =
    "diverge, crash, invariant, invariant:E2,\n"
    "invariant:E3, 'event CONDITION' or 'exec PROGRAM'";

// Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<Predicate> ParsePredicate(absl::string_view text);

// What to say where it never turned.
std::string NothingTurned(const Predicate& predicate);

// What a predicate turned at. A regular value type.
struct Turn {
  engine::SequenceNumber sequence;
  std::string what;  // "trade ...", the last words of an engine.
};

struct TurnOptions {
  // Of exec: a file of earlier answers, or nothing; whether every prefix is tried, in order.
  std::string memory = {};
  bool exhaustive = false;
};

// `engine` is what --engine-b says; `steps` is told what was done. Errors: those of the engine,
// CANCELLED and FAILED_PRECONDITION as ExecBisection.
absl::StatusOr<std::optional<Turn>> FindTurn(const Predicate& predicate, journal::Reader& reader,
                                             const std::string& engine, const TurnOptions& options,
                                             Progress& progress, std::vector<std::string>& steps);

// Whether a smaller log turns in the same way. `subject` and `healthy` outlive it.
absl::StatusOr<std::unique_ptr<replay::FailureTest>> MakeTurnTest(const Predicate& predicate,
                                                                  replay::Subject& subject,
                                                                  replay::Subject& healthy,
                                                                  const Turn& original);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
