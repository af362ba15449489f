#include "tools/os/crypto/public_key.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "engine/base/status_macros.h"

namespace tools {

PublicKey::PublicKey(const evp_pkey_st& key, OpensslDigest prepared, KeyKind kind)
    : prepared_(std::move(prepared)),
      kind_(kind),
      signature_bytes_(static_cast<size_t>(EVP_PKEY_get_size(&key))) {}

absl::StatusOr<PublicKey> PublicKey::Parse(absl::string_view pem) {
  const OpensslScope scope;
  ASSIGN_OR_RETURN(const std::string der, DerOf(pem, "PUBLIC KEY"));
  const auto* next = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = next + der.size();
  const OpensslKey key(d2i_PUBKEY(nullptr, &next, static_cast<long>(der.size())));
  if (key == nullptr || next != end) {
    return absl::InvalidArgumentError(
        "bytes that are no public key, expected a SubjectPublicKeyInfo of RSA or Ed25519");
  }
  ASSIGN_OR_RETURN(const KeyKind kind, KindOf(*key));
  OpensslDigest prepared(EVP_MD_CTX_new());
  if (prepared == nullptr || !StartVerifying(*prepared, *key, kind)) {
    return absl::ResourceExhaustedError("OpenSSL has no memory for a public key");
  }
  return PublicKey(*key, std::move(prepared), kind);
}

bool PublicKey::Verify(absl::string_view message, engine::Bytes signature) const {
  if (signature.size() != signature_bytes_) return false;
  const OpensslScope scope;
  const OpensslDigest context(EVP_MD_CTX_new());
  if (context == nullptr || EVP_MD_CTX_copy_ex(context.get(), prepared_.get()) != 1) return false;
  return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char*>(message.data()),
                          message.size()) == 1;
}

bool PublicKey::VerifyBase64(absl::string_view message, absl::string_view signature) const {
  if (signature.size() != (signature_bytes_ + 2) / 3 * 4) return false;
  std::string bytes;
  if (!absl::Base64Unescape(signature, &bytes)) return false;
  if (absl::Base64Escape(bytes) != signature) return false;  // White space, or bits to spare.
  return Verify(message, engine::AsBytes(bytes));
}

}  // namespace tools
