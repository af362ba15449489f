// Creates a bundle: the records of a range, the state before them, and the results of this program
// on them.
//
//   records  1 ──────── 4096 ┃ 4097 ── 5000 ════ 6000 ─── 8192 ──── …
//                   snapshot ┃ └────── in the bundle ────────┘
//                            ┃         └ requested ┘       digests of the recorded run
//
// A range near the start of the journal includes all records before it instead of a snapshot. The
// bundle extends to the next checkpoint of the recorded run, if that is near, so that digests can
// be compared.

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "replay/run_results.h"
#include "tools/cli/base/console.h"
#include "tools/cli/bundle/bundle.h"

namespace tools {

struct PackOptions {
  std::string journal;
  std::string range;  // Empty: the whole journal.
  std::string output;
  bool replace = false;
  replay::EngineKind engine = replay::EngineKind::kFast;
  // No engine is driven over the range and no results are recorded: for ranges at which the engine
  // crashes.
  bool no_replay = false;
  std::vector<std::string> notes;
};

// Returns the manifest. Errors: the journal's, ALREADY_EXISTS, the storage's.
absl::StatusOr<BundleManifest> PackBundle(const PackOptions& options, Console& console);

// Replays a bundle's journal, from its first record or from the snapshot before it, and compares it
// with the recorded run. Keeps marks in `results`, and what else a manifest expects. `journal` is
// the journal's folder. Errors: the journal's; FAILED_PRECONDITION (there is no snapshot to start
// from).
absl::StatusOr<replay::CheckedReplay> RunBundle(const std::string& journal,
                                                replay::EngineKind engine, Console& console,
                                                replay::RunResults& results);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_
