// Does the engine fill, for each execution that Nasdaq reported, the order that Nasdaq filled?
//
// The translator announces each execution before it submits the immediate-or-cancel order that
// stands for it; the events of that order then must be one trade, with the announced maker, of all
// of the quantity, and nothing cancelled. Events may come during the submit or any time later, in
// order.

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

// Not thread-safe: owned by the thread that hears events. The stream's commands must be the only
// ones that the listener hears between the first announcement and the last event.
class ItchExecutionCheck final : public EventListener {
 public:
  // How many mismatches are kept with their details.
  static constexpr size_t kMismatchesKept = 20;

  struct Expectation {
    uint64_t match_number = 0;
    uint64_t order_reference = 0;
    OrderId maker;
    Quantity quantity;
  };

  struct Mismatch {
    SequenceNumber sequence;  // Of the immediate-or-cancel order.
    Expectation expected;
    std::string what_happened;
  };

  void Expect(const Expectation& expectation) { expected_.push_back(expectation); }
  // An execution of an order that the stream has not added.
  void NotApplicable() { ++not_applicable_; }

  void OnEvents(const Command& command, std::span<const Event> events) override;

  uint64_t matched() const { return matched_; }
  uint64_t mismatched() const { return mismatched_; }
  uint64_t not_applicable() const { return not_applicable_; }
  // Announced, their events not heard yet; 0 once the run is over.
  uint64_t pending() const { return expected_.size(); }
  // The first ones, at most kMismatchesKept.
  const std::vector<Mismatch>& mismatches() const { return mismatches_; }

  // Orders, and replacements, that rested at Nasdaq and traded here on arrival: in the feed the
  // book was crossed, or orders from before a cut are missing. Whatever they traded with is then
  // missing too.
  uint64_t orders_unexpectedly_traded() const { return orders_unexpectedly_traded_; }
  // Commands that the engine refused.
  uint64_t rejected() const { return rejected_; }

  // One line, "matched=849 mismatched=0 ...".
  std::string Summary() const;

 private:
  void Judge(const Expectation& expected, SequenceNumber sequence, std::span<const Event> events);

  std::deque<Expectation> expected_;
  uint64_t matched_ = 0;
  uint64_t mismatched_ = 0;
  uint64_t not_applicable_ = 0;
  uint64_t orders_unexpectedly_traded_ = 0;
  uint64_t rejected_ = 0;
  std::vector<Mismatch> mismatches_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_EXECUTION_CHECK_H_
