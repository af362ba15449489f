// Writes zeros to a file to reserve its space.

#ifndef JOURNAL_ZEROS_H_
#define JOURNAL_ZEROS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "journal/storage/storage.h"

namespace journal {

// Writes zeros over the bytes `begin` to `end` of `file`, at most 1 MiB per system call, without a
// sync. Allocates nothing. May run on several threads with different files.
// Errors: the storage's; some of the zeros may then be written.
absl::Status WriteZeros(File& file, uint64_t begin, uint64_t end);

}  // namespace journal

#endif  // JOURNAL_ZEROS_H_
