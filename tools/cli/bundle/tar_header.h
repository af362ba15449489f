// The header of a file in a tar: one block of 512 bytes, POSIX.1-1988 ("ustar"), with the GNU
// encoding of sizes that POSIX has no digits for.
//
//   name 100 │ mode, user, group 3 * 8 │ size 12 │ time 12 │ checksum 8 │ type 1 │ link 100 │
//   "ustar" …

#ifndef TOOLS_CLI_BUNDLE_TAR_HEADER_H_
#define TOOLS_CLI_BUNDLE_TAR_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace tools {

inline constexpr size_t kTarBlockBytes = 512;
inline constexpr size_t kArchiveNameBytesMax = 99;

// Returns the header of a regular file, readable by everyone. `seconds` since 1970.
// REQUIRES: the name is no longer than kArchiveNameBytesMax; `seconds` are below 2^33.
std::array<std::byte, kTarBlockBytes> MakeTarHeader(absl::string_view name, uint64_t bytes,
                                                    uint64_t seconds);

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_TAR_HEADER_H_
