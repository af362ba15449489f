// The source of a flow in a test: a list of commands, and what happens to it.

#ifndef ENGINE_GATEWAY_FLOW_TESTING_LISTED_SOURCE_H_
#define ENGINE_GATEWAY_FLOW_TESTING_LISTED_SOURCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/flow/flow_source.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// Not thread-safe.
class ListedSource final : public FlowSource {
 public:
  absl::StatusOr<State> Take(std::vector<Command>& into) override {
    into.clear();
    if (is_late) return State::kLater;
    if (is_taken_ && !error.ok()) return error;
    if (is_taken_) return State::kEnd;
    is_taken_ = true;
    into = commands;
    return State::kMore;
  }
  void BeginAgain() override { is_taken_ = false; }

  // Adds a command of account 7 in market 9, so many seconds after the beginning.
  Command& Add(CommandKind kind, double seconds = 0) {
    constexpr int64_t kBegin = 1'564'444'800'000'000'000;
    Command& command = commands.emplace_back();
    command.kind = kind;
    command.market = MarketId(9);
    command.account = AccountId(7);
    command.sequence = SequenceNumber(100 + commands.size());
    command.timestamp = Timestamp::FromNanos(kBegin + static_cast<int64_t>(seconds * 1e9));
    return command;
  }
  OrderId AddOrder(Side side, int64_t price, uint64_t quantity, double seconds = 0,
                   TimeInForce tif = TimeInForce::kGoodTillCancelled) {
    Command& command = Add(CommandKind::kNewOrder, seconds);
    command.side = side;
    command.type = OrderType::kLimit;
    command.tif = tif;
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return OrderIdOf(command.sequence);
  }
  Command& AddFor(CommandKind kind, OrderId order, double seconds = 0) {
    Command& command = Add(kind, seconds);
    command.order_id = order;
    return command;
  }

  std::vector<Command> commands;
  absl::Status error;    // At the end.
  bool is_late = false;  // There is nothing yet.

 private:
  bool is_taken_ = false;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_FLOW_TESTING_LISTED_SOURCE_H_
