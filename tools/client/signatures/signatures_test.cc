#include "tools/client/signatures/signatures.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/crypto/public_key.h"
#include "tools/os/testing/no_more_threads.h"
#include "tools/os/thread.h"

namespace client {
namespace {

using tools::KeyKind;
using tools::PrivateKey;
using tools::PublicKey;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kStart = 1'700'000'000'000;  // In milliseconds.
constexpr absl::string_view kPath = "/trade-api/v2/portfolio/orders";

// A clock that a test sets. Thread-safe.
class SharedClock final : public engine::Clock {
 public:
  engine::Timestamp Now() override {
    return engine::Timestamp::FromNanos(millis_.load() * kMillisecond);
  }
  void Advance(int64_t millis) { millis_ += millis; }

 private:
  std::atomic<int64_t> millis_ = kStart;
};

class SignaturesTest : public testing::TestWithParam<KeyKind> {
 protected:
  // Signs, and returns the time that is signed, in milliseconds from the start.
  int64_t TimeOfSigned(absl::string_view method, absl::string_view path) {
    const SignedTime signed_time = signatures_->Sign(method, path);
    EXPECT_TRUE(
        half_.VerifyBase64(absl::StrCat(signed_time.millis, method, path), signed_time.signature));
    return signed_time.millis - kStart;
  }

  // Signs until one was ready, and returns the time that it has.
  int64_t TimeOfReady(absl::string_view method, absl::string_view path) {
    const uint64_t hits = signatures_->counts().hits;
    for (;;) {
      const int64_t time = TimeOfSigned(method, path);
      if (signatures_->counts().hits > hits) return time;
    }
  }

  SharedClock clock_;
  const PrivateKey key_ = PrivateKey::Generate(GetParam()).value();
  const PublicKey half_ = PublicKey::Parse(key_.PublicPem().value()).value();
  std::unique_ptr<Signatures> signatures_ = Signatures::Make(key_, clock_, {}).value();
};

INSTANTIATE_TEST_SUITE_P(Keys, SignaturesTest, testing::Values(KeyKind::kEd25519, KeyKind::kRsa),
                         [](const auto& kind) {
                           return kind.param == KeyKind::kRsa ? "Rsa" : "Ed25519";
                         });

TEST_P(SignaturesTest, ThreadMakesThemReady) {
  signatures_->Keep("POST", kPath);
  EXPECT_EQ(TimeOfReady("POST", kPath), 0);
  signatures_->Keep("DELETE", "/1");
  EXPECT_EQ(TimeOfReady("DELETE", "/1"), 0);
}

TEST_P(SignaturesTest, ThreadRenewsThem) {
  signatures_->Keep("POST", kPath);
  TimeOfReady("POST", kPath);
  clock_.Advance(1'001);  // No signature from before is used.
  EXPECT_EQ(TimeOfReady("POST", kPath), 1'001);
}

TEST_P(SignaturesTest, OnesThatAreNotKeptAreSignedInLine) {
  clock_.Advance(5);
  EXPECT_EQ(TimeOfSigned("POST", kPath), 5);
  signatures_->Keep("POST", kPath);
  TimeOfReady("POST", kPath);
  signatures_->Drop("POST", kPath);
  const SignatureCounts before = signatures_->counts();
  clock_.Advance(5);
  EXPECT_EQ(TimeOfSigned("POST", kPath), 10);
  EXPECT_EQ(signatures_->counts().hits, before.hits);
  EXPECT_EQ(signatures_->counts().misses, before.misses + 1);
}

TEST_P(SignaturesTest, TimeIsThatOfTheVenue) {
  signatures_->SetOffset(-250 * kMillisecond);
  EXPECT_EQ(TimeOfSigned("POST", kPath), -250);
  signatures_->Keep("POST", kPath);
  EXPECT_EQ(TimeOfReady("POST", kPath), -250);
  signatures_->SetOffset(5'000 * kMillisecond);
  EXPECT_EQ(TimeOfReady("POST", kPath), 5'000);
}

TEST_P(SignaturesTest, ManyThreadsMayUseIt) {
  signatures_->Keep("POST", kPath);
  {
    std::vector<std::unique_ptr<tools::Thread>> threads;
    for (int n = 0; n < 4; ++n) {
      threads.push_back(std::make_unique<tools::Thread>("user", [this, n] {
        const std::string own = absl::StrCat("/", n);
        for (int i = 0; i < 20; ++i) {
          signatures_->Keep("DELETE", own);
          TimeOfSigned("POST", kPath);
          TimeOfSigned("DELETE", own);
          clock_.Advance(100);
          signatures_->SetOffset(i * kMillisecond);
          signatures_->Drop("DELETE", own);
        }
      }));
    }
  }
  EXPECT_EQ(signatures_->counts().hits + signatures_->counts().misses, 4 * 20 * 2);
}

TEST(Signatures, NoThreadIsAnError) {
  const PrivateKey key = PrivateKey::Generate(KeyKind::kEd25519).value();
  SharedClock clock;
  const tools::NoMoreThreads none;
  EXPECT_TRUE(absl::IsResourceExhausted(Signatures::Make(key, clock, {}).status()));
}

}  // namespace
}  // namespace client
