#include "journal/format/hash64.h"

// Inlined, not linked: headers are short, and a call would cost as much as the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace journal {

uint64_t Hash64(engine::Bytes bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t SeedOf(const Uuid& uuid) {
  return engine::LoadLittleEndian<uint64_t>(uuid.bytes.data()) ^
         engine::LoadLittleEndian<uint64_t>(uuid.bytes.data() + 8);
}

}  // namespace journal
