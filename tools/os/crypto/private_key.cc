#include "tools/os/crypto/private_key.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr unsigned kNewRsaBits = 2048;

// Of a PKCS#8 that is not encrypted; null if it is none.
OpensslKey KeyOf(const std::string& der) {
  const auto* next = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = next + der.size();
  PKCS8_PRIV_KEY_INFO* const info =
      d2i_PKCS8_PRIV_KEY_INFO(nullptr, &next, static_cast<long>(der.size()));
  OpensslKey key(info != nullptr && next == end ? EVP_PKCS82PKEY(info) : nullptr);
  PKCS8_PRIV_KEY_INFO_free(info);
  return key;
}

}  // namespace

PrivateKey::PrivateKey(OpensslKey key, KeyKind kind) : key_(std::move(key)), kind_(kind) {}

absl::StatusOr<PrivateKey> PrivateKey::Generate(KeyKind kind) {
  const OpensslScope scope;
  OpensslKey key(kind == KeyKind::kRsa ? EVP_RSA_gen(kNewRsaBits)
                                       : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (key == nullptr) return absl::InternalError("OpenSSL made no key");
  return PrivateKey(std::move(key), kind);
}

absl::StatusOr<PrivateKey> PrivateKey::Parse(absl::string_view pem) {
  const OpensslScope scope;
  ASSIGN_OR_RETURN(const std::string der, DerOf(pem, "PRIVATE KEY"));
  OpensslKey key = KeyOf(der);
  if (key == nullptr) {
    return absl::InvalidArgumentError(
        "bytes that are no private key, expected PKCS#8 of RSA or Ed25519");
  }
  ASSIGN_OR_RETURN(const KeyKind kind, KindOf(*key));
  return PrivateKey(std::move(key), kind);
}

absl::StatusOr<std::string> PrivateKey::Sign(absl::string_view message) const {
  const OpensslScope scope;
  const OpensslDigest context(EVP_MD_CTX_new());
  std::string signature(static_cast<size_t>(EVP_PKEY_get_size(key_.get())), '\0');
  size_t size = signature.size();
  if (context == nullptr || !StartSigning(*context, *key_, kind_) ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     reinterpret_cast<const unsigned char*>(message.data()), message.size()) != 1) {
    return absl::InternalError("OpenSSL made no signature");
  }
  signature.resize(size);
  return signature;
}

absl::StatusOr<std::string> PrivateKey::SignBase64(absl::string_view message) const {
  ASSIGN_OR_RETURN(const std::string signature, Sign(message));
  return absl::Base64Escape(signature);
}

absl::StatusOr<std::string> PrivateKey::Pem() const {
  const OpensslScope scope;
  const OpensslBio bio(BIO_new(BIO_s_secmem()));
  if (bio == nullptr || PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0,
                                                      nullptr, nullptr) != 1) {
    return absl::InternalError("OpenSSL made no PEM");
  }
  return TextOf(*bio);
}

absl::StatusOr<std::string> PrivateKey::PublicPem() const {
  const OpensslScope scope;
  const OpensslBio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_PUBKEY(bio.get(), key_.get()) != 1) {
    return absl::InternalError("OpenSSL made no PEM");
  }
  return TextOf(*bio);
}

}  // namespace tools
