// Signatures of a venue's requests that are ready before they are needed. A request of Kalshi is
// signed over the time in milliseconds, the method and the path, not over its body: so what is
// signed is known before the order is.
//
//   Keep() ─► due ─► RenewOne() ─► ready ─► (old) due ...
//                                    └─► Sign(): a copy, or a signature made in line

#ifndef TOOLS_CLIENT_SIGNATURES_SIGNATURE_TABLE_H_
#define TOOLS_CLIENT_SIGNATURES_SIGNATURE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/thread.h"

namespace client {

// What a request carries besides the key's id.
struct SignedTime {
  int64_t millis = 0;     // Since 1970, of the venue's clock.
  std::string signature;  // In base64.
};

// Since the table was made.
struct SignatureCounts {
  uint64_t hits = 0;              // Signatures that were ready.
  uint64_t misses = 0;            // That were made in line.
  int64_t oldest_used_nanos = 0;  // The age of the oldest that was used.
};

// Thread-safe: a lock guards the table, and nothing is signed under it. All times are those of the
// venue's clock, and may step.
class SignatureTable {
 public:
  struct Options {
    // How far the time of a ready signature may be from that of its use, either way. At most a
    // second, so that no venue finds it old.
    int64_t usable_nanos = 1'000'000'000;
    // How old it is when it is made again. Less than half of what is usable leaves time for it.
    int64_t renew_nanos = 400'000'000;
    // Further paths are signed in line. With RSA of 2048 bits, each takes about a millisecond of a
    // core whenever it is renewed.
    size_t paths_max = 128;
  };

  // `key`, which can sign, outlives it.
  SignatureTable(const tools::PrivateKey& key, const Options& options);

  // Keeps a signature ready for requests of `method` to `path`, which has no query. Returns whether
  // it is new. Does nothing if it is kept already, or if there are `paths_max`.
  bool Keep(absl::string_view method, absl::string_view path);
  void Drop(absl::string_view method, absl::string_view path);

  // One that is usable at `now`, or a new one. `memory`: one that is not needed any more; then a
  // signature that is ready is copied without an allocation.
  SignedTime Sign(absl::string_view method, absl::string_view path, engine::Timestamp now,
                  SignedTime memory = {});

  // Signs the path that needs it most: one without a signature, else the one with the oldest.
  // Returns false if none is due at `now`.
  bool RenewOne(engine::Timestamp now);

  // Nanoseconds from `now` until a path is due: at most `renew_nanos`.
  int64_t NanosUntilDue(engine::Timestamp now) const;

  SignatureCounts counts() const;

 private:
  // The method and the path. A view is found without an allocation.
  using Request = std::pair<std::string, std::string>;
  using RequestView = std::pair<absl::string_view, absl::string_view>;
  struct RequestHash {
    using is_transparent = void;
    size_t operator()(const RequestView& request) const { return absl::HashOf(request); }
  };
  struct RequestEq {
    using is_transparent = void;
    bool operator()(const RequestView& a, const RequestView& b) const { return a == b; }
  };
  struct Ready {
    engine::Timestamp made;
    std::string signature;  // Empty: none yet.
  };

  // How long ago it is that `ready` was due; negative: not yet.
  int64_t NanosOverdue(const Ready& ready, engine::Timestamp now) const;
  std::string MakeSignature(const RequestView& request, engine::Timestamp now) const;

  const tools::PrivateKey& key_;
  const Options options_;

  mutable tools::Mutex mutex_;
  // Guarded by mutex_.
  absl::flat_hash_map<Request, Ready, RequestHash, RequestEq> table_;
  SignatureCounts counts_;
};

}  // namespace client

#endif  // TOOLS_CLIENT_SIGNATURES_SIGNATURE_TABLE_H_
