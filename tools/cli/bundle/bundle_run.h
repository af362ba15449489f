// Replays a bundle's journal, from its first record or from the snapshot before it, and compares
// with the recorded run and with the results in the manifest.

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_RUN_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_RUN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "replay/checkpoint_check.h"
#include "replay/engines.h"
#include "tools/cli/base/console.h"

namespace tools {

// Marks are kept for ranges of up to this many commands.
inline constexpr uint64_t kBundleMarksMax = uint64_t{1} << 18;

struct BundleRun {
  engine::SequenceNumber first;
  uint64_t event_count = 0;
  std::vector<journal::Checkpoint> checkpoints;  // Every 4096 records, and the last.
  std::vector<uint16_t> marks;

  // The comparison with the trace digests of the recorded run, if there are any.
  uint64_t recorded_compared = 0;
  std::optional<replay::CheckpointDivergence> from_recorded;
};

// `journal` is the journal's folder. Errors: the journal's; FAILED_PRECONDITION (there is no
// snapshot to start from).
absl::StatusOr<BundleRun> RunBundle(const std::string& journal, replay::EngineKind engine,
                                    Console& console);

// The first difference between a run and the expected run.
struct BundleDifference {
  std::string what;                               // "trace digest differs at 8192 ...".
  std::optional<engine::SequenceNumber> command;  // The first whose events differ, if known.
};
// Returns nullopt if all checkpoints are equal. REQUIRES: both have checkpoints.
std::optional<BundleDifference> FindDifference(const std::vector<journal::Checkpoint>& expected,
                                               const std::vector<uint16_t>& expected_marks,
                                               const BundleRun& run);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_RUN_H_
