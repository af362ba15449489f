// A journal through an engine, held against what is expected of it.
//
//   records ──► Subject ──► checkpoints, marks, events ──► Compare ──► what differs, from where on
//                              └── against an expectation: the first command that parts from it

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

// The first command whose events are not the expected ones.
struct GoldenParting {
  engine::SequenceNumber sequence;
  std::string command;                               // In the text form.
  std::vector<std::string> events;                   // What the engine says of it now.
  std::optional<std::vector<std::string>> expected;  // Nullopt: only their mark was kept.
};

struct GoldenRun {
  replay::SubjectIdentity engine;
  uint64_t event_count = 0;
  std::vector<journal::Checkpoint> checkpoints;
  std::vector<uint16_t> marks;
  std::vector<std::string> events;  // Where they were asked for.
  std::optional<GoldenParting> parting;

  uint64_t command_count() const {
    return checkpoints.empty() ? 0 : checkpoints.back().sequence.value();
  }
};

struct GoldenOptions {
  bool keep_events = false;
  const Expectation* against = nullptr;  // Outlives the call.
  std::function<void(uint64_t done)> progress = nullptr;
};

// The whole journal. Errors: the reader's, the subject's, UNIMPLEMENTED (the journal does not begin
// with record 1).
absl::StatusOr<GoldenRun> RunGolden(journal::Reader& reader, replay::Subject& subject,
                                    const GoldenOptions& options);

// A line for every thing that is not as expected; none where all is.
std::vector<std::string> Differences(const Expectation& expectation, const GoldenRun& run);

// What the run says, with the expectation's name, journal and history. Marks are kept for up to
// kMarkedCommandsMax commands, events if the expectation has them.
Expectation Updated(const Expectation& expectation, const GoldenRun& run);

inline constexpr uint64_t kMarkedCommandsMax = uint64_t{1} << 18;

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_GOLDEN_RUN_H_
