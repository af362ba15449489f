// Random commands from a seed that reach deep states: the same on every machine. So a statement
// makes at most one draw for the arguments of a call or the operands of an operator: their order is
// the compiler's choice.
//
//   seed ─► scenario: which kinds, flags and markets are frequent
//             │
//   exchange ─┴─► Next(): mostly valid, about orders and markets that exist, few prices, times at
//                 boundaries; now and then with a field of any value

#ifndef ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_H_
#define ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_H_

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"

namespace engine {

// Percentages, and weights of kinds.
struct Scenario {
  absl::string_view name;
  int equity = 20;  // Orders in equity markets.
  int stp = 10;
  int group = 10;
  int expiring = 10;
  int post_only = 10;
  int reduce_only = 10;
  int market_orders = 10;
  int hostile = 2;  // Commands in which one field has any value.
  int poor = 10;    // Deposits that are soon used up.
  int fees = 60;    // Sessions with fees.
  int kind_lifecycle = 2;
  int kind_exchange = 1;
  int kind_account = 4;
  int kind_limits = 1;
  int kind_position_limits = 1;
  int kind_groups = 1;
  int kind_leave = 10;   // Cancel, reduce, reduce to.
  int kind_change = 20;  // Amend, replace.
  int kind_mass_cancel = 1;
  int kind_time = 2;
  int kind_note = 1;
};

// The scenario of a seed. There is one for every part of the rules. Each also comes with mirrored
// markets, in a quarter of the seeds.
absl::string_view ScenarioName(uint64_t seed);

// Not thread-safe: owned by the function that makes the session.
class RandomCommands {
 public:
  explicit RandomCommands(uint64_t seed);

  // The next command for `exchange`, with its sequence number and timestamp.
  SessionCommand Next(const ReferenceExchange& exchange);

 private:
  using Orders = std::vector<RestingOrder>;

  void QueueSetup();
  void Queue(Command command, std::vector<std::byte> attachment = {});
  void QueueMarket(MarketId id, int shape, bool starts_unopened);
  void QueueRiskLimits(AccountId account);
  void QueuePositionLimit(const ReferenceExchange& exchange);
  void QueueFees(MarketId market);

  void QueueDetermine(const MarketDefinition& market);
  void QueueEnd(const MarketDefinition& market);

  void MakeAny(const ReferenceExchange& exchange);
  void MakeOrder(const ReferenceExchange& exchange);
  void MakeExecution(const ReferenceExchange& exchange);
  void FitMirrored(Command& command);
  void MakeAboutOrder(const ReferenceExchange& exchange, bool leaves);
  void MakeMassCancel(const ReferenceExchange& exchange);
  void MakeLifecycle(const ReferenceExchange& exchange);
  void MakeAccount(const ReferenceExchange& exchange);
  void MakeEachAboutAccount(const ReferenceExchange& exchange);
  void MakeGroup();
  void MakeNote();
  void Spoil(SessionCommand& made);

  MarketId AnyMarket(const ReferenceExchange& exchange);
  AccountId AnyAccount() {
    return AccountId(static_cast<uint32_t>(Chance(4) ? 4 : prng_.Between(1, 3)));
  }
  // Two groups whose ids differ in the highest byte alone.
  GroupId AnyGroup() { return GroupId(prng_.Between(1, 2) == 1 ? 1 : 65'537); }
  Price AnyPrice(const MarketDefinition& market);
  Quantity AnyQuantity(const MarketDefinition& market);
  OrderFlags AnyFlags(bool rests, bool immediate);
  Timestamp AnyExpiry();
  Timestamp NextTime(const Orders& orders);

  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[prng_.Below(values.size())];
  }
  bool Chance(int percent) { return prng_.Chance(static_cast<uint64_t>(percent)); }

  Prng prng_;
  Scenario scenario_;
  bool is_mirrored_ = false;  // Some of its markets are. Only then are there draws for them.
  Timestamp now_;
  uint32_t markets_made_ = 0;
  std::array<int64_t, 16> moments_ = {};  // Times of some earlier commands.
  int shut_for_ = 0;                      // Commands until the exchange resumes.
  std::deque<SessionCommand> queue_;
};

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_H_
