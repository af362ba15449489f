#include "engine/gateway/kalshi/authentication.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using enum KalshiAuthResult;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNowMs = 1'800'000'000'000;

// One key, whose signature of a message is the message in brackets.
class ToyKeys final : public KalshiKeys {
 public:
  std::optional<AccountId> AccountOf(absl::string_view key_id) const override {
    if (key_id == "key-7") return AccountId(7);
    return std::nullopt;
  }
  bool IsSigned(absl::string_view, absl::string_view message,
                absl::string_view signature) override {
    return signature == absl::StrCat("<", message, ">");
  }
};

KalshiAuth AuthenticateAt(int64_t now_ms, KalshiCredentials credentials) {
  ToyKeys keys;
  credentials.method = "GET";
  credentials.path = "/trade-api/v2/portfolio/orders";
  return Authenticate(credentials, Timestamp::FromNanos(now_ms * 1'000'000), 20 * kSecond, keys);
}

std::string SignatureAt(absl::string_view time) {
  return absl::StrCat("<", time, "GET/trade-api/v2/portfolio/orders>");
}

KalshiAuthResult ResultOf(absl::string_view time, int64_t now_ms = kNowMs) {
  const std::string signature = SignatureAt(time);
  return AuthenticateAt(now_ms, {.key_id = "key-7", .timestamp = time, .signature = signature})
      .result;
}

TEST(KalshiAuthentication, TheHolderOfTheKeyIsItsAccount) {
  const std::string time = absl::StrCat(kNowMs);
  const std::string signature = SignatureAt(time);
  const KalshiCredentials credentials = {
      .key_id = "key-7", .timestamp = time, .signature = signature};
  const KalshiAuth auth = AuthenticateAt(kNowMs, credentials);
  EXPECT_EQ(auth.result, kOk);
  EXPECT_EQ(auth.account, AccountId(7));
  EXPECT_EQ(AuthenticateAt(kNowMs + 5, credentials).result, kOk) << "used again within its window";
}

TEST(KalshiAuthentication, EachFailureHasItsResult) {
  const std::string time = absl::StrCat(kNowMs);
  const std::string signature = SignatureAt(time);
  EXPECT_EQ(AuthenticateAt(kNowMs, {}).result, kKeyMissing);
  EXPECT_EQ(AuthenticateAt(kNowMs, {.key_id = "key-7"}).result, kTimestampMissing);
  EXPECT_EQ(AuthenticateAt(kNowMs, {.key_id = "key-7", .timestamp = time}).result,
            kSignatureMissing);
  EXPECT_EQ(
      AuthenticateAt(kNowMs, {.key_id = "key-8", .timestamp = time, .signature = signature}).result,
      kUnknownKey);
  EXPECT_EQ(
      AuthenticateAt(kNowMs, {.key_id = "key-7", .timestamp = time, .signature = "<x>"}).result,
      kNotSigned);
}

TEST(KalshiAuthentication, TheTimeIsWithinTheWindowOnBothSides) {
  EXPECT_EQ(ResultOf(absl::StrCat(kNowMs - 20'000)), kOk);
  EXPECT_EQ(ResultOf(absl::StrCat(kNowMs + 20'000)), kOk);
  EXPECT_EQ(ResultOf(absl::StrCat(kNowMs - 20'001)), kExpired);
  EXPECT_EQ(ResultOf(absl::StrCat(kNowMs + 20'001)), kExpired);
}

TEST(KalshiAuthentication, OtherTextsAreNoTime) {
  for (const absl::string_view time :
       {"-1", "+1", " 1", "1e3", "x", "1800000000000.0", "9223372036854", "9223372036855",
        "18446744073709551615", "18446744073709551616", "1800000000000 "}) {
    EXPECT_EQ(ResultOf(time), kExpired) << time;
  }
}

}  // namespace
}  // namespace engine
