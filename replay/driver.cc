#include "replay/driver.h"

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"

namespace replay {
namespace {

bool EndsRun(engine::SequenceNumber sequence) {
  return sequence.value() % journal::kCheckpointInterval == 0;
}

}  // namespace

void Driver::ResumeAt(const journal::Checkpoint& at, uint64_t event_count) {
  CHECK_EQ(last_applied_, engine::SequenceNumber());
  CHECK(EndsRun(at.sequence) && at.trace.has_value()) << at.sequence;
  last_applied_ = at.sequence;
  trace_.Resume(*at.trace);
  if (options_.check_state) state_at_checkpoint_ = at.state;
  event_count_ = event_count;
}

std::span<const engine::Event> Driver::Apply(const journal::Record& record) {
  CHECK_EQ(record.sequence(), last_applied_.Next());
  machine_.Apply(record, events_);
  last_applied_ = record.sequence();
  const std::span<const engine::Event> events = events_.events();
  event_count_ += events.size();
  trace_.Add(events);
  if (EndsRun(last_applied_)) {
    state_at_checkpoint_.reset();
    if (options_.check_state) state_at_checkpoint_ = machine_.StateDigest();
    trace_.EndRun(state_at_checkpoint_.value_or(engine::Digest()));
  }
  return events;
}

absl::Status Driver::Run(
    journal::Reader& reader, engine::SequenceNumber last,
    absl::FunctionRef<bool(const journal::Record&, std::span<const engine::Event>)> seen) {
  while (last_applied_ < last) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
    if (!record.has_value()) break;
    if (!seen(*record, Apply(*record))) break;
  }
  return absl::OkStatus();
}

bool Driver::at_checkpoint() const {
  return last_applied_ != engine::SequenceNumber() && EndsRun(last_applied_);
}

journal::Checkpoint Driver::Checkpoint() const {
  if (EndsRun(last_applied_)) {
    return {.sequence = last_applied_,
            .log = std::nullopt,
            .trace = trace_.chain(),
            .state = state_at_checkpoint_};
  }
  std::optional<engine::Digest> state;
  if (options_.check_state) state = machine_.StateDigest();
  return {.sequence = last_applied_,
          .log = std::nullopt,
          .trace = trace_.Value(state.value_or(engine::Digest())),
          .state = state};
}

}  // namespace replay
