// A bundle: an archive of files, the first of which, MANIFEST, lists the others and their hashes.
// FORMAT.md lists the fields.
//
//   ticktape bundle 1
//   created 2026-11-20T09:30:00.000000000Z
//   ...
//   checkpoint 8192 <log> <trace> <state>
//   file <bytes> <XXH3-128> journal/segment-000001.tape
//   xxh3 <XXH3-128 of everything before this line>

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "replay/run_results.h"
#include "tools/cli/base/console.h"

namespace tools {

inline constexpr absl::string_view kManifestName = "MANIFEST";
inline constexpr uint64_t kManifestBytesMax = 16 << 20;

// A regular value type: a file of the bundle other than the manifest.
struct BundledFile {
  std::string name;
  uint64_t bytes = 0;
  engine::Digest hash = {};

  friend bool operator==(const BundledFile&, const BundledFile&) = default;
};

// A regular value type.
struct BundleManifest {
  std::string created = {};     // RFC 3339.
  std::string build = {};       // Of the program that created it …
  std::string executable = {};  // … and of its executable file.
  std::string engine = {};      // The engine that `results` are from.
  std::string source = {};      // The journal, as named on the command line.
  std::string journal_uuid = {};
  std::string recorded_by = {};   // The build that wrote the last journal segment in the range …
  std::string command_line = {};  // … and its command line.
  std::string range = {};         // As requested.
  engine::SequenceNumber first = {};  // Records in the bundle; a snapshot has the state before.
  engine::SequenceNumber last = {};
  std::string recorded = {};  // "equal", "none" or how the recorded run's digests differ.
  std::vector<std::string> notes = {};
  std::vector<std::pair<std::string, std::string>> machine = {};
  // Of the engine, from `first` to `last`; no checkpoints: it was not driven.
  replay::RunResults results = {};
  std::vector<BundledFile> files = {};

  uint64_t file_bytes() const;  // The sum over all files.

  friend bool operator==(const BundleManifest&, const BundleManifest&) = default;
};

std::string FormatManifest(const BundleManifest& manifest);

// Any bytes are safe. Rejects file names that a bundle may not contain. Errors: DATA_LOSS with the
// line, UNIMPLEMENTED (a later version).
absl::StatusOr<BundleManifest> ParseManifest(absl::string_view text);

// Whether a bundle may contain a file of that name: "journal/NAME", "journal/snapshots/NAME".
bool IsBundledName(absl::string_view name);

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

// Creates a bundle: the records of a range, the state before them, and the results of this program
// on them. Returns its manifest.
//
//   records  1 ──────── 4096 ┃ 4097 ── 5000 ════ 6000 ─── 8192 ──── …
//                   snapshot ┃ └────── in the bundle ────────┘
//                            ┃         └ requested ┘       digests of the recorded run
//
// A range near the start of the journal includes all records before it instead of a snapshot. The
// bundle extends to the next checkpoint of the recorded run, if that is near, so that digests can
// be compared. A journal without a machine has neither: only the requested records are in its
// bundle. Errors: the journal's, ALREADY_EXISTS, the storage's.
absl::StatusOr<BundleManifest> PackBundle(const PackOptions& options, Console& console);

// Replays a bundle's journal, from its first record or from the snapshot before it, and compares it
// with the recorded run. Keeps marks in `results`, and what else a manifest expects. `journal` is
// the journal's folder. Errors: the journal's; FAILED_PRECONDITION (there is no snapshot to start
// from).
absl::StatusOr<replay::CheckedReplay> RunBundle(const std::string& journal,
                                                replay::EngineKind engine, Console& console,
                                                replay::RunResults& results);

// A bundle's files are compressed before it is packed, so it never holds much more than its size.
inline constexpr uint64_t kBundleRatioMax = 64;
inline constexpr uint64_t kBundleSmallBytes = 16 << 20;  // Allowed at any ratio.

// Unpacks a bundle, which is untrusted input. Verifies everything by hash: first the manifest, then
// every file against it, byte for byte. Only names that a bundle may contain are accepted, so
// nothing is written outside the folder. Sizes are known before anything is written, and are
// rejected if the archive is too small for them.
//
// `folder`, which exists and is empty, receives the files, including MANIFEST; if `folder` is "",
// nothing is written. No link is followed, neither to `folder` nor in it. Errors: NOT_FOUND,
// DATA_LOSS (with what was found and expected), UNIMPLEMENTED (a later version), the storage's.
absl::StatusOr<BundleManifest> UnpackBundle(const std::string& path, const std::string& folder);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_H_
