// Opens a bundle, which may come from anyone.
//
// Nothing is believed that is not hashed: the manifest comes first and is checked, then every file
// against it, byte for byte. Names are those a bundle may have and no others, so that nothing is
// ever written outside the folder; sizes are known before a byte is written, and are refused where
// so much cannot honestly come out of so little.

#ifndef TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_
#define TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/bundle/manifest.h"

namespace tools {

// A bundle's files are compressed before it is: it never holds much more than its size.
inline constexpr uint64_t kBundleRatioMax = 64;
inline constexpr uint64_t kBundleSmallBytes = 16 << 20;  // Allowed whatever the ratio.

// Checks all of it. `folder` is where the files go, MANIFEST among them; it is there, and empty.
// Empty: nowhere. No link is followed, neither there nor within. Errors: NOT_FOUND, DATA_LOSS
// (what, and what was expected), UNIMPLEMENTED (a later version), the storage's.
absl::StatusOr<BundleManifest> UnpackBundle(const std::string& path, const std::string& folder);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_BUNDLE_UNPACK_H_
