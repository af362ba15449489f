// Reads a flow's source on a thread of its own, a few batches ahead, so that the venue's thread
// never waits for a disk or for a long stretch of other markets.
//
//   FlowReading ─► orders of the market ─► batches, bounded ─► Take()
//       thread                                   └─ rings when Take() found none

#ifndef TOOLS_CLI_SERVE_FLOW_READ_AHEAD_H_
#define TOOLS_CLI_SERVE_FLOW_READ_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/doorbell.h"
#include "engine/gateway/flow/flow_source.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace tools {

// The orders of a flow at its source.
struct FlowPart {
  std::string path = {};
  std::string range = {};
  engine::MarketId market = {};
};

// Owned by the venue's thread.
class FlowReadAhead final : public engine::FlowSource {
 public:
  // `venue`, which outlives it, is rung when there are commands again.
  FlowReadAhead(FlowPart part, engine::Doorbell& venue);
  ~FlowReadAhead() override = default;

  // OK, or RESOURCE_EXHAUSTED: there is no thread, and no command ever comes.
  const absl::Status& status() const { return thread_.status(); }

  absl::StatusOr<State> Take(std::vector<engine::Command>& into) override;
  void BeginAgain() override;

 private:
  static constexpr size_t kCommandsOfBatch = 1024;
  static constexpr size_t kBatchesAhead = 8;

  // The loop of the thread.
  void Read();
  absl::Status ReadRound();
  // Waits until there is room.
  void Put(std::vector<engine::Command>& batch);
  bool IsHungry();
  void Stop();

  const FlowPart part_;
  engine::Doorbell& venue_;
  FutexDoorbell room_;  // Rung for the thread.

  Mutex mutex_;  // Guards the members up to thread_.
  std::deque<std::vector<engine::Command>> ready_;
  uint64_t round_ = 1;         // Which one is wanted …
  uint64_t read_round_ = 0;    // … and which is read to its end.
  absl::Status round_status_;  // Of that.
  bool is_hungry_ = false;     // Take() has found none.
  bool is_stopped_ = false;

  Thread thread_;  // The last member: it uses all others.
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_FLOW_READ_AHEAD_H_
