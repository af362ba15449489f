// The money and positions of all accounts, computed from events only, without access to the core.
//
//   account 7   balance 99.9825   reserved 5.2000    as of the last event about its money
//               RAIN +1.00   SNOW -3.50               YES contracts; NO contracts below zero
//
// The reserved amount changes without an event of its own when orders rest or leave the book: the
// view has the amount of the last event, exact at that time.
//
// Positions are counts of the market's quantity units; a view knows markets by their ids only.

#ifndef ENGINE_VIEWS_ACCOUNT_VIEW_H_
#define ENGINE_VIEWS_ACCOUNT_VIEW_H_

#include <cstdint>
#include <map>
#include <span>

#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"

namespace engine {

// Not thread-safe: owned by the reader of the log. It receives all events of the log from its
// beginning; an event that contradicts earlier ones is a programming error (CHECK).
class AccountView final : public EventListener {
 public:
  struct Account {
    Money balance;
    Money reserved;
    std::map<MarketId, int64_t> positions;  // Never zero; an absent position is zero.
  };

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // Null if the account has not been opened. Valid until the next OnEvents.
  const Account* Find(AccountId account) const;

  // Zero if the account or the position is unknown.
  int64_t Position(AccountId account, MarketId market) const;

  const std::map<AccountId, Account>& accounts() const { return accounts_; }

 private:
  Account& Get(const Event& event);

  std::map<AccountId, Account> accounts_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ACCOUNT_VIEW_H_
