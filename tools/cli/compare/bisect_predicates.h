// The predicates of bisect: the first command at which something about one engine turns.

#ifndef TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
#define TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/progress.h"

namespace tools {

// What a predicate turned at. A regular value type.
struct Turn {
  engine::SequenceNumber sequence;
  std::string what;  // "trade ...", the last words of an engine.
};

// The ways to ask one engine; `steps` is told what was done.
absl::StatusOr<std::optional<Turn>> FindEvent(journal::Reader& reader, const std::string& engine,
                                              const std::string& condition, Progress& progress,
                                              std::vector<std::string>& steps);
absl::StatusOr<std::optional<Turn>> FindEngineEnd(journal::Reader& reader,
                                                  const std::string& engine, bool invariants,
                                                  Progress& progress,
                                                  std::vector<std::string>& steps);
// Of books, seen from the outside after every command: "E2" (not crossed), "E3" (priority rises
// along a queue).
absl::StatusOr<std::optional<Turn>> FindBookInvariant(journal::Reader& reader,
                                                      const std::string& engine,
                                                      const std::string& invariant,
                                                      Progress& progress,
                                                      std::vector<std::string>& steps);
absl::StatusOr<std::optional<Turn>> FindExec(journal::Reader& reader, const std::string& program,
                                             const std::string& memory, bool exhaustive,
                                             std::vector<std::string>& steps);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_BISECT_PREDICATES_H_
