#include "replay/expiry_timer.h"

#include <algorithm>

#include "absl/status/status.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"

namespace replay {

absl::StatusOr<int64_t> ExpiryTimer::Tick() {
  const engine::Timestamp next = recorder_.next_expiry();
  if (next == engine::Timestamp::Max()) return kNever;
  const engine::Timestamp now = clock_.Now();
  if (now < next) {
    // Unsigned: the difference may exceed an int64_t.
    const uint64_t left = static_cast<uint64_t>(next.nanos()) - static_cast<uint64_t>(now.nanos());
    return static_cast<int64_t>(std::min<uint64_t>(left, kSecondNanos));
  }
  const engine::SteadyTime steady_now = steady_.Now();
  if (last_sent_.has_value() && steady_now - *last_sent_ < kSecondNanos) {
    return kSecondNanos - (steady_now - *last_sent_);
  }
  last_sent_ = steady_now;
  engine::Command command;
  command.kind = engine::CommandKind::kAdvanceTime;
  const absl::Status sent = recorder_.Submit(command, {}).status();
  if (!sent.ok() && !absl::IsResourceExhausted(sent)) return sent;
  RETURN_IF_ERROR(recorder_.status());
  return recorder_.next_expiry() == engine::Timestamp::Max() ? kNever : kSecondNanos;
}

}  // namespace replay
