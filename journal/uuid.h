// The identity of a journal or a segment.

#ifndef JOURNAL_UUID_H_
#define JOURNAL_UUID_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include "engine/base/bytes.h"

namespace journal {

// A regular value type: 16 bytes. A journal's UUID is random and comes from the caller, because
// randomness is injected; a segment's is derived from it (FORMAT.md, section 2).
// Text form: 32 hexadecimal digits.
struct Uuid {
  std::array<std::byte, 16> bytes = {};

  // Returns the UUID of two random words; the first becomes bytes 0 to 7, little-endian.
  static Uuid FromWords(uint64_t first, uint64_t second) {
    Uuid uuid;
    engine::StoreLittleEndian(first, uuid.bytes.data());
    engine::StoreLittleEndian(second, uuid.bytes.data() + 8);
    return uuid;
  }

  std::string ToString() const { return engine::ToHex(bytes); }

  friend auto operator<=>(const Uuid&, const Uuid&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Uuid& uuid) {
    return out << uuid.ToString();
  }
};

}  // namespace journal

#endif  // JOURNAL_UUID_H_
