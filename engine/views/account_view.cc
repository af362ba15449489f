#include "engine/views/account_view.h"

#include "engine/base/check.h"

namespace engine {

void AccountView::OnEvents(const Command&, std::span<const Event> events) {
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::kAccountOpened:
        CHECK(accounts_.try_emplace(event.account).second)
            << "account " << event.account << " is opened twice";
        break;
      case EventKind::kBalance: {
        Account& account = Get(event);
        account.balance += event.change();
        account.reserved = event.reserved();
        CHECK_EQ(account.balance, event.balance()) << "account " << event.account;
        break;
      }
      case EventKind::kPosition: {
        Account& account = Get(event);
        account.positions[event.market] = event.position();
        if (event.position() == 0) account.positions.erase(event.market);
        break;
      }
      default:
        break;
    }
  }
}

AccountView::Account& AccountView::Get(const Event& event) {
  const auto found = accounts_.find(event.account);
  CHECK(found != accounts_.end()) << "account " << event.account << " has not been opened";
  return found->second;
}

const AccountView::Account* AccountView::Find(AccountId account) const {
  const auto found = accounts_.find(account);
  return found == accounts_.end() ? nullptr : &found->second;
}

int64_t AccountView::Position(AccountId account, MarketId market) const {
  const Account* const found = Find(account);
  if (found == nullptr) return 0;
  const auto position = found->positions.find(market);
  return position == found->positions.end() ? 0 : position->second;
}

}  // namespace engine
