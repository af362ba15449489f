// What a bundle says about itself: the file MANIFEST, its first. FORMAT.md has the fields.
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

// A regular value type: one of the files beside the manifest.
struct BundledFile {
  std::string name;
  uint64_t bytes = 0;
  engine::Digest hash = {};

  friend bool operator==(const BundledFile&, const BundledFile&) = default;
};

// A regular value type.
struct BundleManifest {
  std::string created = {};     // When, as RFC 3339.
  std::string build = {};       // Of the program that made it …
  std::string executable = {};  // … and of its file.
  std::string engine = {};      // What `checkpoints` come from.
  uint32_t semantics_version = 0;
  std::string source = {};  // The journal, as it was named.
  std::string journal_uuid = {};
  std::string recorded_by = {};   // The build that wrote the journal's last segment in range …
  std::string command_line = {};  // … and how it was started.
  std::string range = {};         // As it was asked for.
  engine::SequenceNumber first = {};  // Records in the bundle; the one before is a snapshot's.
  engine::SequenceNumber last = {};
  std::string recorded = {};  // "equal", "none" or how the recorded run's digests differ.
  std::vector<std::string> notes = {};
  std::vector<std::pair<std::string, std::string>> machine = {};
  uint64_t event_count = 0;                           // From `first` to `last`.
  std::vector<journal::Checkpoint> checkpoints = {};  // Of the engine; none: it was not driven.
  std::vector<uint16_t> marks = {};  // Of each command, 16 bits of the digest of its events.
  std::vector<BundledFile> files = {};

  uint64_t file_bytes() const;  // Of all files.

  friend bool operator==(const BundleManifest&, const BundleManifest&) = default;
};

std::string FormatManifest(const BundleManifest& manifest);

// Any bytes are safe; names that are no bundle's are refused here. Errors: DATA_LOSS that says
// which line, UNIMPLEMENTED (a later version).
absl::StatusOr<BundleManifest> ParseManifest(absl::string_view text);

// Whether a file of a bundle may have that name: "journal/NAME", "journal/snapshots/NAME".
bool IsBundledName(absl::string_view name);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_MANIFEST_H_
