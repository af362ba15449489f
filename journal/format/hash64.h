// XXH3-64: the checksum of headers, payloads, trailers, entries and control files.

#ifndef JOURNAL_FORMAT_HASH64_H_
#define JOURNAL_FORMAT_HASH64_H_

#include <cstdint>

#include "engine/base/bytes.h"
#include "journal/uuid.h"

namespace journal {

uint64_t Hash64(engine::Bytes bytes, uint64_t seed = 0);

// Returns the two halves of a UUID, little-endian, XORed. As a seed it binds a header to its
// segment: a block of another segment, or of an earlier use of the file, has a wrong hash.
uint64_t SeedOf(const Uuid& uuid);

}  // namespace journal

#endif  // JOURNAL_FORMAT_HASH64_H_
