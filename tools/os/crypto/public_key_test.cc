#include "tools/os/crypto/public_key.h"

#include <openssl/err.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using engine::AsBytes;

// Made by `openssl dgst -sha256 -sign`, version 3.0.
constexpr char kMessage[] = "1703123456789POST/trade-api/v2/portfolio/orders";
constexpr char kRsa[] = R"(-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwcY8WsbiToOdG4KNzEYv
QipoFE98PPuRhzRnJZSEEANM1JTsuQwgQeZXDT08bE9O3Nlv9vGm7kqafPFNIkK9
WYJxBpCPLMRcPT2ty6Lt/hIudXu23kL84LBOikYiRbaEMOo7UWBzKnGnRZeOdrKU
sBR5ckLcJA7NJKm8T9LtkPnThgAMCGq2PywwMUL6eHnwfSWoeW3UMd28UDd7yVx+
zIkhRrUuMR9mhD26N/yi3IESBvCN2EmJQtClDiLuRYlaNIn7elWgMDBdTG/c3NM+
xoqnqqWOMiys1LkdcdMxKDZ7LKjUjit50L9iP9famHhJrHpO0hvP49L1Vaubm35l
7wIDAQAB
-----END PUBLIC KEY-----
)";
constexpr char kSalt32[] =
    "Wk1L4SieLj1RRZfzmwv2k0Nnb4+GwYy5kWBQjcHPqkFh90hW/JgI66Q3EuXyqVNFdg9DPCDvunkyLPWAsy9owho3"
    "MSToR1eQIflq6Tn6zql10wbgrULHxwglHBZcRaWLfgaqRK6vVN4GhSIBUfE8vnBYbowFQ8k0mhAVtoh0vRjX11Vi"
    "E7iKRupc/vVxDMfLkTa4TQTlUFJVXeVhUYaMZ8YXsC1AwjwsTOrNkxg0jXnZvtHHv5GQbEWbOiPhlPGKx0Q6SDax"
    "u0CBAFzbvyaHw0xjNeHSl4rWrPUBqgOw4CqYsJHrCuuTc5LM5XWqvVSoJs7yfzwva3RZJmANrLBteg==";
constexpr char kSalt0[] =
    "Oskja2kTo8OxyczTFYJRWuMXZskZReV86fUfLDHqnKJPElXzMHy2KNnMu+caSX2ya0Xm1lYsJiM7m0gsmJhoq/CG"
    "P+LC6puohINO/bPIVbX8fKQE2yeS2erIGRXCpLVXs31kyq2QQyA8ZMKlS2nmUmffmogoA/pYAV+aI3FKICpkuPwF"
    "pDxmksbJZG3iqThWATyutunj7NMTHD9TI67gy4DUjWgQS1YQwe11rDNiEOX36MnGjPswfxn/1/LRWaN2u4e6fFTy"
    "hjY7Mxt+GLsQXucbRMUv2Y6I/oqfW+TR36Nj3AP5Gn1hGWAPyMg0NKvZhODSM6j64X50uc+lzNHKAw==";
constexpr char kSaltLongest[] =
    "ZrfuG4W1pPSm6Q2eusd+Ri8qV2SwaMMTJ8cVK8N4iI2ypjzh8Tpinvt7pCATRYGrcTaFOuqeht9adMgkLfaXSBs1"
    "OXkQK7nj5B0vSqEGJnBO5dhib7iBlLiFjay7hQ0KEzdoM1ZtVr7FxliEYQ00aaWHrOM8Hg4OxlVT8lcrKBxI91EZ"
    "Uf+yzQDpFHFAxyip4fAMJm3HqkjVAek1DzI5/nk/9rVLk+hrBZMEp6y8a67F//i1jFGPYO+A/oEmZKdqLV6MAoW6"
    "0QFT6h5sIb7fXubu7wdYq0FwiYH4Jp4FE9sP9yoRwjS0wGa6R9rWqfimNy5zLVJY6LO07WxwRba9cw==";
