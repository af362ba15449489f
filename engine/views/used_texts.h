// The ids that an account has ever given its orders as text, so that none is accepted twice.
//
// Of each id 128 bits of its hash are kept, 20 bytes in all. Ids are never forgotten, so their
// number is limited.

#ifndef ENGINE_VIEWS_USED_TEXTS_H_
#define ENGINE_VIEWS_USED_TEXTS_H_

#include <cstddef>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"

namespace engine {

// Not thread-safe: owned by its account.
class UsedTexts {
 public:
  static constexpr size_t kTextsMax = size_t{1} << 24;

  // Digests are evenly distributed already.
  struct HashOfDigest {
    size_t operator()(const Digest& digest) const { return digest.low; }
  };
  using Hashes = absl::flat_hash_set<Digest, HashOfDigest>;

  static Digest HashOf(absl::string_view text) { return DigestOf(AsBytes(text)); }

  bool Contains(absl::string_view text) const { return hashes_.contains(HashOf(text)); }
  bool has_room() const { return hashes_.size() < kTextsMax; }
  void Add(absl::string_view text) { hashes_.insert(HashOf(text)); }

  const Hashes& hashes() const { return hashes_; }
  // Returns whether it is new.
  bool AddHash(const Digest& hash) { return hashes_.insert(hash).second; }

 private:
  Hashes hashes_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_USED_TEXTS_H_
