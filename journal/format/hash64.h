// XXH3-64: the checksum of everything physical (headers, payloads, entries).

#ifndef JOURNAL_FORMAT_HASH64_H_
#define JOURNAL_FORMAT_HASH64_H_

#include <cstdint>

#include "engine/base/bytes.h"
#include "journal/uuid.h"

namespace journal {

uint64_t Hash64(engine::Bytes bytes, uint64_t seed = 0);

// The two halves of a UUID, little-endian, XORed. As a seed it ties a header to its file: a block
// of another segment, or of a file's earlier life, does not check out.
uint64_t SeedOf(const Uuid& uuid);

}  // namespace journal

#endif  // JOURNAL_FORMAT_HASH64_H_
