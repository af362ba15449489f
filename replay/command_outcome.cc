#include "replay/command_outcome.h"

#include <array>
#include <cstddef>

#include "engine/base/check.h"
#include "engine/messages/fields.h"
#include "engine/messages/reject_reason.h"

namespace replay {
namespace {

bool IsMiss(engine::RejectReason reason) {
  return reason == engine::RejectReason::kUnknownOrder ||
         reason == engine::RejectReason::kOrderNotLive;
}
}  // namespace

std::string NameOf(CommandOutcome outcome) {
  constexpr std::array<const char*, 8> kNames = {"rest", "no fill", "one fill", "sweep",
                                                 "hit",  "miss",    "reject",   "done"};
  const auto index = static_cast<size_t>(outcome);
  CHECK(index < kNames.size()) << "outcome " << index;
  return kNames[index];
}

CommandOutcome OutcomeOf(const engine::Command& command, std::span<const engine::Event> events) {
  uint64_t trades = 0;
  bool has_ended = false;
  for (const engine::Event& event : events) {
    if (event.kind == engine::EventKind::kRejected) {
      return IsMiss(event.reject_reason()) ? CommandOutcome::kMiss : CommandOutcome::kRejected;
    }
    if (event.kind == engine::EventKind::kTrade) ++trades;
    if (event.kind == engine::EventKind::kCancelled &&
        event.order_id.value() == command.sequence.value()) {
      has_ended = true;
    }
  }
  if (trades > 0) return trades == 1 ? CommandOutcome::kOneFill : CommandOutcome::kSweep;
  if (command.kind == engine::CommandKind::kNewOrder) {
    return has_ended ? CommandOutcome::kNoFill : CommandOutcome::kRest;
  }
  return NamesAnOrder(command.kind) ? CommandOutcome::kHit : CommandOutcome::kDone;
}

}  // namespace replay
