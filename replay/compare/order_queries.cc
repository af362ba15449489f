#include "replay/compare/order_queries.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace replay {

absl::StatusOr<std::vector<engine::RestingOrder>> OrdersOf(Subject& subject,
                                                           engine::MarketId market,
                                                           engine::Side side) {
  if (auto* const queries = dynamic_cast<OrderQueries*>(&subject); queries != nullptr) {
    return queries->Orders(market, side);
  }
  return absl::UnimplementedError(absl::StrCat("'", subject.identity().name, "' has no orders"));
}

}  // namespace replay
