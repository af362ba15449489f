// A digest: XXH3-128, seed 0, of specified logical bytes. engine/DESIGN.md specifies the bytes.
//
// It detects accidents and bugs, not adversaries.

#ifndef ENGINE_BASE_DIGEST_H_
#define ENGINE_BASE_DIGEST_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// A regular value type: 16 bytes, low half first in memory. Text form: 32 hexadecimal digits, high
// half first (as `xxhsum -H2` prints it).
struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;

  std::string ToString() const;
  // Errors: INVALID_ARGUMENT when `text` is not 32 hexadecimal digits.
  static absl::StatusOr<Digest> Parse(absl::string_view text);

  friend constexpr auto operator<=>(const Digest&, const Digest&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Digest& digest) {
    return out << digest.ToString();
  }
};
static_assert(sizeof(Digest) == 16);

Digest DigestOf(Bytes bytes);

// The digest of bytes that are added in pieces. The piece boundaries do not affect it. Not
// thread-safe: owned by its caller.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void Add(Bytes bytes);
  // The digest of all bytes added since construction or Reset(). More bytes may be added
  // afterwards.
  Digest Finish() const;
  void Reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The sum of the digests of a set, modulo 2^128. It does not depend on the order of the additions.
class DigestSum {
 public:
  void Add(const Digest& digest);
  void Subtract(const Digest& digest);
  const Digest& value() const { return sum_; }

 private:
  Digest sum_;
};

}  // namespace engine

#endif  // ENGINE_BASE_DIGEST_H_
