#include "tools/client/signatures/signature_table.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/crypto/public_key.h"

namespace client {
namespace {

using tools::KeyKind;
using tools::PrivateKey;
using tools::PublicKey;

constexpr int64_t kMillisecond = 1'000'000;
constexpr absl::string_view kPath = "/trade-api/v2/portfolio/orders";

class SignatureTableTest : public testing::TestWithParam<KeyKind> {
 protected:
  // Signs, and returns how old the signature's time is, in milliseconds.
  int64_t AgeOfSigned(absl::string_view method, absl::string_view path) {
    const SignedTime signed_time = table_.Sign(method, path, now_);
    EXPECT_TRUE(
        half_.VerifyBase64(absl::StrCat(signed_time.millis, method, path), signed_time.signature));
    return now_.nanos() / kMillisecond - signed_time.millis;
  }
  int64_t AgeOfSigned() { return AgeOfSigned("POST", kPath); }

  void Advance(int64_t millis) {
    now_ = engine::Timestamp::FromNanos(now_.nanos() + millis * kMillisecond);
  }
  // Returns how many it has signed.
  int RenewAll() {
    int count = 0;
    while (table_.RenewOne(now_)) ++count;
    return count;
  }

  engine::Timestamp now_ = engine::Timestamp::FromNanos(1'700'000'000'123 * kMillisecond);
  const PrivateKey key_ = PrivateKey::Generate(GetParam()).value();
  const PublicKey half_ = PublicKey::Parse(key_.PublicPem().value()).value();
  SignatureTable table_{
      key_,
      {.usable_nanos = 1'000 * kMillisecond, .renew_nanos = 400 * kMillisecond, .paths_max = 3}};
};

INSTANTIATE_TEST_SUITE_P(Keys, SignatureTableTest,
                         testing::Values(KeyKind::kEd25519, KeyKind::kRsa), [](const auto& kind) {
                           return kind.param == KeyKind::kRsa ? "Rsa" : "Ed25519";
                         });

TEST_P(SignatureTableTest, KeptPathHasASignatureReady) {
  EXPECT_TRUE(table_.Keep("POST", kPath));
  EXPECT_FALSE(table_.Keep("POST", kPath)) << "it is kept already";
  EXPECT_EQ(AgeOfSigned(), 0) << "made in line: none is ready yet";
  EXPECT_EQ(table_.counts().misses, 1);
  EXPECT_EQ(RenewAll(), 1);
  Advance(250);
  EXPECT_EQ(AgeOfSigned(), 250);
  Advance(100);
  EXPECT_EQ(AgeOfSigned(), 350) << "one is for any number of requests";
  EXPECT_EQ(table_.counts().hits, 2);
  EXPECT_EQ(table_.counts().misses, 1);
  EXPECT_EQ(table_.counts().oldest_used_nanos, 350 * kMillisecond);
}

TEST_P(SignatureTableTest, OthersAreSignedInLine) {
  table_.Keep("POST", kPath);
  RenewAll();
  Advance(250);
  EXPECT_EQ(AgeOfSigned("DELETE", kPath), 0);
  EXPECT_EQ(AgeOfSigned("POST", "/other"), 0);
  EXPECT_EQ(table_.counts().hits, 0);
  EXPECT_EQ(table_.counts().misses, 2);
}

TEST_P(SignatureTableTest, NoneOlderThanASecondIsUsed) {
  table_.Keep("POST", kPath);
  RenewAll();
  Advance(1'000);
  EXPECT_EQ(AgeOfSigned(), 1'000);
  Advance(1);
  EXPECT_EQ(AgeOfSigned(), 0);
  EXPECT_EQ(table_.counts().misses, 1);
}

TEST_P(SignatureTableTest, ClockThatStepsBackMakesASignatureOfTheFuture) {
  table_.Keep("POST", kPath);
  RenewAll();
  Advance(-1'000);
  EXPECT_EQ(AgeOfSigned(), -1'000);
  Advance(-1);
  EXPECT_EQ(AgeOfSigned(), 0);
  EXPECT_EQ(RenewAll(), 1);
  Advance(1);
  EXPECT_EQ(AgeOfSigned(), 1);
}

TEST_P(SignatureTableTest, SignaturesAreRenewedWhenTheyAreDue) {
  EXPECT_EQ(table_.NanosUntilDue(now_), 400 * kMillisecond) << "nothing is kept";
  table_.Keep("POST", kPath);
  EXPECT_EQ(table_.NanosUntilDue(now_), 0);
  RenewAll();
  EXPECT_EQ(table_.NanosUntilDue(now_), 400 * kMillisecond);
  Advance(399);
  EXPECT_EQ(RenewAll(), 0);
  EXPECT_EQ(table_.NanosUntilDue(now_), kMillisecond);
  Advance(1);
  EXPECT_EQ(table_.NanosUntilDue(now_), 0);
  EXPECT_EQ(RenewAll(), 1);
  EXPECT_EQ(AgeOfSigned(), 0);
  EXPECT_EQ(table_.counts().hits, 1);
}

TEST_P(SignatureTableTest, PathThatNeedsItMostIsSignedFirst) {
  table_.Keep("POST", kPath);
  RenewAll();
  Advance(10);
  table_.Keep("DELETE", "/1");
  RenewAll();
  Advance(500);
  table_.Keep("DELETE", "/2");
  const auto renew_one_and_use = [&](absl::string_view method, absl::string_view path) {
    EXPECT_TRUE(table_.RenewOne(now_));
    Advance(1);
    const uint64_t hits = table_.counts().hits;
    EXPECT_EQ(AgeOfSigned(method, path), 1);
    EXPECT_EQ(table_.counts().hits, hits + 1);
  };
  renew_one_and_use("DELETE", "/2");
  renew_one_and_use("POST", kPath);
  renew_one_and_use("DELETE", "/1");
  EXPECT_FALSE(table_.RenewOne(now_));
}

TEST_P(SignatureTableTest, NumberOfPathsIsBounded) {
  EXPECT_TRUE(table_.Keep("POST", kPath));
  EXPECT_TRUE(table_.Keep("DELETE", "/1"));
  EXPECT_TRUE(table_.Keep("DELETE", "/2"));
  EXPECT_FALSE(table_.Keep("DELETE", "/3"));
  EXPECT_EQ(RenewAll(), 3);
  Advance(1);
  EXPECT_EQ(AgeOfSigned("DELETE", "/3"), 0);
  table_.Drop("DELETE", "/1");
  table_.Drop("DELETE", "/never kept");
  EXPECT_TRUE(table_.Keep("DELETE", "/3"));
  EXPECT_EQ(RenewAll(), 1);
  Advance(1);
  EXPECT_EQ(AgeOfSigned("DELETE", "/3"), 1);
  EXPECT_EQ(AgeOfSigned("DELETE", "/1"), 0) << "dropped";
}

}  // namespace
}  // namespace client
