#include "tools/os/crypto/private_key.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/crypto/public_key.h"

namespace tools {
namespace {

using engine::AsBytes;

class PrivateKeyTest : public testing::Test {
 protected:
  ~PrivateKeyTest() override { EXPECT_EQ(ERR_peek_error(), 0u); }
};

TEST_F(PrivateKeyTest, SignsWhatItsPublicHalfHolds) {
  for (const KeyKind kind : {KeyKind::kRsa, KeyKind::kEd25519}) {
    const PrivateKey key = PrivateKey::Generate(kind).value();
    const PublicKey half = PublicKey::Parse(key.PublicPem().value()).value();
    EXPECT_EQ(key.kind(), kind);
    EXPECT_EQ(half.kind(), kind);
    for (const std::string& message :
         {std::string(), std::string("GET/"), std::string(9999, 'x')}) {
      EXPECT_TRUE(half.Verify(message, AsBytes(key.Sign(message).value())));
      EXPECT_TRUE(half.VerifyBase64(message, key.SignBase64(message).value()));
      EXPECT_FALSE(half.VerifyBase64(message + "x", key.SignBase64(message).value()));
    }
    const PrivateKey other = PrivateKey::Generate(kind).value();
    EXPECT_FALSE(half.VerifyBase64("GET/", other.SignBase64("GET/").value()));
  }
}

TEST_F(PrivateKeyTest, ComesBackFromItsPem) {
  for (const KeyKind kind : {KeyKind::kRsa, KeyKind::kEd25519}) {
    const PrivateKey key = PrivateKey::Generate(kind).value();
    const std::string pem = key.Pem().value();
    EXPECT_TRUE(absl::StartsWith(pem, "-----BEGIN PRIVATE KEY-----\n"));
    const PrivateKey again = PrivateKey::Parse(pem).value();
    EXPECT_EQ(again.kind(), kind);
    EXPECT_EQ(again.Pem().value(), pem);
    EXPECT_EQ(again.PublicPem().value(), key.PublicPem().value());
  }
}

// RFC 8032, 7.1, test 3.
TEST_F(PrivateKeyTest, SignsAsRfc8032Does) {
  const std::string der = absl::HexStringToBytes(
      "302e020100300506032b657004220420"
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7");
  const PrivateKey key =
      PrivateKey::Parse(absl::StrCat("-----BEGIN PRIVATE KEY-----\n", absl::Base64Escape(der),
                                     "\n-----END PRIVATE KEY-----\n"))
          .value();
  EXPECT_EQ(absl::BytesToHexString(key.Sign(absl::HexStringToBytes("af82")).value()),
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a");
}

TEST_F(PrivateKeyTest, RefusesWhatIsNoSuchKey) {
  const PrivateKey key = PrivateKey::Generate(KeyKind::kEd25519).value();
  const std::string pem = key.Pem().value();
  for (size_t size = 0; size + 1 < pem.size(); ++size) {
    const auto cut = PrivateKey::Parse(pem.substr(0, size));
    EXPECT_TRUE(absl::IsInvalidArgument(cut.status())) << size;
  }
  EXPECT_FALSE(PrivateKey::Parse(key.PublicPem().value()).ok());
  EXPECT_FALSE(PublicKey::Parse(pem).ok());
  EXPECT_FALSE(PrivateKey::Parse(absl::StrReplaceAll(pem, {{"PRIVATE", "RSA PRIVATE"}})).ok());
  EXPECT_FALSE(
      PrivateKey::Parse(absl::StrReplaceAll(pem, {{"PRIVATE", "ENCRYPTED PRIVATE"}})).ok());
}

// The "... PRIVATE KEY" of the key's own format, as older programs write it; encrypted with a
// password.
std::string TraditionalPem(const std::string& pem, const char* password = nullptr) {
  const OpensslKey key = ServerKeyOf(pem);
  const OpensslBio bio(BIO_new(BIO_s_mem()));
  const EVP_CIPHER* const cipher = password == nullptr ? nullptr : EVP_aes_128_cbc();
  EXPECT_EQ(PEM_write_bio_PrivateKey_traditional(bio.get(), key.get(), cipher, nullptr, 0, nullptr,
                                                 const_cast<char*>(password)),
            1);
  return TextOf(*bio);
}

TEST_F(PrivateKeyTest, ComesBackFromPkcs1) {
  const PrivateKey key = PrivateKey::Generate(KeyKind::kRsa).value();
  const std::string pem = TraditionalPem(key.Pem().value());
  EXPECT_TRUE(absl::StartsWith(pem, "-----BEGIN RSA PRIVATE KEY-----\n"));
  const PrivateKey again = PrivateKey::Parse(absl::StrCat("\n", pem, "\n")).value();
  EXPECT_EQ(again.kind(), KeyKind::kRsa);
  EXPECT_EQ(again.Pem().value(), key.Pem().value());
  const PublicKey half = PublicKey::Parse(key.PublicPem().value()).value();
  EXPECT_TRUE(half.VerifyBase64("GET/", again.SignBase64("GET/").value()));
}

TEST_F(PrivateKeyTest, RefusesWhatIsNoPkcs1) {
  const std::string pkcs8 = PrivateKey::Generate(KeyKind::kRsa).value().Pem().value();
  const std::string pem = TraditionalPem(pkcs8);
  for (size_t size = 0; size + 1 < pem.size(); ++size) {
    const auto cut = PrivateKey::Parse(pem.substr(0, size));
    EXPECT_TRUE(absl::IsInvalidArgument(cut.status())) << size;
  }
  // Each label has its own format.
  EXPECT_FALSE(PrivateKey::Parse(absl::StrReplaceAll(pem, {{"RSA ", ""}})).ok());
  EXPECT_FALSE(PrivateKey::Parse(absl::StrReplaceAll(pkcs8, {{"PRIVATE", "RSA PRIVATE"}})).ok());
  const std::string begin = "-----BEGIN RSA PRIVATE KEY-----\n";
  const std::string end = "\n-----END RSA PRIVATE KEY-----\n";
  const std::string der = DerOf(pem, "RSA PRIVATE KEY").value();
  EXPECT_TRUE(PrivateKey::Parse(begin + absl::Base64Escape(der) + end).ok());
  EXPECT_FALSE(PrivateKey::Parse(begin + absl::Base64Escape(der + "x") + end).ok());
  EXPECT_FALSE(PrivateKey::Parse(begin + end).ok());
  EXPECT_FALSE(PrivateKey::Parse(pem + pem).ok());
  EXPECT_FALSE(PrivateKey::Parse(pem + pkcs8).ok());
  EXPECT_FALSE(PrivateKey::Parse(TraditionalPem(pkcs8, "password")).ok());
  // A key of P-256 has a traditional format too.
  const std::string other = TraditionalPem(MakeServerKey().value());
  EXPECT_TRUE(absl::StartsWith(other, "-----BEGIN EC PRIVATE KEY-----\n"));
  EXPECT_FALSE(PrivateKey::Parse(other).ok());
  EXPECT_FALSE(PrivateKey::Parse(absl::StrReplaceAll(other, {{"EC ", "RSA "}})).ok());
}

TEST_F(PrivateKeyTest, DamagedPkcs1IsAnotherKeyOrAnErrorThatDoesNotShowIt) {
  const std::string pem = TraditionalPem(PrivateKey::Generate(KeyKind::kRsa).value().Pem().value());
  for (size_t at = 40; at < pem.size() - 40; at += 97) {
    std::string damaged = pem;
    damaged[at] = damaged[at] == 'A' ? 'B' : 'A';
    const auto key = PrivateKey::Parse(damaged);  // It may be another key.
    if (key.ok()) continue;
    EXPECT_TRUE(absl::IsInvalidArgument(key.status()));
    EXPECT_FALSE(absl::StrContains(key.status().message(), pem.substr(40, 8)));
  }
}

}  // namespace
}  // namespace tools
