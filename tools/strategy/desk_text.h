// The state of a desk for people: what `ticktape inspect` shows of a run.
//
//   desk connection=live profit=3.20 orders=2
//   parameter name=size value=50
//   market market=MKT001 book=good position=1.50 fees=0.02 profit=3.20
//   level market=MKT001 side=ask price=0.5100 quantity=3.00         the best first
//   order market=MKT001 order=9 side=bid price=0.4900 remaining=0.50 filled=0.00 state=live

#ifndef TOOLS_STRATEGY_DESK_TEXT_H_
#define TOOLS_STRATEGY_DESK_TEXT_H_

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"
#include "replay/described_state.h"
#include "tools/strategy/desk.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/parameters.h"

namespace strategy {

// "live", "amending".
absl::string_view NameOf(OrderState state);

// At most `level_max` levels of each side of a book.
std::vector<replay::StateEntity> DescribeDesk(const Desk& desk, const Parameters& parameters,
                                              size_t level_max);

}  // namespace strategy

#endif  // TOOLS_STRATEGY_DESK_TEXT_H_