constexpr char kMgf1OfSha1[] =
    "EC2UFrEaNWido2ixLP6/gLNDYjVSQiwdBmdsdQLHYSu5zP1vZV7XBRDjyi0sQCBJw5PoxWMqDJnS7noU3nnh7mes"
    "67zEVUOrLDM25I3gtD/POWq9H5Bg+4LUM8KFmqXI5sZlrfls9Vy861yHIk+6yK+8S8bdAamp22SM38G1HPogDuSI"
    "mhgMSwvmB8dcEU1iuoLXogm+6p5FGcoCTRJVUiIPTjx23JBqAh0hhurU2wXZ/Y4xCVd4rRMy9MsgQ03gXZh52JRo"
    "2yUm8mV63xdHKToNeAeVa8JJwPVpT1QV8NzlzC1NmlNmBp5UDbf3hKVt3EffvRVPIKlVXZKxVnBfqQ==";
constexpr char kPkcs1[] =
    "eWOCdAx8k/a1hzPRk+kWlz9eECk3Oa65f5ycO2p4hkhZVzwBDvJossk8MBNgLVEiAfwIkN67/557PgGM9MIhdsSk"
    "OMWknP3s7jsxNslojiTGeCes43rGwE7PbNaW0ggHYaEEkWhdpsw25cLR2eCfu8g2kHIXPCK5ORAemVPsb3k3m9Fh"
    "qvLHvkiHAkG9GzGRo/DLq4/VSobcSKoQee9py9l4PDMO8tUV40ShadxSEqOGTqFT8WKgee9qCBr2YRG7KsokBG+x"
    "/lU63iXOPlhkiEnNVqzAGpuXLnsDRlq/19HEmsM3hg3OsmMP0LQfojVzzPH+LNbLpjU5dqYaWeL+Lw==";

constexpr char kRsa1024[] = R"(-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC3nV4bcNOEyFOaRlzKVc0CLHJB
fxciwVsXfIDzKN1oHHPqxq9ouw3uVnmw9Y328jYiP2omYvEtCMvIk1CDyjJAwmi6
r5U5Y/5YxFD82/WULu69ItGlfoUelb29Y7Gd/Prj7i85mcYDbWttmtYMU9LID/oI
W/5CBJzjefep4oYpJQIDAQAB
-----END PUBLIC KEY-----
)";
constexpr char kRsaOfPssOnly[] = R"(-----BEGIN PUBLIC KEY-----
MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBALZUhYiOGLmjGBaSNRcjXUzG
EEU9MaRkGiBHeKB7zJpoC1YxTfXP5frkX/RQInEffSMThkfJmX+X6ZqVLYR2zBZI
8p7Mmd53GfQVAAe8vl0OITIozVtANe9NV9fxHdHStZqTExLdCuLFqDBgoctR8Uz6
YKuITKaz4pl5XkZnl7D83xNRcQjS65k7LuzyMmB42gSHou9R2iyXfEi4RiMOSspV
0VWMEeDYjE0wM9gN090SgdoE8ZKgHM9COZyFbiCLHRxY9avDiMnLn/sCPaXJ/9q/
uXCbzisg5X8jZLv0mmHp09NbsS/XA+jKvOzGepIbxwti/8pE5crp0S7+lYCw6c8C
AwEAAQ==
-----END PUBLIC KEY-----
)";
constexpr char kP256[] = R"(-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEO4qa+6Hgj7zqavMQk+n2OzsU0VxG
tkipP6uunyE3gUH4lCDZu4udJ3SHIRGA5iEyFDRNPrxMWaG7/j5PDRmlYg==
-----END PUBLIC KEY-----
)";
constexpr char kX25519[] = R"(-----BEGIN PUBLIC KEY-----
MCowBQYDK2VuAyEA4Et525GhBVxpNkrvirQwjCxs+uAiYIhEilnQeKqYkX8=
-----END PUBLIC KEY-----
)";

