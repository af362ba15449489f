#include "tools/os/crypto/private_key.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr unsigned kNewRsaBits = 2048;

constexpr absl::string_view kPkcs8Label = "PRIVATE KEY";
constexpr absl::string_view kPkcs1Label = "RSA PRIVATE KEY";

// Of a PKCS#8 that is not encrypted; null if it is none.
OpensslKey Pkcs8KeyOf(const std::string& der) {
  const auto* next = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = next + der.size();
  PKCS8_PRIV_KEY_INFO* const info =
      d2i_PKCS8_PRIV_KEY_INFO(nullptr, &next, static_cast<long>(der.size()));
  OpensslKey key(info != nullptr && next == end ? EVP_PKCS82PKEY(info) : nullptr);
  PKCS8_PRIV_KEY_INFO_free(info);
  return key;
}

// Whether nothing follows the first object of `der`, whose length is definite.
bool IsOneObject(const std::string& der) {
  const auto* next = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = next + der.size();
  long size = 0;
  int tag = 0;
  int kind = 0;
  const int form = ASN1_get_object(&next, &size, &tag, &kind, static_cast<long>(der.size()));
  return (form & ~V_ASN1_CONSTRUCTED) == 0 && end - next == size;
}

// Of an RSA key's PKCS#1, which its PKCS#8 is around; null if it is none.
OpensslKey Pkcs1KeyOf(const std::string& der) {
  if (!IsOneObject(der)) return nullptr;
  PKCS8_PRIV_KEY_INFO* const info = PKCS8_PRIV_KEY_INFO_new();
  auto* const copy = static_cast<unsigned char*>(OPENSSL_memdup(der.data(), der.size()));
  const bool is_made = info != nullptr && copy != nullptr &&
                       PKCS8_pkey_set0(info, OBJ_nid2obj(NID_rsaEncryption), 0, V_ASN1_NULL,
                                       nullptr, copy, static_cast<int>(der.size())) == 1;
  if (!is_made) OPENSSL_free(copy);  // Else it is the envelope's.
  OpensslKey key(is_made ? EVP_PKCS82PKEY(info) : nullptr);
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
  const bool is_pkcs1 = absl::StrContains(pem, absl::StrCat("-----BEGIN ", kPkcs1Label));
  ASSIGN_OR_RETURN(const std::string der, DerOf(pem, is_pkcs1 ? kPkcs1Label : kPkcs8Label));
  OpensslKey key = is_pkcs1 ? Pkcs1KeyOf(der) : Pkcs8KeyOf(der);
  if (key == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("bytes that are no private key, expected ",
                     is_pkcs1 ? "PKCS#1 of RSA" : "PKCS#8 of RSA or Ed25519"));
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
