#include "engine/views/portfolio_accounts.h"

namespace engine {

uint32_t PortfolioAccounts::PlaceOf(AccountId account) {
  uint32_t place = places_.Find(account.value());
  if (place != kNone) return place;
  place = static_cast<uint32_t>(accounts_.size());
  accounts_.emplace_back().id = account;
  places_.Set(account.value(), place);
  return place;
}

uint32_t PortfolioAccounts::PlaceOf(AccountId account, MarketId market) {
  uint32_t place = position_places_.Find(KeyOf(account, market));
  if (place != kNone) return place;
  place = static_cast<uint32_t>(positions_.size());
  PortfolioPosition& row = positions_.emplace_back().row;
  row.account = account;
  row.market = market;
  position_places_.Set(KeyOf(account, market), place);
  at(PlaceOf(account)).positions.push_back(place);
  return place;
}

}  // namespace engine
