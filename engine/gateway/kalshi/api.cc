#include "engine/gateway/kalshi/api.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/gateway/kalshi/refusals.h"
#include "engine/messages/kinds.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {
namespace {

namespace errors = kalshi::errors;

kalshi::BucketLimit LimitOf(BucketSize size) {
  return {.bucket_capacity = size.capacity, .refill_rate = size.refill_rate};
}

// An account has one part: subaccount 0 on exchange 0. What names another must not act on it.
std::optional<kalshi::Error> CheckPart(absl::string_view query_text) {
  const kalshi::QueryString query = kalshi::QueryString::Parse(query_text);
  const auto is_other = [&](absl::string_view name, int64_t also) {
    const absl::string_view text = query.First(name).value_or("");
    int64_t number = 0;
    return !text.empty() && !(ParseInteger(text, number) && (number == 0 || number == also));
  };
  if (is_other("subaccount", 0)) {
    return kalshi::Error{errors::kInvalidParameters, "subaccount must be 0: there is no other"};
  }
  if (is_other("exchange_index", -1)) {
    return kalshi::Error{errors::kInvalidParameters, "unknown exchange_index"};
  }
  return std::nullopt;
}

}  // namespace

KalshiApi::KalshiApi(const KalshiWorld& world, KalshiSubmitter& submitter, KalshiUsers& users,
                     int64_t window_nanos)
    : users_(users),
      window_nanos_(window_nanos),
      market_reads_(world),
      portfolio_reads_(world),
      orders_(world, submitter),
      groups_(world, submitter) {}

KalshiAuth KalshiApi::AuthenticateRequest(const HttpRequest& request, Timestamp now) {
  const auto field = [&](absl::string_view name) {
    return request.Find(name).value_or(absl::string_view());
  };
  return Authenticate({.key_id = field("KALSHI-ACCESS-KEY"),
                       .timestamp = field("KALSHI-ACCESS-TIMESTAMP"),
                       .signature = field("KALSHI-ACCESS-SIGNATURE"),
                       .method = request.method,
                       .path = request.path},
                      now, window_nanos_, users_);
}

std::optional<KalshiReply> KalshiApi::RefuseBody(const HttpRequest& head, Timestamp now) {
  if (head.body_bytes <= kUnsignedBodyBytesMax) return std::nullopt;
  const std::optional<KalshiMatch> match = FindKalshiRoute(head.method, head.path);
  if (!match.has_value()) return ReplyOf(kalshi::Error{errors::kRouteNotFound, {}});
  if (!match->route->needs_key) return ReplyOf(kalshi::Error{errors::kBodyTooLarge, {}});
  const KalshiAuth auth = AuthenticateRequest(head, now);
  if (auth.result == KalshiAuthResult::kOk) return std::nullopt;
  return ReplyOf(RefusalOf(auth.result));
}

KalshiReply KalshiApi::Answer(const HttpRequest& request, Timestamp now) {
  const std::optional<KalshiMatch> match = FindKalshiRoute(request.method, request.path);
  if (!match.has_value()) return ReplyOf(kalshi::Error{errors::kRouteNotFound, {}});
  const KalshiRoute& route = *match->route;
  if (!route.needs_key) return Dispatch(*match, request, {}, now);
  const KalshiAuth auth = AuthenticateRequest(request, now);
  if (auth.result != KalshiAuthResult::kOk) return ReplyOf(RefusalOf(auth.result));
  // A batch costs by its orders, which are counted where they are decoded.
  if (!route.is_batch && !Spend(auth.account, route.bucket, route.cost, now)) {
    return ReplyOf(kalshi::Error{errors::kTooManyRequests, {}});
  }
  if (std::optional<kalshi::Error> other = CheckPart(request.query)) return ReplyOf(*other);
  return Dispatch(*match, request, auth.account, now);
}

bool KalshiApi::Spend(AccountId account, KalshiBucket bucket, uint32_t cost, Timestamp now) {
  auto [found, is_new] = buckets_.try_emplace(account);
  if (is_new) {
    const KalshiTier& tier = users_.TierOf(account);
    found->second = {.read = TokenBucket(tier.read), .write = TokenBucket(tier.write)};
  }
  Buckets& of = found->second;
  return (bucket == KalshiBucket::kRead ? of.read : of.write).Take(cost, now);
}

KalshiReply KalshiApi::AccountLimits(AccountId account) const {
  const KalshiTier& tier = users_.TierOf(account);
  return ReplyOf(
      200, kalshi::AccountLimits{
               .usage_tier = tier.name, .read = LimitOf(tier.read), .write = LimitOf(tier.write)});
}

KalshiReply KalshiApi::EndpointCosts() {
  std::vector<std::string> paths;
  for (const KalshiRoute& route : KalshiRoutes()) {
    paths.push_back(absl::StrCat(kKalshiRoot, route.path));
  }
  std::vector<kalshi::EndpointCost> costs;
  for (size_t i = 0; i < paths.size(); ++i) {
    const KalshiRoute& route = KalshiRoutes()[i];
    if (route.cost == KalshiRoute::kDefaultCost) continue;
    costs.push_back({.method = route.method, .path = paths[i], .cost = route.cost});
  }
  return ReplyOf(200,
                 kalshi::EndpointCosts{.default_cost = KalshiRoute::kDefaultCost, .costs = costs});
}

