// Order groups: the requests that make, change and show them.

#ifndef ENGINE_GATEWAY_KALSHI_GROUPS_H_
#define ENGINE_GATEWAY_KALSHI_GROUPS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/submitter.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/requests.h"

namespace engine {

// Not thread-safe: owned by the gateway. Both references outlive it.
class KalshiGroups {
 public:
  // Of an account, at one time.
  static constexpr uint32_t kGroupsMax = 100'000;
  // Within this time fills of a group count.
  static constexpr int64_t kWindowNanos = int64_t{15} * 1'000'000'000;

  KalshiGroups(const KalshiWorld& world, KalshiSubmitter& submitter)
      : world_(world), submitter_(submitter) {}

  KalshiReply List(AccountId account) const;
  KalshiReply Get(AccountId account, absl::string_view group_id) const;

  KalshiReply Create(AccountId account, absl::string_view body);
  KalshiReply SetLimit(AccountId account, absl::string_view group_id, absl::string_view body);
  // A command that needs nothing but the group.
  KalshiReply Act(AccountId account, absl::string_view group_id, CommandKind kind);

 private:
  // The next number that no group of the account has had.
  kalshi::Result<GroupId> NextOf(AccountId account) const;
  KalshiReply Submit(const Command& command, KalshiReply reply);

  const KalshiWorld& world_;
  KalshiSubmitter& submitter_;
  kalshi::RequestDecoder decoder_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_GROUPS_H_
