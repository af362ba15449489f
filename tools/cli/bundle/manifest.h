// The manifest of a bundle: the file MANIFEST, its first. FORMAT.md lists the fields.
//
//   ticktape bundle 1
//   created 2026-11-20T09:30:00.000000000Z
//   ...
//   checkpoint 8192 <log> <trace> <state>
//   file <bytes> <XXH3-128> journal/segment-000001.tape
//   xxh3 <XXH3-128 of everything before this line>

#ifndef TOOLS_CLI_BUNDLE_MANIFEST_H_
#define TOOLS_CLI_BUNDLE_MANIFEST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"

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
  std::string engine = {};      // The engine that `checkpoints` are from.
  uint32_t semantics_version = 0;
  std::string source = {};  // The journal, as named on the command line.
  std::string journal_uuid = {};
  std::string recorded_by = {};   // The build that wrote the last journal segment in the range …
  std::string command_line = {};  // … and its command line.
  std::string range = {};         // As requested.
  engine::SequenceNumber first = {};  // Records in the bundle; a snapshot has the state before.
  engine::SequenceNumber last = {};
  std::string recorded = {};  // "equal", "none" or how the recorded run's digests differ.
  std::vector<std::string> notes = {};
  std::vector<std::pair<std::string, std::string>> machine = {};
  uint64_t event_count = 0;                           // From `first` to `last`.
  std::vector<journal::Checkpoint> checkpoints = {};  // Of the engine; empty: it was not driven.
  std::vector<uint16_t> marks = {};  // For each command, 16 bits of the digest of its events.
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

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_MANIFEST_H_