KalshiReply KalshiApi::Dispatch(const KalshiMatch& match, const HttpRequest& request,
                                AccountId account, Timestamp now) {
  return match.route->bucket == KalshiBucket::kWrite ? DispatchWrite(match, request, account, now)
                                                     : DispatchRead(match, request, account, now);
}

KalshiReply KalshiApi::DispatchRead(const KalshiMatch& match, const HttpRequest& request,
                                    AccountId account, Timestamp now) {
  const kalshi::QueryString query = kalshi::QueryString::Parse(request.query);
  const auto& [part, second_part] = match.parts;
  switch (match.route->request) {
    case KalshiRequest::kExchangeStatus:
      return market_reads_.Status();
    case KalshiRequest::kExchangeSchedule:
      return market_reads_.Schedule();
    case KalshiRequest::kUserDataTimestamp:
      return market_reads_.UserDataTimestamp();
    case KalshiRequest::kMarkets:
      return market_reads_.Markets(query, now);
    case KalshiRequest::kTrades:
      return market_reads_.Trades(query);
    case KalshiRequest::kOrderbooks:
      return market_reads_.Orderbooks(query);
    case KalshiRequest::kBatchCandlesticks:
      return market_reads_.BatchCandlesticks(query);
    case KalshiRequest::kMarket:
      return market_reads_.Market(part, now);
    case KalshiRequest::kOrderbook:
      return market_reads_.Orderbook(part, query);
    case KalshiRequest::kEvents:
      return market_reads_.Events(query, now);
    case KalshiRequest::kEventFeeChanges:
      return market_reads_.EventFeeChanges(query);
    case KalshiRequest::kEvent:
      return market_reads_.Event(part, query, now);
    case KalshiRequest::kSeriesList:
      return market_reads_.SeriesList(query);
    case KalshiRequest::kSeriesFeeChanges:
      return market_reads_.SeriesFeeChanges(query);
    case KalshiRequest::kSeries:
      return market_reads_.Series(part);
    case KalshiRequest::kCandlesticks:
      return market_reads_.Candlesticks(part, second_part, query);
    case KalshiRequest::kBalance:
      return portfolio_reads_.Balance(account, query);
    case KalshiRequest::kRestingOrderValue:
      return portfolio_reads_.RestingOrderValue(account);
    case KalshiRequest::kPositions:
      return portfolio_reads_.Positions(account, query);
    case KalshiRequest::kFills:
      return portfolio_reads_.Fills(account, query);
    case KalshiRequest::kSettlements:
      return portfolio_reads_.Settlements(account, query);
    case KalshiRequest::kOrders:
      return portfolio_reads_.Orders(account, query);
    case KalshiRequest::kQueuePositions:
      return portfolio_reads_.QueuePositions(account, query);
    case KalshiRequest::kOrder:
      return portfolio_reads_.Order(account, part);
    case KalshiRequest::kQueuePosition:
      return portfolio_reads_.QueuePosition(account, part);
    case KalshiRequest::kGroups:
      return groups_.List(account);
    case KalshiRequest::kGroup:
      return groups_.Get(account, part);
    case KalshiRequest::kAccountLimits:
      return AccountLimits(account);
    case KalshiRequest::kEndpointCosts:
      return EndpointCosts();
    default:
      CHECK(false) << "a write: " << match.route->path;
      return {};
  }
}

KalshiReply KalshiApi::DispatchWrite(const KalshiMatch& match, const HttpRequest& request,
                                     AccountId account, Timestamp now) {
  const absl::string_view part = match.parts[0];
  const auto spend = [&](size_t orders) {
    return Spend(account, KalshiBucket::kWrite, static_cast<uint32_t>(orders * match.route->cost),
                 now);
  };
  switch (match.route->request) {
    case KalshiRequest::kCreateOrder:
      return orders_.Create(account, request.body);
    case KalshiRequest::kBatchCreate:
      return orders_.CreateBatch(account, request.body, spend);
    case KalshiRequest::kCancelOrder:
      return orders_.Cancel(account, part, request.query);
    case KalshiRequest::kBatchCancel:
      return orders_.CancelBatch(account, request.body, spend);
    case KalshiRequest::kCancelAll:
      return orders_.CancelAll(account);
    case KalshiRequest::kAmendOrder:
      return orders_.Amend(account, part, request.body);
    case KalshiRequest::kDecreaseOrder:
      return orders_.Decrease(account, part, request.body);
    case KalshiRequest::kCreateGroup:
      return groups_.Create(account, request.body);
    case KalshiRequest::kLimitGroup:
      return groups_.SetLimit(account, part, request.body);
    case KalshiRequest::kResetGroup:
      return groups_.Act(account, part, CommandKind::kResetGroup);
    case KalshiRequest::kTriggerGroup:
      return groups_.Act(account, part, CommandKind::kTriggerGroup);
    case KalshiRequest::kDeleteGroup:
      return groups_.Act(account, part, CommandKind::kDeleteGroup);
    case KalshiRequest::kLegacyWrite:
      return ReplyOf(kalshi::Error{errors::kDeprecated, std::string(errors::kV2Documentation)});
    default:
      CHECK(false) << "a read: " << match.route->path;
      return {};
  }
}

}  // namespace engine
