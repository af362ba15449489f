// An engine over the records of a bundle's journal, from its first record or from the snapshot that
// it begins behind, held against what was recorded and what whoever made the bundle saw.

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

// Marks are kept for up to so many commands.
inline constexpr uint64_t kBundleMarksMax = uint64_t{1} << 18;

struct BundleRun {
  engine::SequenceNumber first;
  uint64_t event_count = 0;
  std::vector<journal::Checkpoint> checkpoints;  // Every 4096 records, and the last.
  std::vector<uint16_t> marks;

  // Against the trace digests that the recorded run left, if it left any.
  uint64_t recorded_compared = 0;
  std::optional<replay::Divergence> from_recorded;
};

// `journal` is the folder. Errors: the journal's; FAILED_PRECONDITION (no snapshot to begin from).
absl::StatusOr<BundleRun> RunBundle(const std::string& journal, replay::EngineKind engine,
                                    Console& console);

// What `run` does otherwise than the run that is expected; both have checkpoints.
struct BundleParting {
  std::string what;                               // "trace digest differs at 8192 ...".
  std::optional<engine::SequenceNumber> command;  // The first whose events differ, where known.
};
std::optional<BundleParting> FindParting(const std::vector<journal::Checkpoint>& expected,
                                         const std::vector<uint16_t>& expected_marks,
                                         const BundleRun& run);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_RUN_H_
