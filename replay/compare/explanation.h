// Explains why two exchanges diverge at a command: the queue concerned in both engines, the rule
// that each applied, and the history so far of the order concerned.

#ifndef REPLAY_COMPARE_EXPLANATION_H_
#define REPLAY_COMPARE_EXPLANATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/views/order_history.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

struct PriceLevel {
  engine::MarketId market;
  engine::Side side = {};
  engine::Price price;
};

struct Explanation {
  std::optional<PriceLevel> level;  // Nullopt if no order is concerned.
  std::vector<engine::RestingOrder>
      queue_a;  // Its orders after the command; empty for an engine that ended.
  std::vector<engine::RestingOrder> queue_b;

  std::string rule_a;  // "3. Changing and cancelling: amended, priority lost"
  std::string rule_b;

  engine::OrderId order;                     // Zero if the command concerns none.
  std::optional<engine::OrderHistory> life;  // Its own according to A, up to and including this
                                             // command; nullopt also if it was not replayed.

  engine::MarketDirectory markets;  // Those defined before the command.
};

// More would take longer than the search for the divergence.
inline constexpr uint64_t kLifeReplayMax = 1 << 20;

// REQUIRES: both subjects stand right after the command, as FindFirstDivergence leaves them.
// Replays A for the order's history, if that is at most `life_replay_max` records, and reads the
// log for the markets, from a state of `states` or, if null, from the start. Errors: the source's,
// the subjects'.
absl::StatusOr<Explanation> Explain(LogSource& source, Subject& a, Subject& b,
                                    const Divergence& divergence, SnapshotStates* states = nullptr,
                                    uint64_t life_replay_max = kLifeReplayMax);

// Returns the section of engine/RULES.md that defines the event, and the case within it.
std::string RuleOf(const engine::Event& event);

}  // namespace replay

#endif  // REPLAY_COMPARE_EXPLANATION_H_
