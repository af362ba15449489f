// The holders of Kalshi keys, as the venue file says.

#ifndef TOOLS_SERVE_KALSHI_USERS_H_
#define TOOLS_SERVE_KALSHI_USERS_H_

#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/api.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/types/ids.h"
#include "tools/os/crypto/public_key.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop.
class KalshiUsers final : public engine::KalshiUsers {
 public:
  // REQUIRES: the configuration is sound.
  explicit KalshiUsers(const KalshiConfig& config);

  // Ids in either case.
  std::optional<engine::AccountId> AccountOf(absl::string_view key_id) const override;
  bool IsSigned(absl::string_view key_id, absl::string_view message,
                absl::string_view signature) override;
  const engine::KalshiTier& TierOf(engine::AccountId account) const override;

 private:
  struct Key {
    engine::AccountId account;
    PublicKey key;
  };
  const Key* Find(absl::string_view key_id) const;

  absl::flat_hash_map<std::string, Key> keys_;  // By id, in lower case.
  absl::flat_hash_map<engine::AccountId, const engine::KalshiTier*> tiers_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_KALSHI_USERS_H_
