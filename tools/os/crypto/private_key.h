// The private half of a key that signs; tools/os/private_file.h keeps it in a file.

#ifndef TOOLS_OS_CRYPTO_PRIVATE_KEY_H_
#define TOOLS_OS_CRYPTO_PRIVATE_KEY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/crypto/openssl_key.h"

namespace tools {

// A move-only value; const functions may run on several threads at the same time.
class PrivateKey {
 public:
  // A new one, from the operating system's randomness: RSA of 2048 bits, or Ed25519. Errors:
  // INTERNAL, if OpenSSL has none.
  static absl::StatusOr<PrivateKey> Generate(KeyKind kind);

  // `pem`: a "PRIVATE KEY" (PKCS#8, not encrypted) of RSA, 2048 to 8192 bits, or Ed25519; or an
  // "RSA PRIVATE KEY" (PKCS#1, not encrypted) of the same sizes. Any bytes are safe. Errors:
  // INVALID_ARGUMENT, with what was expected; none shows the key.
  static absl::StatusOr<PrivateKey> Parse(absl::string_view pem);

  PrivateKey(PrivateKey&&) = default;
  PrivateKey& operator=(PrivateKey&&) = default;

  KeyKind kind() const { return kind_; }

  // The bytes of a signature that PublicKey::Verify holds to be one; an RSA key's differ each time.
  // Errors: INTERNAL, if the key cannot sign.
  absl::StatusOr<std::string> Sign(absl::string_view message) const;
  // The same in base64.
  absl::StatusOr<std::string> SignBase64(absl::string_view message) const;

  // What Parse() reads, as PKCS#8: a secret. Errors: INTERNAL, if memory is short.
  absl::StatusOr<std::string> Pem() const;
  // What PublicKey::Parse() reads. Errors: the same.
  absl::StatusOr<std::string> PublicPem() const;

 private:
  PrivateKey(OpensslKey key, KeyKind kind);

  OpensslKey key_;
  KeyKind kind_;
};

}  // namespace tools

#endif  // TOOLS_OS_CRYPTO_PRIVATE_KEY_H_
