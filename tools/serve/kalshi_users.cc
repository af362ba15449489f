#include "tools/serve/kalshi_users.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "engine/base/check.h"

namespace tools {

KalshiUsers::KalshiUsers(const KalshiConfig& config) {
  for (const KalshiKeyConfig& key : config.keys) {
    absl::StatusOr<PublicKey> parsed = PublicKey::Parse(key.public_key);
    CHECK_OK(parsed.status());
    keys_.emplace(absl::AsciiStrToLower(key.id),
                  Key{.account = key.account, .key = *std::move(parsed)});
  }
  for (const KalshiTierConfig& tier : config.tiers) {
    tiers_.emplace(tier.account, engine::FindKalshiTier(tier.tier));
  }
}

const KalshiUsers::Key* KalshiUsers::Find(absl::string_view key_id) const {
  const auto found = keys_.find(absl::AsciiStrToLower(key_id));
  return found == keys_.end() ? nullptr : &found->second;
}

std::optional<engine::AccountId> KalshiUsers::AccountOf(absl::string_view key_id) const {
  const Key* const key = Find(key_id);
  if (key == nullptr) return std::nullopt;
  return key->account;
}

bool KalshiUsers::IsSigned(absl::string_view key_id, absl::string_view message,
                           absl::string_view signature) {
  const Key* const key = Find(key_id);
  CHECK(key != nullptr) << "no such key";
  return key->key.VerifyBase64(message, signature);
}

const engine::KalshiTier& KalshiUsers::TierOf(engine::AccountId account) const {
  const auto found = tiers_.find(account);
  return found == tiers_.end() ? engine::kKalshiTiers.front() : *found->second;
}

}  // namespace tools
