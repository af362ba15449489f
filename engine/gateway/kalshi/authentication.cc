#include "engine/gateway/kalshi/authentication.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"

namespace engine {
namespace {

constexpr int64_t kMillisecondNanos = 1'000'000;
constexpr uint64_t kMillisecondsMax = INT64_MAX / kMillisecondNanos;

// Whether `text` is a time in ms that is at most `window_nanos` from `now`.
bool IsWithin(absl::string_view text, Timestamp now, int64_t window_nanos) {
  uint64_t ms = 0;
  if (!ParseInteger(text, ms) || ms > kMillisecondsMax) return false;
  const int64_t distance = now.nanos() - static_cast<int64_t>(ms) * kMillisecondNanos;
  return -window_nanos <= distance && distance <= window_nanos;
}

}  // namespace

KalshiAuth Authenticate(const KalshiCredentials& credentials, Timestamp now, int64_t window_nanos,
                        KalshiKeys& keys) {
  using enum KalshiAuthResult;
  if (credentials.key_id.empty()) return {.result = kKeyMissing};
  if (credentials.timestamp.empty()) return {.result = kTimestampMissing};
  if (credentials.signature.empty()) return {.result = kSignatureMissing};
  if (!IsWithin(credentials.timestamp, now, window_nanos)) return {.result = kExpired};
  const std::optional<AccountId> account = keys.AccountOf(credentials.key_id);
  if (!account.has_value()) return {.result = kUnknownKey};
  const std::string message =
      absl::StrCat(credentials.timestamp, credentials.method, credentials.path);
  if (!keys.IsSigned(credentials.key_id, message, credentials.signature)) {
    return {.result = kNotSigned};
  }
  return {.result = kOk, .account = *account};
}

}  // namespace engine
