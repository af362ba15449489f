// Who sends a request: the holder of the private key that signed it.
//
//   signed: timestamp in ms + method + path, without the query, as in
//   1703123456789GET/trade-api/v2/x
//
// engine/wire/kalshi/PROTOCOL.md has the headers. A signature holds as long as its time is within
// the window, and may be used again.

#ifndef ENGINE_GATEWAY_KALSHI_AUTHENTICATION_H_
#define ENGINE_GATEWAY_KALSHI_AUTHENTICATION_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"

namespace engine {

// The public keys of a venue. The program knows them.
class KalshiKeys {
 public:
  virtual ~KalshiKeys() = default;

  // Empty if there is no such key.
  virtual std::optional<AccountId> AccountOf(absl::string_view key_id) const = 0;

  // Whether the key signed `message`. Any values; `signature` is in base64. REQUIRES: AccountOf()
  // has an account.
  virtual bool IsSigned(absl::string_view key_id, absl::string_view message,
                        absl::string_view signature) = 0;
};

enum class KalshiAuthResult : uint8_t {
  kOk,
  kKeyMissing,
  kTimestampMissing,
  kSignatureMissing,
  kUnknownKey,
  kExpired,
  kNotSigned,
};

// What a request says of its sender; headers that are missing are empty.
struct KalshiCredentials {
  absl::string_view key_id = {};
  absl::string_view timestamp = {};  // In ms since 1970.
  absl::string_view signature = {};
  absl::string_view method = {};
  absl::string_view path = {};  // Without the query.
};

struct KalshiAuth {
  KalshiAuthResult result = {};
  AccountId account = {};  // If kOk.
};

// Any values. Neither the account nor the key is looked up before the headers are sound.
KalshiAuth Authenticate(const KalshiCredentials& credentials, Timestamp now, int64_t window_nanos,
                        KalshiKeys& keys);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_AUTHENTICATION_H_
