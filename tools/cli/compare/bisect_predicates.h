// The predicates of bisect and minimize. Each finds its turn: the first command at which it holds
// for one engine.
//
//   crash               the engine ends: a CHECK, a signal
//   invariant           the same, with the engine's own invariant checks enabled
//   invariant:E2, E3    a book violates it, as seen from outside after every command
//   event CONDITION     the engine emits such an event (tools/cli/read/where.h)
//   exec PROGRAM        the user's program returns "bad" for a journal of the first commands

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
#include "replay/compare/failure_check.h"
#include "replay/compare/subject.h"
#include "tools/cli/base/progress.h"

namespace tools {

// A regular value type.
struct Predicate {
  enum class Kind { kCrash, kInvariants, kBook, kEvent, kExec };
  Kind kind = Kind::kCrash;
  std::string text;      // As given by the user.
  std::string argument;  // "E2", the condition, the program.

  // Whether the engine may crash, and so needs a process of its own.
  bool may_end() const { return kind == Kind::kCrash || kind == Kind::kInvariants; }
};

// The default: two engines diverge.
inline constexpr char kDiverge[] = "diverge";

inline constexpr char kPredicateHelp[] =
    "diverge, crash, invariant, invariant:E2,\n"
    "invariant:E3, 'event CONDITION' or 'exec PROGRAM'";

// Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<Predicate> ParsePredicate(absl::string_view text);

// Returns the message for a predicate that never holds.
std::string NothingTurned(const Predicate& predicate);

// The command at which a predicate first holds. A regular value type.
struct Turn {
  engine::SequenceNumber sequence;
  std::string what;  // "trade ...", the engine's last words.
};

struct TurnOptions {
  // For exec. `memory`: a file of earlier answers, or empty; `exhaustive`: tries every prefix, in
  // order.
  std::string memory = {};
  bool exhaustive = false;
};

// Returns nullopt if the predicate never holds. `engine` is the value of --engine-b; `steps`
// receives a description of the work done. Errors: the engine's; CANCELLED and FAILED_PRECONDITION
// as in ExecBisection.
absl::StatusOr<std::optional<Turn>> FindTurn(const Predicate& predicate, journal::Reader& reader,
                                             const std::string& engine, const TurnOptions& options,
                                             Progress& progress, std::vector<std::string>& steps);

// Makes a test of whether a smaller log fails in the same way. `subject` and `healthy` outlive it.
absl::StatusOr<std::unique_ptr<replay::FailureTest>> MakeTurnTest(const Predicate& predicate,
                                                                  replay::Subject& subject,
                                                                  replay::Subject& healthy,
                                                                  const Turn& original);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
