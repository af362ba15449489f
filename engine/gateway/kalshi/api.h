// The requests of REST: who may ask, how often, and who answers.
//
//   HTTP request ─► route ─► signature ─► tokens ─► market reads, portfolio reads, orders, groups

#ifndef ENGINE_GATEWAY_KALSHI_API_H_
#define ENGINE_GATEWAY_KALSHI_API_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/base/token_bucket.h"
#include "engine/gateway/kalshi/authentication.h"
#include "engine/gateway/kalshi/groups.h"
#include "engine/gateway/kalshi/market_reads.h"
#include "engine/gateway/kalshi/orders.h"
#include "engine/gateway/kalshi/portfolio_reads.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/routes.h"
#include "engine/gateway/kalshi/submitter.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/types/ids.h"
#include "engine/wire/http/http_request.h"

namespace engine {

// The public keys of a venue and what they may spend.
class KalshiUsers : public KalshiKeys {
 public:
  virtual const KalshiTier& TierOf(AccountId account) const = 0;
};

// Not thread-safe: owned by the gateway. All references outlive it.
class KalshiApi {
 public:
  KalshiApi(const KalshiWorld& world, KalshiSubmitter& submitter, KalshiUsers& users,
            int64_t window_nanos);

  // Of a body that has not come yet, this many bytes are taken of anyone.
  static constexpr uint64_t kUnsignedBodyBytesMax = uint64_t{16} << 10;

  // Why the body that follows a head is not taken, if it is not: a longer one is taken only of a
  // request that needs a key and has it.
  std::optional<KalshiReply> RefuseBody(const HttpRequest& head, Timestamp now);

  // `now`: the time of day. Answers are as of the last released record.
  KalshiReply Answer(const HttpRequest& request, Timestamp now);

  KalshiAuth AuthenticateRequest(const HttpRequest& request, Timestamp now);

 private:
  struct Buckets {
    TokenBucket read;
    TokenBucket write;
  };

  // A request whose sender, if it needs one, is known and may spend what it costs.
  KalshiReply Dispatch(const KalshiMatch& match, const HttpRequest& request, AccountId account,
                       Timestamp now);
  KalshiReply DispatchRead(const KalshiMatch& match, const HttpRequest& request, AccountId account,
                           Timestamp now);
  KalshiReply DispatchWrite(const KalshiMatch& match, const HttpRequest& request, AccountId account,
                            Timestamp now);
  bool Spend(AccountId account, KalshiBucket bucket, uint32_t cost, Timestamp now);
  KalshiReply AccountLimits(AccountId account) const;
  static KalshiReply EndpointCosts();

  KalshiUsers& users_;
  const int64_t window_nanos_;
  KalshiMarketReads market_reads_;
  KalshiPortfolioReads portfolio_reads_;
  KalshiOrders orders_;
  KalshiGroups groups_;
  absl::flat_hash_map<AccountId, Buckets> buckets_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_API_H_
