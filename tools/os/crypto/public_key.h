// The public half of a key that signs: who has the private half has signed.

#ifndef TOOLS_OS_CRYPTO_PUBLIC_KEY_H_
#define TOOLS_OS_CRYPTO_PUBLIC_KEY_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/os/crypto/openssl_key.h"

namespace tools {

// A move-only value; const functions may run on several threads at the same time.
class PublicKey {
 public:
  // `pem`: a "PUBLIC KEY" (SubjectPublicKeyInfo) of RSA, 2048 to 8192 bits, or Ed25519. Any bytes
  // are safe. Errors: INVALID_ARGUMENT, with what was expected; RESOURCE_EXHAUSTED: out of memory.
  static absl::StatusOr<PublicKey> Parse(absl::string_view pem);

  PublicKey(PublicKey&&) = default;
  PublicKey& operator=(PublicKey&&) = default;

  KeyKind kind() const { return kind_; }

  // Whether the key's private half signed `message`: RSASSA-PSS with SHA-256, MGF1 of SHA-256 and a
  // salt of any length, or Ed25519. Any bytes are safe.
  bool Verify(absl::string_view message, engine::Bytes signature) const;
  // The same of a signature in base64: RFC 4648, padded, without anything else between or after,
  // and with zero bits where it has unused ones. False for any other text.
  bool VerifyBase64(absl::string_view message, absl::string_view signature) const;

 private:
  PublicKey(const evp_pkey_st& key, OpensslDigest prepared, KeyKind kind);

  // Each check begins with a copy of it: to set a context up takes a fifth of the time of an RSA
  // check.
  OpensslDigest prepared_;
  KeyKind kind_;
  size_t signature_bytes_;  // Of each signature of this key.
};

}  // namespace tools

#endif  // TOOLS_OS_CRYPTO_PUBLIC_KEY_H_
