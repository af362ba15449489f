// A directory whose segments are written past the page cache (O_DIRECT), to compare with one whose
// segments are not.

#ifndef BENCH_DIRECT_STORAGE_H_
#define BENCH_DIRECT_STORAGE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "journal/storage/storage.h"

namespace bench {

// Creates the folder `path`. Writes of whole pages to segments and the spare file go to the device;
// everything else goes through the page cache, which the system keeps coherent.
// Errors: as OpenPosixDirectory(). Creating a segment returns INVALID_ARGUMENT if the file system
// does not support direct I/O.
absl::StatusOr<std::unique_ptr<journal::Directory>> CreateDirectDirectory(const std::string& path);

}  // namespace bench

#endif  // BENCH_DIRECT_STORAGE_H_
