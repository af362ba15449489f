// What a TLS server proves itself with: a certificate and its private key, both in PEM.

#ifndef TOOLS_OS_CRYPTO_CERTIFICATE_H_
#define TOOLS_OS_CRYPTO_CERTIFICATE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "tools/os/crypto/openssl_key.h"

namespace tools {

// Of a certificate with those that have signed it, and of a key.
inline constexpr size_t kIdentityBytesMax = 64 << 10;

struct ServerIdentity {
  std::string certificate;  // Perhaps followed by those that have signed it.
  std::string key;          // A secret, not encrypted.
};

// A new P-256 key. Errors: INTERNAL, if OpenSSL has none.
absl::StatusOr<std::string> MakeServerKey();

// A certificate that `key` signs itself, for localhost, 127.0.0.1, ::1 and the address `ip`, which
// may be empty. It is valid from a day before `now` on, and for `days` days. Errors:
// INVALID_ARGUMENT, if `key` or `ip` is none; INTERNAL, if OpenSSL fails.
absl::StatusOr<std::string> MakeLocalCertificate(absl::string_view key, absl::string_view ip,
                                                 engine::Timestamp now, int days = 3650);

// Whether a client that trusts the first certificate of `pem` accepts it from the address `ip` at
// `now`; empty: from the address that it is for. Any bytes are safe. Errors: INVALID_ARGUMENT, if
// it is no certificate; FAILED_PRECONDITION with the reason why not.
absl::Status CheckCertificate(absl::string_view pem, absl::string_view ip, engine::Timestamp now);

// Whether the key is that of the certificate. Any bytes are safe. Errors: INVALID_ARGUMENT, with
// what was expected; none shows the key.
absl::Status CheckKey(const ServerIdentity& identity);

// For this room: null if there is none. `bio` is read up to the end of the first certificate that
// follows.
OpensslCertificate NextCertificate(bio_st& bio);
OpensslKey ServerKeyOf(absl::string_view pem);
// Reads `text`, which outlives it. Null if the text is too large.
OpensslBio ReaderOf(absl::string_view text);

}  // namespace tools

#endif  // TOOLS_OS_CRYPTO_CERTIFICATE_H_
