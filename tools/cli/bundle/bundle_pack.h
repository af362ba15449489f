// Makes a bundle: the records of a range, what it takes to stand before them, and what this program
// does with them.
//
//   records  1 ──────── 4096 ┃ 4097 ── 5000 ════ 6000 ─── 8192 ──── …
//                   snapshot ┃ └────── in the bundle ────────┘
//                            ┃         └ asked for ┘       digests of the recorded run
//
// A range near the beginning brings all records before it, and no snapshot. It goes on to where the
// recorded run left its digests, if that is near, so that they can be compared.

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replay/engines.h"
#include "tools/cli/base/console.h"
#include "tools/cli/bundle/manifest.h"

namespace tools {

struct PackOptions {
  std::string journal;
  std::string range;  // Empty: all of it.
  std::string output;
  bool replace = false;
  replay::EngineKind engine = replay::EngineKind::kFast;
  // Without, the engine is not driven over the range, and nothing is expected: for ranges at which
  // it ends.
  bool drives = true;
  std::vector<std::string> notes;
};

// What was bundled. Errors: the journal's, ALREADY_EXISTS, the storage's.
absl::StatusOr<BundleManifest> PackBundle(const PackOptions& options, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_PACK_H_
