#include "engine/workload/order_flow.h"

#include <map>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

// Numbers commands as a sequencer would, with the flow's own clock.
class Recording final : public engine::CommandSink {
 public:
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    if (full) return absl::ResourceExhaustedError("full");
    commands.push_back(command);
    commands.back().sequence = engine::SequenceNumber(commands.size());
    commands.back().timestamp = clock.Now();
    attachment_bytes += attachment.size();
    return commands.back().sequence;
  }

  engine::ManualClock clock;
  std::vector<engine::Command> commands;
  size_t attachment_bytes = 0;
  bool full = false;
};

engine::Digest FlowDigest(uint64_t seed, int count) {
  Recording recording;
  OrderFlow flow(recording, recording.clock, {.seed = seed, .start = {}});
  for (int i = 0; i < count; ++i) EXPECT_TRUE(flow.Next().ok());
  return engine::DigestOf(std::as_bytes(std::span(recording.commands)));
}

// Pinned: a workload that is named by its seed must stay what it is.
TEST(OrderFlow, IsAFunctionOfItsSeed) {
  EXPECT_EQ(FlowDigest(1, 10'000).ToString(), "ffc3c9bd9b82597d825f4f656f471547");
  EXPECT_NE(FlowDigest(1, 100), FlowDigest(2, 100));
}

TEST(OrderFlow, DefinesItsMarketsAndThenUsesEveryKindOfCommand) {
  Recording recording;
  OrderFlow flow(recording, recording.clock, {.seed = 3, .market_count = 7, .start = {}});
  std::map<engine::CommandKind, int> kinds;
  for (int i = 0; i < 20'000; ++i) ASSERT_TRUE(flow.Next().ok());
  engine::Timestamp last;
  for (const engine::Command& command : recording.commands) {
    ++kinds[command.kind];
    EXPECT_GT(command.timestamp, last);
    last = command.timestamp;
  }
  EXPECT_EQ(kinds[engine::CommandKind::kDefineMarket], 7);
  EXPECT_EQ(kinds.size(), 7u);
  EXPECT_GT(recording.attachment_bytes, 0u);
}

TEST(OrderFlow, PassesTheSinksErrorOn) {
  Recording recording;
  OrderFlow flow(recording, recording.clock, {.start = {}});
  recording.full = true;
  EXPECT_EQ(flow.Next().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace bench
