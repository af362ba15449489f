// Why two engines parted at a command: the queue concerned on both sides, the rule each of them
// applied, and the life so far of the order that it was about.

#ifndef REPLAY_COMPARE_EXPLANATION_H_
#define REPLAY_COMPARE_EXPLANATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/book/resting_order.h"
#include "engine/messages/event.h"
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
  std::optional<PriceLevel> level;  // Nothing where no order is concerned.
  std::vector<engine::RestingOrder>
      queue_a;  // Its orders, afterwards; none of an engine that ended.
  std::vector<engine::RestingOrder> queue_b;

  std::string rule_a;  // "3. Changing and cancelling: amended, priority lost"
  std::string rule_b;

  std::optional<engine::OrderHistory> life;  // As A tells it, this command included.
};

// REQUIRES: both stand right after the command, as FindFirstDifference leaves them. Asks A again
// for the order's life, from a state of `states` or, where that is null, from the start. Errors:
// the source's, the subjects'.
absl::StatusOr<Explanation> Explain(LogSource& source, Subject& a, Subject& b,
                                    const Difference& difference, StateSource* states = nullptr);

// The section of engine/RULES.md that an event is the outcome of, and which case of it.
std::string RuleOf(const engine::Event& event);

}  // namespace replay

#endif  // REPLAY_COMPARE_EXPLANATION_H_
