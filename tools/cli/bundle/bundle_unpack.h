// Unpacks a bundle, which is untrusted input.
//
// Everything is verified by hash: first the manifest, then every file against it, byte for byte.
// Only names that a bundle may contain are accepted, so nothing is written outside the folder.
// Sizes are known before anything is written, and are rejected if the archive is too small for
// them.

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/bundle/manifest.h"

namespace tools {

// A bundle's files are compressed before it is packed, so it never holds much more than its size.
inline constexpr uint64_t kBundleRatioMax = 64;
inline constexpr uint64_t kBundleSmallBytes = 16 << 20;  // Allowed at any ratio.

// Verifies the whole bundle. `folder`, which exists and is empty, receives the files, including
// MANIFEST; if `folder` is "", nothing is written. No link is followed, neither to `folder` nor in
// it. Errors: NOT_FOUND, DATA_LOSS (with what was found and expected), UNIMPLEMENTED (a later
// version), the storage's.
absl::StatusOr<BundleManifest> UnpackBundle(const std::string& path, const std::string& folder);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_
