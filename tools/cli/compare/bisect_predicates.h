// The predicates of bisect and minimize. Each finds its turn: the first command at which it holds
// for one engine.
//
//   crash               the engine ends: a CHECK, a signal
//   invariant           the same, with the engine's own invariant checks enabled
//   invariant:E2, E3    a book violates it, as seen from outside after every command
//   event CONDITION     the engine emits such an event (engine/messages/filter.h)
//   output KIND F=V ... the engine emits such an output, of any application (replay/vocabulary.h)
//   exec PROGRAM        the user's program returns "bad" for a journal of the first commands

#ifndef TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
#define TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/filter.h"
#include "journal/reader.h"
#include "replay/compare/failure.h"
#include "replay/compare/subject.h"
#include "replay/engines.h"
#include "tools/cli/base/progress.h"
#include "tools/os/child_process.h"

namespace tools {

// A regular value type.
struct Predicate {
  enum class Kind { kCrash, kInvariants, kBook, kEvent, kOutput, kExec };
  Kind kind = Kind::kCrash;
  std::string text;               // As given by the user.
  std::string argument;           // "E2", the condition, the program.
  engine::Filter condition = {};  // The condition of kEvent.
  // What kOutput's fields are to be, by name; `argument` is its kind.
  std::vector<std::pair<std::string, std::string>> fields = {};

  // Whether the engine may crash, and so needs a process of its own.
  bool may_end() const { return kind == Kind::kCrash || kind == Kind::kInvariants; }
  // Whether only journals of an exchange have it.
  bool is_of_exchange() const {
    return kind == Kind::kBook || kind == Kind::kEvent || kind == Kind::kExec;
  }
};

// The default: two engines diverge.
inline constexpr char kDiverge[] = "diverge";

inline constexpr char kPredicateHelp[] =
    "diverge, crash, invariant, invariant:E2,\n"
    "invariant:E3, 'event CONDITION',\n"
    "'output KIND FIELD=VALUE' or 'exec PROGRAM'";

// Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<Predicate> ParsePredicate(absl::string_view text);

// Returns the message for a predicate that never holds.
std::string NothingTurned(const Predicate& predicate);

struct TurnOptions {
  // For exec. `memory`: a file of earlier answers, or empty; `exhaustive`: tries every prefix, in
  // order.
  std::string memory = {};
  bool exhaustive = false;
  // Of all others: called before each 4,096 commands; null: no limit.
  std::function<bool()> out_of_time = nullptr;
};

// Returns the command at which the predicate first holds; nullopt if it never does. `engine` is the
// value of --engine-b; `steps` receives a description of the work done. Errors: the engine's;
// CANCELLED and FAILED_PRECONDITION as in ExecBisection; INVALID_ARGUMENT if the shell cannot run
// the program; DEADLINE_EXCEEDED if time ran out.
absl::StatusOr<std::optional<replay::Turn>> FindTurn(const Predicate& predicate,
                                                     journal::Reader& reader,
                                                     const std::string& engine,
                                                     const TurnOptions& options, Progress& progress,
                                                     std::vector<std::string>& steps);

// Makes a test of whether a smaller log fails in the same way. `subject`, `healthy` and
// `application` outlive it.
absl::StatusOr<replay::FailureTest> MakeTurnTest(const Predicate& predicate,
                                                 replay::Subject& subject, replay::Subject& healthy,
                                                 const replay::Application& application,
                                                 const replay::Turn& original);

// Discards what the program prints; returns its exit code, or 128 + the signal that ended it.
int WaitSilently(ChildProcess& child);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
