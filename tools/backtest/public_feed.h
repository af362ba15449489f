// What everyone hears of a market, as inputs of a strategy: trades, and what changes in the levels
// of the book.

#ifndef TOOLS_BACKTEST_PUBLIC_FEED_H_
#define TOOLS_BACKTEST_PUBLIC_FEED_H_

#include <span>
#include <vector>

#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/views/depth_view.h"
#include "tools/strategy/input.h"

namespace tools {

// Not thread-safe: owned by the backtest.
class PublicFeed {
 public:
  // Rows of a command, without time, all at `command`'s as the venue's; valid until the next call.
  std::span<const strategy::Input> Fold(const engine::Command& command,
                                        std::span<const engine::Event> events);

  const engine::DepthView& depth() const { return depth_; }

 private:
  engine::DepthView depth_;
  std::vector<strategy::Input> inputs_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_PUBLIC_FEED_H_
