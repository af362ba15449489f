// The question that only an exchange at the other end can answer: which orders are in its books.

#ifndef REPLAY_COMPARE_ORDER_QUERIES_H_
#define REPLAY_COMPARE_ORDER_QUERIES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "replay/compare/subject.h"

namespace replay {

// A subject that may be an exchange implements it too. Not thread-safe.
class OrderQueries {
 public:
  virtual ~OrderQueries() = default;

  // The live orders of one side of one market, in priority order. Errors: UNIMPLEMENTED if it is
  // not an exchange; the subject's.
  virtual absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                                   engine::Side side) = 0;
};

// As OrderQueries::Orders; UNIMPLEMENTED for a subject that does not implement it.
absl::StatusOr<std::vector<engine::RestingOrder>> OrdersOf(Subject& subject,
                                                           engine::MarketId market,
                                                           engine::Side side);

}  // namespace replay

#endif  // REPLAY_COMPARE_ORDER_QUERIES_H_
