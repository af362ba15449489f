#include "replay/command_outcome.h"

#include "engine/base/check.h"
#include "engine/messages/fields.h"
#include "engine/messages/reject_reason.h"

namespace replay {
namespace {

CommandOutcome OutcomeOfRejection(engine::RejectReason reason) {
  const bool is_miss = reason == engine::RejectReason::kUnknownOrder ||
                       reason == engine::RejectReason::kOrderNotLive;
  return is_miss ? CommandOutcome::kMiss : CommandOutcome::kRejected;
}

}  // namespace

std::string NameOf(CommandOutcome outcome) {
  switch (outcome) {
    case CommandOutcome::kRest:
      return "rest";
    case CommandOutcome::kNoFill:
      return "no fill";
    case CommandOutcome::kOneFill:
      return "one fill";
    case CommandOutcome::kSweep:
      return "sweep";
    case CommandOutcome::kHit:
      return "hit";
    case CommandOutcome::kMiss:
      return "miss";
    case CommandOutcome::kRejected:
      return "reject";
    case CommandOutcome::kDone:
      return "done";
  }
  CHECK(false) << "outcome " << static_cast<int>(outcome);
  return "";
}

CommandOutcome OutcomeOf(const engine::Command& command, std::span<const engine::Event> events) {
  uint64_t trades = 0;
  bool has_ended = false;
  for (const engine::Event& event : events) {
    if (event.kind == engine::EventKind::kRejected) {
      return OutcomeOfRejection(event.reject_reason());
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