// RFC 8032, 7.1.
struct Ed25519Vector {
  const char* key;
  const char* message;
  const char* signature;
};
constexpr Ed25519Vector kEd25519[] = {
    {.key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
     .message = "",
     .signature = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                  "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
    {.key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
     .message = "72",
     .signature = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                  "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
    {.key = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
     .message = "af82",
     .signature = "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                  "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
};

std::string PemOf(absl::string_view der) {
  return absl::StrCat("-----BEGIN PUBLIC KEY-----\n", absl::Base64Escape(der),
                      "\n-----END PUBLIC KEY-----\n");
}

// Its SubjectPublicKeyInfo.
std::string Ed25519Der(absl::string_view key) {
  return absl::HexStringToBytes(absl::StrCat("302a300506032b6570032100", key));
}

PublicKey Parsed(absl::string_view pem) { return PublicKey::Parse(pem).value(); }

std::string ErrorOf(absl::string_view pem) {
  const auto key = PublicKey::Parse(pem);
  EXPECT_EQ(ERR_peek_error(), 0u);
  EXPECT_EQ(key.ok() || absl::IsInvalidArgument(key.status()), true);
  return std::string(key.status().message());
}

class PublicKeyTest : public testing::Test {
 protected:
  ~PublicKeyTest() override { EXPECT_EQ(ERR_peek_error(), 0u); }
};

TEST_F(PublicKeyTest, HoldsRfc8032sSignatures) {
  for (const Ed25519Vector& vector : kEd25519) {
    const PublicKey key = Parsed(PemOf(Ed25519Der(vector.key)));
    EXPECT_EQ(key.kind(), KeyKind::kEd25519);
    const std::string message = absl::HexStringToBytes(vector.message);
    std::string signature = absl::HexStringToBytes(vector.signature);
    EXPECT_TRUE(key.Verify(message, AsBytes(signature)));
    EXPECT_FALSE(key.Verify(message + "x", AsBytes(signature)));
    for (char& byte : signature) {
      byte ^= 1;
      EXPECT_FALSE(key.Verify(message, AsBytes(signature)));
      byte ^= 1;
    }
    EXPECT_TRUE(key.Verify(message, AsBytes(signature)));
  }
}

TEST_F(PublicKeyTest, HoldsPssSignaturesWithSaltsOfAnyLength) {
  const PublicKey key = Parsed(kRsa);
  EXPECT_EQ(key.kind(), KeyKind::kRsa);
  for (const char* signature : {kSalt32, kSalt0, kSaltLongest}) {
    EXPECT_TRUE(key.VerifyBase64(kMessage, signature));
    EXPECT_FALSE(key.VerifyBase64("another", signature));
  }
}

TEST_F(PublicKeyTest, RefusesOtherSchemesOfTheSameKey) {
  const PublicKey key = Parsed(kRsa);
  EXPECT_FALSE(key.VerifyBase64(kMessage, kMgf1OfSha1));
  EXPECT_FALSE(key.VerifyBase64(kMessage, kPkcs1));
}

TEST_F(PublicKeyTest, RefusesTheSignatureOfAnotherKey) {
  const PublicKey ed25519 = Parsed(PemOf(Ed25519Der(kEd25519[0].key)));
  EXPECT_FALSE(ed25519.Verify("", AsBytes(absl::HexStringToBytes(kEd25519[1].signature))));
  EXPECT_FALSE(ed25519.VerifyBase64(kMessage, kSalt32));
  EXPECT_FALSE(Parsed(kRsa).Verify("", AsBytes(absl::HexStringToBytes(kEd25519[0].signature))));
}

TEST_F(PublicKeyTest, RefusesCutLongerAndChangedSignatures) {
  const PublicKey key = Parsed(kRsa);
  std::string signature;
  ASSERT_TRUE(absl::Base64Unescape(kSalt32, &signature));
  for (size_t size = 0; size < signature.size(); size += 5) {
    EXPECT_FALSE(key.Verify(kMessage, AsBytes(signature).first(size)));
  }
  EXPECT_FALSE(key.Verify(kMessage, AsBytes(signature + '\0')));
  for (size_t i = 0; i < signature.size(); i += 7) {
    std::string changed = signature;
    changed[i] ^= 0x10;
    EXPECT_FALSE(key.Verify(kMessage, AsBytes(changed)));
  }
  EXPECT_FALSE(key.Verify(kMessage, AsBytes(std::string(signature.size(), '\xff'))));
  EXPECT_TRUE(key.Verify(kMessage, AsBytes(signature)));
}

TEST_F(PublicKeyTest, ReadsBase64Strictly) {
  const PublicKey key = Parsed(kRsa);
  const std::string text = kSalt32;
  ASSERT_EQ(text.substr(text.size() - 2), "==");
  ASSERT_TRUE(key.VerifyBase64(kMessage, text));
  EXPECT_FALSE(key.VerifyBase64(kMessage, ""));
  EXPECT_FALSE(key.VerifyBase64(kMessage, text.substr(0, text.size() - 2)));
  EXPECT_FALSE(key.VerifyBase64(kMessage, text + "\n"));
  EXPECT_FALSE(key.VerifyBase64(kMessage, text.substr(0, text.size() - 2) + ".."));
  EXPECT_FALSE(key.VerifyBase64(kMessage, absl::StrReplaceAll(text, {{"+", "-"}, {"/", "_"}})));
  std::string spare_bits = text;
  spare_bits[text.size() - 3]++;
  EXPECT_FALSE(key.VerifyBase64(kMessage, spare_bits));
  std::string space = text;
  space[4] = ' ';
  EXPECT_FALSE(key.VerifyBase64(kMessage, space));
}

TEST_F(PublicKeyTest, RefusesOtherKindsOfKeys) {
  EXPECT_EQ(ErrorOf(kRsa1024), "an RSA key of 1024 bits, expected 2048 to 8192");
  EXPECT_EQ(ErrorOf(kRsaOfPssOnly), "a key of RSA-PSS, expected RSA or Ed25519");
  EXPECT_EQ(ErrorOf(kP256), "a key of EC, expected RSA or Ed25519");
  EXPECT_EQ(ErrorOf(kX25519), "a key of X25519, expected RSA or Ed25519");
}

TEST_F(PublicKeyTest, RefusesRsaExponentsThatAreEvenOrLarge) {
  std::string der;
  const std::string pem = kRsa;
  const size_t begin = pem.find('\n');
  ASSERT_TRUE(absl::Base64Unescape(pem.substr(begin, pem.find("-----END") - begin), &der));
  ASSERT_EQ(der.substr(der.size() - 3), absl::HexStringToBytes("010001"));
  ASSERT_EQ(ErrorOf(PemOf(der)), "");
  for (const char* exponent : {"010000", "000001"}) {
    EXPECT_NE(ErrorOf(PemOf(der.substr(0, der.size() - 3) + absl::HexStringToBytes(exponent))), "")
        << exponent;
  }
}

TEST_F(PublicKeyTest, ReadsOnePemBlockAlone) {
  const std::string pem = kRsa;
  EXPECT_EQ(ErrorOf(absl::StrCat("\n", pem, "\n \n")), "");
  EXPECT_EQ(ErrorOf(absl::StrReplaceAll(pem, {{"\n", "\r\n"}})), "");
  const std::string expected = "no such key, expected one -----BEGIN PUBLIC KEY----- in PEM";
  EXPECT_EQ(ErrorOf(""), expected);
  EXPECT_EQ(ErrorOf(pem + pem), expected);
  EXPECT_EQ(ErrorOf("a" + pem), expected);
  EXPECT_EQ(ErrorOf(pem + "a"), expected);
  EXPECT_EQ(ErrorOf(absl::StrReplaceAll(pem, {{"PUBLIC", "RSA PUBLIC"}})), expected);
  EXPECT_NE(ErrorOf(absl::StrCat("-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\n"
                                 "DEK-Info: AES-128-CBC,00000000000000000000000000000000\n\n",
                                 pem.substr(pem.find('\n') + 1))),
            "");
  EXPECT_NE(ErrorOf(std::string(20'000, 'A')), "");
}

TEST_F(PublicKeyTest, RefusesCutAndLongerKeys) {
  const std::string pem = kRsa;
  for (size_t size = 0; size + 1 < pem.size(); ++size) {
    EXPECT_NE(ErrorOf(pem.substr(0, size)), "") << size;
  }
  const std::string der = Ed25519Der(kEd25519[0].key);
  ASSERT_EQ(ErrorOf(PemOf(der)), "");
  for (size_t size = 0; size < der.size(); ++size) {
    EXPECT_NE(ErrorOf(PemOf(der.substr(0, size))), "") << size;
  }
  EXPECT_NE(ErrorOf(PemOf(der + "x")), "");
}

TEST_F(PublicKeyTest, AnyBytesAreSafe) {
  engine::Prng prng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string der = Ed25519Der(kEd25519[0].key);
    der[prng.Below(der.size())] = static_cast<char>(prng.Below(256));
    const auto changed = PublicKey::Parse(PemOf(der));
    if (changed.ok()) {
      EXPECT_FALSE(changed->VerifyBase64(kMessage, kSalt32));
    }
    std::string noise(prng.Below(300), '\0');
    for (char& byte : noise) byte = static_cast<char>(prng.Below(256));
    EXPECT_NE(ErrorOf(noise), "");
    EXPECT_NE(ErrorOf(PemOf(noise)), "");
  }
}

}  // namespace
}  // namespace tools
