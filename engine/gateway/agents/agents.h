// Counterparties that a venue makes itself: seeded agents that quote and trade in its markets.
//
//   a fair price, PriceWalk ──► makers: quotes around it, moved against what they hold
//   released events ─┬───────► noise: orders of either side, near the best prices
//    best prices     └───────► momentum: take in the direction of the last trades
//    last trades                       │
//                                      └─► commands of the agents' accounts ─► Venue
//
// They see what every client sees, and their orders meet the rules of every client. What they do
// depends on the seed, the events and the times of the calls only; replayed, their commands are
// those of the journal.

#ifndef ENGINE_GATEWAY_AGENTS_AGENTS_H_
#define ENGINE_GATEWAY_AGENTS_AGENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/agents/price_walk.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"

namespace engine {

// Those of one market. A regular value type.
struct MarketAgents {
  MarketId market = {};
  uint32_t makers = 2;
  uint32_t noise = 3;
  uint32_t momentum = 1;
  Price start = {};             // The fair price at first; REQUIRES: one of the market's.
  Price volatility = {};        // The deviation of the fair price within a minute.
  Quantity depth = {};          // That of each price that a maker quotes, on average; not zero.
  double actions_a_second = 1;  // Of each agent, on average; above zero.

  uint32_t count() const { return makers + noise + momentum; }
};

struct AgentsOptions {
  uint64_t seed = 1;
  // The agents of a market have this account and those after it, one each.
  AccountId first_account = {};
  std::vector<MarketAgents> markets = {};
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class Agents final : public Gateway {
 public:
  // An action submits at most so many commands.
  static constexpr size_t kLevels = 3;
  static constexpr size_t kCommandsOfAction = 1 + 2 * kLevels;

  Agents(AgentsOptions options, Venue& venue);

  // A command of the journal, with its events, in order.
  void OnHistory(const Command& command, std::span<const Event> events);

  // Call it after the history, before Act(). REQUIRES: `markets` has all markets of the options.
  void Start(const MarketDirectory& markets, SteadyTime now);

  // Does what is due, as long as `has_room` returns true. `time` is the venue's. A full disk is not
  // an error: no agent trades then. Errors: the sink's.
  absl::Status Act(SteadyTime now, Timestamp time, absl::FunctionRef<bool()> has_room);
  // They show so much of their size from now on. REQUIRES: 1 to 100.
  void ShowPercent(int percent) { shown_percent_ = static_cast<uint64_t>(percent); }

  // When the next agent acts.
  SteadyTime next_time() const { return due_.empty() ? SteadyTime::Max() : due_.top().first; }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  enum class Role { kMaker, kNoise, kMomentum };

  struct Agent {
    size_t market = 0;  // An index of markets_.
    Role role = {};
    AccountId account = {};
  };
  struct Market {
    MarketAgents options = {};
    const MarketDefinition* definition = nullptr;
    std::optional<PriceWalk> fair = {};
    SteadyTime walked_at = {};
    SteadyTime rests_until = {};  // After a refusal.
    // Averages of the prices of trades, in units.
    std::optional<double> fast = {};
    double slow = 0;
  };

  bool IsAgents(AccountId account) const {
    return account >= options_.first_account &&
           account.value() - options_.first_account.value() < accounts_;
  }
  void Fold(const Command& command, std::span<const Event> events);
  void OnTrade(MarketId id, Price price);
  void Schedule(size_t agent, SteadyTime now);
  absl::Status Do(const Agent& agent, Timestamp time);
  absl::Status Quote(const Agent& agent, const Market& market);
  absl::Status AddNoise(const Agent& agent, const Market& market, Timestamp time);
  absl::Status FollowTrades(const Agent& agent, const Market& market);
  // Takes what there is up to a price that is `ticks` worse than the best.
  absl::Status Take(const Agent& agent, const Market& market, Side side, int64_t ticks);
  absl::Status Order(const Agent& agent, const Market& market, Command order, double price);
  absl::Status Submit(const Agent& agent, const Command& command);

  // A multiple of the lot, from a tenth of the depth to `percent_max` of it.
  Quantity AnyQuantity(const Market& market, int64_t percent_max);

  const AgentsOptions options_;
  Venue& venue_;
  const uint32_t number_;  // Of this gateway, in origins.
  Prng prng_;

  std::vector<Market> markets_;
  absl::flat_hash_map<MarketId, size_t> place_of_market_;
  std::vector<Agent> agents_;
  uint32_t accounts_ = 0;                                                   // Of all agents.
  absl::flat_hash_map<std::pair<AccountId, MarketId>, int64_t> positions_;  // Of agents, in units.
  DepthView depth_;

  using Due = std::pair<SteadyTime, size_t>;  // When an agent acts.
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  bool was_refused_ = false;  // An order of the action.
  uint64_t shown_percent_ = 100;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_AGENTS_AGENTS_H_
