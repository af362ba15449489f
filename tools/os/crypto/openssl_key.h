// What keys and certificates share: OpenSSL's objects with an owner, and which keys sign requests.

#ifndef TOOLS_OS_CRYPTO_OPENSSL_KEY_H_
#define TOOLS_OS_CRYPTO_OPENSSL_KEY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Of OpenSSL, whose headers only the sources of this room include.
struct evp_pkey_st;
struct evp_md_ctx_st;
struct bio_st;
struct x509_st;

namespace tools {

struct OpensslFree {
  void operator()(evp_pkey_st* key) const;
  void operator()(evp_md_ctx_st* context) const;
  void operator()(bio_st* bio) const;
  void operator()(x509_st* certificate) const;
};

using OpensslKey = std::unique_ptr<evp_pkey_st, OpensslFree>;
using OpensslDigest = std::unique_ptr<evp_md_ctx_st, OpensslFree>;
using OpensslBio = std::unique_ptr<bio_st, OpensslFree>;
using OpensslCertificate = std::unique_ptr<x509_st, OpensslFree>;

// Lives as long as OpenSSL is used: starts it without a configuration file, and leaves its error
// queue, which is the thread's, empty.
class OpensslScope {
 public:
  OpensslScope();
  ~OpensslScope();
  OpensslScope(const OpensslScope&) = delete;
  OpensslScope& operator=(const OpensslScope&) = delete;
};

// What was written to a BIO in memory.
std::string TextOf(bio_st& bio);

enum class KeyKind : uint8_t {
  kRsa,      // RSASSA-PSS with SHA-256 and MGF1 of SHA-256; 2048 to 8192 bits.
  kEd25519,  // RFC 8032, pure.
};

// Errors: INVALID_ARGUMENT, if it is a key of another kind or size.
absl::StatusOr<KeyKind> KindOf(const evp_pkey_st& key);

// Returns the DER of `pem`, which is one block with this label, e.g. "PUBLIC KEY", and nothing
// beside it but white space. Errors: INVALID_ARGUMENT, with what was expected; no error shows the
// text.
absl::StatusOr<std::string> DerOf(absl::string_view pem, absl::string_view label);

// Chooses RSASSA-PSS in `context` if the key is an RSA key: a salt as long as the digest in
// signatures that are made, of any length in those that are checked. False: out of memory.
bool StartSigning(evp_md_ctx_st& context, evp_pkey_st& key, KeyKind kind);
bool StartVerifying(evp_md_ctx_st& context, evp_pkey_st& key, KeyKind kind);

}  // namespace tools

#endif  // TOOLS_OS_CRYPTO_OPENSSL_KEY_H_
