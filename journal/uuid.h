// The identity of a journal or a segment.

#ifndef JOURNAL_UUID_H_
#define JOURNAL_UUID_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace journal {

// A regular value type: 16 bytes. A journal's UUID is random and comes from the caller, because
// randomness is injected; a segment's is derived from it (FORMAT.md, section 2).
// Text form: 32 hexadecimal digits.
struct Uuid {
  std::array<std::byte, 16> bytes = {};

  // Returns the UUID of two random words; the first becomes bytes 0 to 7, little-endian.
  static Uuid FromWords(uint64_t first, uint64_t second);

  std::string ToString() const;

  friend auto operator<=>(const Uuid&, const Uuid&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Uuid& uuid) {
    return out << uuid.ToString();
  }
};

}  // namespace journal

#endif  // JOURNAL_UUID_H_
