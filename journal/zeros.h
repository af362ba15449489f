// Zeros that are laid in a file before anything is to stand there.

#ifndef JOURNAL_ZEROS_H_
#define JOURNAL_ZEROS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "journal/storage/storage.h"

namespace journal {

// Writes zeros over the bytes `begin` to `end` of `file`, at most a mebibyte in one call. They are
// not synced. Allocates nothing, however many; any thread, each with files of its own.
// Errors: the storage's; some of the zeros may stand there then, and the file end anywhere between.
absl::Status WriteZeros(File& file, uint64_t begin, uint64_t end);

}  // namespace journal

#endif  // JOURNAL_ZEROS_H_
