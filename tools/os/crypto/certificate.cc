#include "tools/os/crypto/certificate.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <ctime>

#include "absl/strings/str_cat.h"
#include "tools/os/entropy.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kDaySeconds = 86'400;

// Of an encrypted PEM: there is none, and no terminal is asked for one.
int NoPassword(char*, int, int, void*) { return -1; }

bool AddExtension(X509& certificate, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  const bool is_added = extension != nullptr && X509_add_ext(&certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return is_added;
}

bool SetName(X509& certificate) {
  X509_NAME* const name = X509_get_subject_name(&certificate);
  const auto* const text = reinterpret_cast<const unsigned char*>("localhost");
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) == 1 &&
         X509_set_issuer_name(&certificate, name) == 1;
}

bool SetValidity(X509& certificate, engine::Timestamp now, int days) {
  time_t begin = now.nanos() / kSecondNanos - kDaySeconds;
  return X509_time_adj_ex(X509_getm_notBefore(&certificate), 0, 0, &begin) != nullptr &&
         X509_time_adj_ex(X509_getm_notAfter(&certificate), days, 0, &begin) != nullptr;
}

// Not that of an authority: some clients refuse one that a server shows.
bool AddExtensions(X509& certificate, absl::string_view ip) {
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1";
  if (!ip.empty() && ip != "127.0.0.1" && ip != "::1") absl::StrAppend(&names, ",IP:", ip);
  return AddExtension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
         AddExtension(certificate, NID_key_usage, "critical,digitalSignature") &&
         AddExtension(certificate, NID_ext_key_usage, "serverAuth") &&
         AddExtension(certificate, NID_subject_key_identifier, "hash") &&
         AddExtension(certificate, NID_subject_alt_name, names);
}

bool Fill(X509& certificate, EVP_PKEY& key, absl::string_view ip, engine::Timestamp now, int days) {
  constexpr long kVersion3 = 2;
  return X509_set_version(&certificate, kVersion3) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), RandomWord() >> 1) == 1 &&
         SetValidity(certificate, now, days) && SetName(certificate) &&
         X509_set_pubkey(&certificate, &key) == 1 && AddExtensions(certificate, ip) &&
         X509_sign(&certificate, &key, EVP_sha256()) > 0;
}

bool IsIp(absl::string_view text) {
  ASN1_OCTET_STRING* const parsed = a2i_IPADDRESS(std::string(text).c_str());
  ASN1_OCTET_STRING_free(parsed);
  return parsed != nullptr;
}

std::string TextOf(const ASN1_TIME* time) {
  tm parts = {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "another time";
  return engine::Timestamp::FromNanos(timegm(&parts) * kSecondNanos).ToString().substr(0, 10);
}

absl::Status NoCertificate() {
  return absl::InvalidArgumentError("no certificate, expected -----BEGIN CERTIFICATE----- in PEM");
}

}  // namespace

OpensslBio ReaderOf(absl::string_view text) {
  if (text.size() > kIdentityBytesMax) return nullptr;
  return OpensslBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

OpensslCertificate NextCertificate(bio_st& bio) {
  return OpensslCertificate(PEM_read_bio_X509(&bio, nullptr, NoPassword, nullptr));
}

OpensslKey ServerKeyOf(absl::string_view pem) {
  const OpensslBio bio = ReaderOf(pem);
  if (bio == nullptr) return nullptr;
  return OpensslKey(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassword, nullptr));
}

absl::StatusOr<std::string> MakeServerKey() {
  const OpensslScope scope;
  const OpensslKey key(EVP_EC_gen("P-256"));
  const OpensslBio bio(BIO_new(BIO_s_secmem()));
  if (key == nullptr || bio == nullptr ||
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return absl::InternalError("OpenSSL made no key");
  }
  return TextOf(*bio);
}

absl::StatusOr<std::string> MakeLocalCertificate(absl::string_view key, absl::string_view ip,
                                                 engine::Timestamp now, int days) {
  const OpensslScope scope;
  const OpensslKey parsed = ServerKeyOf(key);
  if (parsed == nullptr) return absl::InvalidArgumentError("no private key in PEM");
  if (!ip.empty() && !IsIp(ip)) {
    return absl::InvalidArgumentError(absl::StrCat("'", ip, "' is no address"));
  }
  const OpensslCertificate certificate(X509_new());
  const OpensslBio bio(BIO_new(BIO_s_mem()));
  if (certificate == nullptr || bio == nullptr || !Fill(*certificate, *parsed, ip, now, days) ||
      PEM_write_bio_X509(bio.get(), certificate.get()) != 1) {
    return absl::InternalError("OpenSSL made no certificate");
  }
  return TextOf(*bio);
}

absl::Status CheckCertificate(absl::string_view pem, absl::string_view ip, engine::Timestamp now) {
  const OpensslScope scope;
  const OpensslBio bio = ReaderOf(pem);
  const OpensslCertificate certificate = bio == nullptr ? nullptr : NextCertificate(*bio);
  if (certificate == nullptr) return NoCertificate();
  time_t seconds = now.nanos() / kSecondNanos;
  const ASN1_TIME* const begin = X509_get0_notBefore(certificate.get());
  const ASN1_TIME* const end = X509_get0_notAfter(certificate.get());
  if (X509_cmp_time(begin, &seconds) > 0) {
    return absl::FailedPreconditionError(absl::StrCat("valid from ", TextOf(begin), " on"));
  }
  if (X509_cmp_time(end, &seconds) < 0) {
    return absl::FailedPreconditionError(absl::StrCat("valid until ", TextOf(end)));
  }
  if (!ip.empty() && X509_check_ip_asc(certificate.get(), std::string(ip).c_str(), 0) != 1) {
    return absl::FailedPreconditionError(absl::StrCat("not for the address ", ip));
  }
  return absl::OkStatus();
}

absl::Status CheckKey(const ServerIdentity& identity) {
  const OpensslScope scope;
  const OpensslBio bio = ReaderOf(identity.certificate);
  const OpensslCertificate certificate = bio == nullptr ? nullptr : NextCertificate(*bio);
  if (certificate == nullptr) return NoCertificate();
  const OpensslKey key = ServerKeyOf(identity.key);
  if (key == nullptr) {
    return absl::InvalidArgumentError(
        "no private key, expected -----BEGIN PRIVATE KEY----- in PEM, not encrypted");
  }
  if (X509_check_private_key(certificate.get(), key.get()) == 1) return absl::OkStatus();
  return absl::InvalidArgumentError("the key of another certificate");
}

}  // namespace tools
