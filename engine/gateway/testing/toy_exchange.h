// A minimal exchange for tests of conversations: one list of orders
// per test, searched from end to end. It answers commands like the real one, as far as sessions
// need it.

#ifndef ENGINE_GATEWAY_TESTING_TOY_EXCHANGE_H_
#define ENGINE_GATEWAY_TESTING_TOY_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Sequences and applies immediately. Releases events on request, or once enough of them wait, like
// a recorder with group commit.
class ToyExchange final : public CommandSink {
 public:
  // At most `waiting_max` commands wait for their release; 0 releases within Submit.
  explicit ToyExchange(size_t waiting_max) : waiting_max_(waiting_max) {}

  void ListenWith(EventListener* listener) { listener_ = listener; }

  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override;
  // Releases the events of the first `count` commands that wait.
  void Release(size_t count = SIZE_MAX);

  const std::vector<Command>& commands() const { return commands_; }
  // All that a journal would have.
  struct Outcome {
    Command command;
    std::vector<std::byte> attachment;
    std::vector<Event> events;
  };
  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  // Of the commands from here on; they have none before.
  void SetTime(Timestamp time) { time_ = time; }
  // From here on every Submit fails.
  void Break() { is_broken_ = true; }
  // Whether every Submit fails because the disk is full.
  void SetDiskFull(bool is_full) { is_disk_full_ = is_full; }
  // The next command is refused.
  void RefuseNext(RejectReason reason) { refuse_next_ = reason; }

 private:
  struct Order {
    OrderId id;
    AccountId account;
    MarketId market;
    Side side = {};
    Price price;
    Quantity remaining;
    Quantity filled;
  };

  void Apply(const Command& command);
  void NewOrder(const Command& command);
  void Cancel(const Order& order, CancelReason reason);
  void MassCancel(const Command& command);
  void Amend(const Command& command);
  void ReduceTo(const Command& command);
  void Replace(const Command& command);
  void Trade(Order& taker, bool at_any_price);
  bool Crosses(const Order& taker, const Order& maker, bool at_any_price) const;
  // The first in priority among those that `taker` can trade with; null when there is none.
  Order* BestMaker(const Order& taker, bool at_any_price);
  Order* Find(OrderId id);
  void Remove(OrderId id);
  Event& Append(EventKind kind, const Order& order);
  void Reject(const Command& command, RejectReason reason);

  const size_t waiting_max_;
  EventListener* listener_ = nullptr;
  bool is_broken_ = false;
  bool is_disk_full_ = false;
  RejectReason refuse_next_ = RejectReason::kNone;
  std::vector<Command> commands_;
  std::vector<Order> orders_;  // In the order of arrival at their price.
  std::vector<Event> events_;  // Of the command being applied.
  std::vector<Outcome> outcomes_;
  size_t released_ = 0;  // Of them.
  Timestamp time_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TESTING_TOY_EXCHANGE_H_
