// Of an ITCH stream that is mirrored: how often price-time priority would have chosen another order
// than Nasdaq did.

#ifndef TOOLS_CLI_RECORD_PRIORITY_CHECK_H_
#define TOOLS_CLI_RECORD_PRIORITY_CHECK_H_

#include <array>
#include <cstdint>
#include <deque>
#include <span>

#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/views/depth_view.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/wire/itch/message_type.h"

namespace tools {

// Looks at the book just before each execution. Not thread-safe: owned by the thread that receives
// events; it receives all of the journal.
class PriorityCheck final : public engine::EventListener, public engine::ItchExecutionListener {
 public:
  struct Counts {
    uint64_t executions = 0;
    uint64_t earlier_orders = 0;  // Another order came first at its price, the best.
    uint64_t better_prices = 0;   // Other orders of its side had a better price.

    uint64_t others() const { return earlier_orders + better_prices; }
  };

  void Expect(const engine::ItchExecution& execution) override { expected_.push_back(execution); }
  void OnEvents(const engine::Command& command, std::span<const engine::Event> events) override;

  // By message type, see engine::kItchTypes.
  const std::array<Counts, engine::kItchTypeCount>& counts() const { return counts_; }

 private:
  void Count(const engine::ItchExecution& execution);

  engine::DepthView depth_;
  std::deque<engine::ItchExecution> expected_;
  std::array<Counts, engine::kItchTypeCount> counts_ = {};
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_PRIORITY_CHECK_H_
