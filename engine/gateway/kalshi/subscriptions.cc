#include "engine/gateway/kalshi/subscriptions.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

size_t PlaceOf(kalshi::Channel channel) { return static_cast<size_t>(channel); }

// Removes one entry; the order of the others does not matter.
void Erase(std::vector<KalshiSubscription*>& list, const KalshiSubscription& subscription) {
  const auto found = std::ranges::find(list, &subscription);
  CHECK(found != list.end()) << "subscription " << subscription.sid;
  *found = list.back();
  list.pop_back();
}

}  // namespace

const KalshiSubscriptions::Session* KalshiSubscriptions::FindSession(SessionId id) const {
  const auto found = sessions_.find(id.place);
  if (found == sessions_.end() || found->second.generation != id.generation) return nullptr;
  return &found->second;
}

KalshiSubscription& KalshiSubscriptions::Add(SessionId session, AccountId account,
                                             kalshi::Channel channel) {
  Session& of = sessions_[session.place];
  of.generation = session.generation;
  auto added = std::make_unique<KalshiSubscription>();
  added->session = session;
  added->account = account;
  added->channel = channel;
  added->sid = ++of.sid_last;
  std::unique_ptr<KalshiSubscription>& place = of.by_channel[PlaceOf(channel)];
  CHECK(place == nullptr) << kalshi::ChannelName(channel);
  place = std::move(added);
  by_channel_[PlaceOf(channel)].push_back(place.get());
  by_account_[account].push_back(place.get());
  return *place;
}

void KalshiSubscriptions::Remove(KalshiSubscription& subscription) {
  const size_t channel = PlaceOf(subscription.channel);
  while (!subscription.markets.empty()) {
    RemoveMarket(subscription, *subscription.markets.begin());
  }
  if (subscription.has_all_markets) Erase(with_all_markets_[channel], subscription);
  Erase(by_channel_[channel], subscription);
  const auto of_account = by_account_.find(subscription.account);
  Erase(of_account->second, subscription);
  if (of_account->second.empty()) by_account_.erase(of_account);
  sessions_.find(subscription.session.place)->second.by_channel[channel].reset();
}

void KalshiSubscriptions::RemoveAll(SessionId session) {
  for (KalshiSubscription* const subscription : Of(session)) Remove(*subscription);
  if (FindSession(session) != nullptr) sessions_.erase(session.place);
}

KalshiSubscription* KalshiSubscriptions::Find(SessionId session, kalshi::Channel channel) const {
  const Session* const of = FindSession(session);
  return of == nullptr ? nullptr : of->by_channel[PlaceOf(channel)].get();
}

KalshiSubscription* KalshiSubscriptions::FindSid(SessionId session, int64_t sid) const {
  const Session* const of = FindSession(session);
  if (of == nullptr) return nullptr;
  for (const std::unique_ptr<KalshiSubscription>& each : of->by_channel) {
    if (each != nullptr && each->sid == sid) return each.get();
  }
  return nullptr;
}

std::vector<KalshiSubscription*> KalshiSubscriptions::Of(SessionId session) const {
  std::vector<KalshiSubscription*> all;
  const Session* const of = FindSession(session);
  if (of == nullptr) return all;
  for (const std::unique_ptr<KalshiSubscription>& each : of->by_channel) {
    if (each != nullptr) all.push_back(each.get());
  }
  std::ranges::sort(all, {}, &KalshiSubscription::sid);
  return all;
}

void KalshiSubscriptions::AddMarket(KalshiSubscription& subscription, MarketId market) {
  if (subscription.has_all_markets || !subscription.markets.insert(market).second) return;
  by_market_[KeyOf(subscription.channel, market)].push_back(&subscription);
}

void KalshiSubscriptions::RemoveMarket(KalshiSubscription& subscription, MarketId market) {
  if (subscription.markets.erase(market) == 0) return;
  const auto list = by_market_.find(KeyOf(subscription.channel, market));
  Erase(list->second, subscription);
  if (list->second.empty()) by_market_.erase(list);
}

void KalshiSubscriptions::AddAllMarkets(KalshiSubscription& subscription) {
  if (std::exchange(subscription.has_all_markets, true)) return;
  while (!subscription.markets.empty()) {
    RemoveMarket(subscription, *subscription.markets.begin());
  }
  with_all_markets_[PlaceOf(subscription.channel)].push_back(&subscription);
}

void KalshiSubscriptions::VisitMarket(kalshi::Channel channel, MarketId market,
                                      absl::FunctionRef<void(KalshiSubscription&)> visit) const {
  for (KalshiSubscription* const each : with_all_markets_[PlaceOf(channel)]) visit(*each);
  const auto list = by_market_.find(KeyOf(channel, market));
  if (list == by_market_.end()) return;
  for (KalshiSubscription* const each : list->second) visit(*each);
}

bool KalshiSubscriptions::HasMarket(kalshi::Channel channel, MarketId market) const {
  return !with_all_markets_[PlaceOf(channel)].empty() ||
         by_market_.contains(KeyOf(channel, market));
}

std::span<KalshiSubscription* const> KalshiSubscriptions::OfAccount(AccountId account) const {
  const auto found = by_account_.find(account);
  if (found == by_account_.end()) return {};
  return found->second;
}

}  // namespace engine
