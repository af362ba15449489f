// Checks that, for each execution that Nasdaq reported, the engine fills the order that Nasdaq
// filled.
//
// The translator announces each execution before it submits the immediate-or-cancel order that
// represents it. The events of that order must then be one trade with the announced maker for the
// full quantity, and no cancellation. The events may arrive during the submit or later, in order.

#ifndef ENGINE_WIRE_ITCH_EXECUTION_CHECK_H_
#define ENGINE_WIRE_ITCH_EXECUTION_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"

namespace engine {

// An execution at Nasdaq, before the command that represents it.
struct ItchExecution {
  size_t type = 0;  // The index of its message type: E or C.
  uint64_t match_number = 0;
  uint64_t order_reference = 0;
  OrderId maker;
  Quantity quantity;
};

// Hears of each execution before its command is submitted. That command's client order id is the
// match number.
class ItchExecutionListener {
 public:
  virtual ~ItchExecutionListener() = default;
  virtual void Expect(const ItchExecution& execution) = 0;
};

// Not thread-safe: owned by the thread that receives events. Between the first announcement and the
// last event, the listener must receive only commands of the stream.
class ItchExecutionCheck final : public EventListener, public ItchExecutionListener {
 public:
  // The number of mismatches that are kept with their details.
  static constexpr size_t kMismatchesKept = 20;

  struct Mismatch {
    SequenceNumber sequence;  // The immediate-or-cancel order's sequence number.
    ItchExecution expected;
    std::string what_happened;
  };

  void Expect(const ItchExecution& execution) override { expected_.push_back(execution); }

  void OnEvents(const Command& command, std::span<const Event> events) override;

  uint64_t matched() const { return matched_; }
  uint64_t mismatched() const { return mismatched_; }
  // Announced executions whose events have not arrived; 0 when the run is over.
  uint64_t pending() const { return expected_.size(); }
  // The first mismatches, at most kMismatchesKept.
  const std::vector<Mismatch>& mismatches() const { return mismatches_; }

  // Orders and replacements that rested at Nasdaq but traded here on arrival: the feed's book was
  // crossed, or orders from before the beginning of the stream are missing. The orders that they
  // traded with are then missing, too.
  uint64_t orders_unexpectedly_traded() const { return orders_unexpectedly_traded_; }

 private:
  std::deque<ItchExecution> expected_;
  uint64_t matched_ = 0;
  uint64_t mismatched_ = 0;
  uint64_t orders_unexpectedly_traded_ = 0;
  std::vector<Mismatch> mismatches_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_EXECUTION_CHECK_H_
