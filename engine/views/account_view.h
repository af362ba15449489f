// The money and positions of all accounts as anyone may know them: folded from events, never asked
// of the core.
//
//   account 7   balance 99.9825   reserved 5.2000    as the last event about its money told them
//               RAIN +1.00   SNOW -3.50               YES contracts; NO contracts below zero
//
// What is reserved changes without an event of its own when orders come to rest and leave:
// reserved is that of the last event, exact at that moment.
//
// Positions are counts of the market's quantity units; a view knows markets by their ids only.

#ifndef ENGINE_VIEWS_ACCOUNT_VIEW_H_
#define ENGINE_VIEWS_ACCOUNT_VIEW_H_

#include <cstdint>
#include <map>
#include <span>

#include "absl/functional/function_ref.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"

namespace engine {

// Not thread-safe: owned by whoever follows the log. It hears all events of the log from its
// beginning; an event that contradicts those before it is our own mistake (CHECK).
class AccountView final : public EventListener {
 public:
  struct Account {
    Money balance;
    Money reserved;
    Money fees_paid;                        // The sum over all fills and settlements.
    std::map<MarketId, int64_t> positions;  // None is zero.
  };

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // Null when it has not been opened. Valid until the next OnEvents.
  const Account* Find(AccountId account) const;

  // Zero for what is unknown.
  int64_t Position(AccountId account, MarketId market) const;

  // In the order of their numbers, until `visit` returns false.
  void VisitAccounts(absl::FunctionRef<bool(AccountId, const Account&)> visit) const;

 private:
  Account& Get(const Event& event);

  std::map<AccountId, Account> accounts_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ACCOUNT_VIEW_H_
