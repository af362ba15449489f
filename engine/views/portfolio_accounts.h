// What a portfolio view keeps of each account, and of each account in each market.
//
//   account ──────────► place ─► account: cash, orders, groups, settlements, its positions' places
//   account, market ──► place ─► position, and the live orders there

#ifndef ENGINE_VIEWS_PORTFOLIO_ACCOUNTS_H_
#define ENGINE_VIEWS_PORTFOLIO_ACCOUNTS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/types/ids.h"
#include "engine/views/ascending_ids.h"
#include "engine/views/order_store.h"
#include "engine/views/portfolio_rows.h"

namespace engine {

struct AccountPortfolio {
  AccountId id;
  bool is_open = false;
  PortfolioCash cash;
  AscendingIds orders;  // All that are kept.
  AscendingIds live_orders;
  OrderStore::EndedList ended;
  uint64_t newest_fill = 0;         // A number in the history of fills.
  std::vector<uint32_t> positions;  // Places.
  std::vector<PortfolioSettlement> settlements;
  std::map<GroupId, PortfolioGroup> groups;
  std::map<GroupId, AscendingIds> group_orders;  // The live ones.
};

struct MarketPortfolio {
  PortfolioPosition row;
  AscendingIds live_orders;
};

// Not thread-safe: a member of the view. References are valid as long as the table.
class PortfolioAccounts {
 public:
  static constexpr uint32_t kNone = IdTable::kNone;

  // Null if nothing is known of it.
  const AccountPortfolio* Find(AccountId account) const {
    const uint32_t place = places_.Find(account.value());
    return place == kNone ? nullptr : &accounts_[place];
  }
  // The place of the account, which is added if there is none.
  uint32_t PlaceOf(AccountId account);
  AccountPortfolio& at(uint32_t place) { return accounts_[place]; }
  const AccountPortfolio& at(uint32_t place) const { return accounts_[place]; }

  // The same for an account in a market.
  const MarketPortfolio* Find(AccountId account, MarketId market) const {
    const uint32_t place = position_places_.Find(KeyOf(account, market));
    return place == kNone ? nullptr : &positions_[place];
  }
  uint32_t PlaceOf(AccountId account, MarketId market);
  MarketPortfolio& position_at(uint32_t place) { return positions_[place]; }
  const MarketPortfolio& position_at(uint32_t place) const { return positions_[place]; }

  size_t size() const { return accounts_.size(); }

 private:
  static uint64_t KeyOf(AccountId account, MarketId market) {
    return uint64_t{account.value()} << 32 | market.value();
  }

  IdTable places_;
  std::deque<AccountPortfolio> accounts_;
  IdTable position_places_;
  std::deque<MarketPortfolio> positions_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_PORTFOLIO_ACCOUNTS_H_
