#include "engine/base/digest.h"

// Compiled in, not linked: short inputs are hashed without a call, with the instructions that
// -march allows.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"

namespace engine {
namespace {

Digest FromXxh(XXH128_hash_t hash) { return {.low = hash.low64, .high = hash.high64}; }

}  // namespace

std::string Digest::ToString() const { return absl::StrFormat("%016x%016x", high, low); }

absl::StatusOr<Digest> Digest::Parse(absl::string_view text) {
  Digest digest;
  if (text.size() != 32 || !ParseInteger(text.substr(0, 16), digest.high, 16) ||
      !ParseInteger(text.substr(16), digest.low, 16)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not a digest; expected 32 hexadecimal digits"));
  }
  return digest;
}

Digest DigestOf(Bytes bytes) { return FromXxh(XXH3_128bits(bytes.data(), bytes.size())); }

// XXH3_state_t requires 64-byte alignment.
struct Digester::State {
  alignas(64) XXH3_state_t xxh;
};

Digester::Digester() : state_(std::make_unique<State>()) { Reset(); }

Digester::~Digester() = default;

void Digester::Add(Bytes bytes) {
  CHECK(XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size()) == XXH_OK);
}

Digest Digester::Finish() const { return FromXxh(XXH3_128bits_digest(&state_->xxh)); }

void Digester::Reset() { CHECK(XXH3_128bits_reset(&state_->xxh) == XXH_OK); }

void DigestSum::Add(const Digest& digest) {
  sum_.low += digest.low;
  sum_.high += digest.high + (sum_.low < digest.low ? 1 : 0);
}

void DigestSum::Subtract(const Digest& digest) {
  const uint64_t borrow = sum_.low < digest.low ? 1 : 0;
  sum_.low -= digest.low;
  sum_.high -= digest.high + borrow;
}

}  // namespace engine
