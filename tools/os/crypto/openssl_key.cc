#include "tools/os/crypto/openssl_key.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr size_t kPemBytesMax = 16 << 10;  // The largest RSA key takes 7 KB.
constexpr int kRsaBitsMin = 2048;
constexpr int kRsaBitsMax = 8192;
constexpr int kExponentBitsMax = 64;  // The time of a check grows with it.

absl::Status CheckRsa(const EVP_PKEY& key) {
  const int bits = EVP_PKEY_get_bits(&key);
  if (bits < kRsaBitsMin || bits > kRsaBitsMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("an RSA key of ", bits, " bits, expected ", kRsaBitsMin, " to ", kRsaBitsMax));
  }
  BIGNUM* exponent = nullptr;
  const bool has = EVP_PKEY_get_bn_param(&key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1;
  const bool fits = has && BN_num_bits(exponent) <= kExponentBitsMax && BN_is_odd(exponent) &&
                    !BN_is_one(exponent);
  BN_free(exponent);
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("an RSA key with another exponent, expected an odd one from 3, of at most ",
                   kExponentBitsMax, " bits"));
}

bool ChoosePss(EVP_PKEY_CTX* context, int salt) {
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, salt) == 1 &&
         EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1;
}

// Ed25519 hashes within.
const EVP_MD* DigestOf(KeyKind kind) { return kind == KeyKind::kRsa ? EVP_sha256() : nullptr; }

}  // namespace

void OpensslFree::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }
void OpensslFree::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }
void OpensslFree::operator()(bio_st* bio) const { BIO_free_all(bio); }
void OpensslFree::operator()(x509_st* certificate) const { X509_free(certificate); }

OpensslScope::OpensslScope() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }
OpensslScope::~OpensslScope() { ERR_clear_error(); }

std::string TextOf(bio_st& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(&bio, &data);
  return {data, static_cast<size_t>(size)};
}

absl::StatusOr<KeyKind> KindOf(const evp_pkey_st& key) {
  const int kind = EVP_PKEY_get_base_id(&key);
  if (kind == EVP_PKEY_ED25519) return KeyKind::kEd25519;
  if (kind != EVP_PKEY_RSA) {
    const char* const name = EVP_PKEY_get0_type_name(&key);
    return absl::InvalidArgumentError(absl::StrCat(
        "a key of ", name == nullptr ? "another algorithm" : name, ", expected RSA or Ed25519"));
  }
  RETURN_IF_ERROR(CheckRsa(key));
  return KeyKind::kRsa;
}

absl::StatusOr<std::string> DerOf(absl::string_view pem, absl::string_view label) {
  const std::string expected = absl::StrCat("expected one -----BEGIN ", label, "----- in PEM");
  if (pem.size() > kPemBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat(pem.size(), " bytes, ", expected, ", of at most ", kPemBytesMax, " bytes"));
  }
  absl::string_view text = absl::StripAsciiWhitespace(pem);
  std::string der;
  const bool is_one = absl::ConsumePrefix(&text, absl::StrCat("-----BEGIN ", label, "-----")) &&
                      absl::ConsumeSuffix(&text, absl::StrCat("-----END ", label, "-----")) &&
                      absl::Base64Unescape(text, &der);
  if (is_one) return der;
  return absl::InvalidArgumentError(absl::StrCat("no such key, ", expected));
}

bool StartSigning(evp_md_ctx_st& context, evp_pkey_st& key, KeyKind kind) {
  EVP_PKEY_CTX* key_context = nullptr;
  return EVP_DigestSignInit(&context, &key_context, DigestOf(kind), nullptr, &key) == 1 &&
         (kind != KeyKind::kRsa || ChoosePss(key_context, RSA_PSS_SALTLEN_DIGEST));
}

bool StartVerifying(evp_md_ctx_st& context, evp_pkey_st& key, KeyKind kind) {
  EVP_PKEY_CTX* key_context = nullptr;
  return EVP_DigestVerifyInit(&context, &key_context, DigestOf(kind), nullptr, &key) == 1 &&
         (kind != KeyKind::kRsa || ChoosePss(key_context, RSA_PSS_SALTLEN_AUTO));
}

}  // namespace tools
