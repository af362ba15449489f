// A certificate that a server makes for itself can be checked; others are refused with a reason.

#include "tools/os/crypto/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <ctime>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

constexpr int64_t kDayNanos = int64_t{86'400} * 1'000'000'000;

class CertificateTest : public testing::Test {
 protected:
  ~CertificateTest() override { EXPECT_EQ(ERR_peek_error(), 0); }

  std::string Make(absl::string_view ip, int days = 30) const {
    return MakeLocalCertificate(key_, ip, now_, days).value();
  }
  // Its errors, without their code; empty if a client accepts it.
  std::string Check(absl::string_view pem, absl::string_view ip, int day = 0) const {
    const auto then = engine::Timestamp::FromNanos(now_.nanos() + day * kDayNanos);
    return std::string(CheckCertificate(pem, ip, then).message());
  }

  const engine::Timestamp now_ = engine::Timestamp::Parse("2026-11-25T14:30:00Z").value();
  const std::string key_ = MakeServerKey().value();
};

TEST_F(CertificateTest, ItNamesThisHostAndIsSignedByItsKey) {
  const OpensslScope scope;
  const std::string pem = Make("192.0.2.7");
  const OpensslCertificate certificate = NextCertificate(*ReaderOf(pem));
  const OpensslKey key = ServerKeyOf(key_);
  ASSERT_NE(certificate, nullptr);
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(X509_check_private_key(certificate.get(), key.get()), 1);
  EXPECT_EQ(X509_verify(certificate.get(), key.get()), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "example.com", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ca(certificate.get()), 0);
  EXPECT_NE(MakeServerKey().value(), key_);
}

TEST_F(CertificateTest, ItIsAcceptedFromItsAddressesInItsTime) {
  const std::string pem = Make("192.0.2.7");
  for (const char* ip : {"127.0.0.1", "::1", "192.0.2.7"}) EXPECT_EQ(Check(pem, ip), "");
  EXPECT_EQ(Check(Make(""), "127.0.0.1"), "");
  EXPECT_EQ(Check(Make("2001:db8::5"), "2001:db8::5"), "");
  EXPECT_EQ(Check(pem, "192.0.2.8"), "not for the address 192.0.2.8");
  EXPECT_EQ(Check(pem, "unix"), "not for the address unix");
  EXPECT_EQ(Check(pem, ""), "");
  EXPECT_EQ(Check(pem, "::1", 28), "");
  EXPECT_EQ(Check(pem, "::1", 30), "valid until 2026-12-24");
  EXPECT_EQ(Check(pem, "::1", -2), "valid from 2026-11-24 on");
}

TEST_F(CertificateTest, ItsKeyAndItsAddressMustBeSome) {
  EXPECT_TRUE(absl::IsInvalidArgument(MakeLocalCertificate("", "", now_).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(MakeLocalCertificate(key_, "host", now_).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(MakeLocalCertificate(key_, "::1,DNS:example.com", now_).status()));
}

TEST_F(CertificateTest, WhatIsNoCertificateIsRefused) {
  std::string broken = Make("");
  broken.erase(100, 20);
  for (const std::string& text : {std::string(), std::string("text"), key_, broken,
                                  std::string(kIdentityBytesMax + 1, 'x')}) {
    EXPECT_EQ(Check(text, "::1"), "no certificate, expected -----BEGIN CERTIFICATE----- in PEM");
    EXPECT_TRUE(absl::IsInvalidArgument(CheckKey({.certificate = text, .key = key_})));
  }
}

TEST_F(CertificateTest, AKeyOfAnotherCertificateIsRefused) {
  const std::string pem = Make("");
  EXPECT_TRUE(CheckKey({.certificate = pem, .key = key_}).ok());
  const absl::Status other = CheckKey({.certificate = pem, .key = MakeServerKey().value()});
  EXPECT_EQ(other.message(), "the key of another certificate");
  for (const std::string& text : {std::string(), pem, key_.substr(0, 150)}) {
    const absl::Status refused = CheckKey({.certificate = pem, .key = text});
    EXPECT_TRUE(absl::IsInvalidArgument(refused));
    EXPECT_TRUE(absl::StartsWith(refused.message(), "no private key, expected ")) << refused;
  }
}

TEST_F(CertificateTest, AnEncryptedKeyIsRefusedWithoutAskingForItsPassword) {
  const OpensslKey key = ServerKeyOf(key_);
  const OpensslBio bio(BIO_new(BIO_s_mem()));
  char password[] = "password";
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), EVP_aes_128_cbc(), password, 8,
                                          nullptr, nullptr),
            1);
  const absl::Status refused = CheckKey({.certificate = Make(""), .key = TextOf(*bio)});
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
}

}  // namespace
}  // namespace tools
