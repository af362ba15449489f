// Replays a journal and compares the results with an expectation.
//
//   records ──► Subject ──► checkpoints, marks, events ──► Differences
//                              └── compared with an expectation: the first command that differs

#ifndef TOOLS_CLI_GOLDEN_GOLDEN_RUN_H_
#define TOOLS_CLI_GOLDEN_GOLDEN_RUN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "replay/compare/subject.h"
#include "tools/cli/golden/expectation.h"

namespace tools {

// The first command whose events differ from the expected ones.
struct GoldenDifference {
  engine::SequenceNumber sequence;
  std::string command;                               // In the text form.
  std::vector<std::string> events;                   // From the engine, now.
  std::optional<std::vector<std::string>> expected;  // Nullopt: only their mark is known.
};

struct GoldenRun {
  replay::SubjectIdentity engine;
  uint64_t event_count = 0;
  std::vector<journal::Checkpoint> checkpoints;
  std::vector<uint16_t> marks;
  std::vector<std::string> events;  // If requested.
  std::optional<GoldenDifference> difference;

  uint64_t command_count() const {
    return checkpoints.empty() ? 0 : checkpoints.back().sequence.value();
  }
};

struct GoldenOptions {
  bool keep_events = false;
  const Expectation* against = nullptr;  // Outlives the call.
  std::function<void(uint64_t done)> progress = nullptr;
};

// Replays the whole journal. Errors: the reader's, the subject's, UNIMPLEMENTED (the journal does
// not begin with record 1).
absl::StatusOr<GoldenRun> RunGolden(journal::Reader& reader, replay::Subject& subject,
                                    const GoldenOptions& options);

// Returns one line per difference; empty if there is none.
std::vector<std::string> Differences(const Expectation& expectation, const GoldenRun& run);

// Returns the results of the run, with the expectation's name, journal and history. It has marks if
// there are at most kMarkedCommandsMax commands, and events if the expectation has them.
Expectation Updated(const Expectation& expectation, const GoldenRun& run);

inline constexpr uint64_t kMarkedCommandsMax = uint64_t{1} << 18;

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_GOLDEN_RUN_H_
