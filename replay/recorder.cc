#include "replay/recorder.h"

#include <span>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "replay/command_row.h"

namespace replay {

Recorder::Recorder(journal::Writer& writer, engine::Clock& clock, journal::SidecarWriter& sidecar,
                   Driver& driver, engine::EventListener& listener, Options options)
    : writer_(writer),
      sequencer_(writer, clock),
      sidecar_(sidecar),
      driver_(driver),
      listener_(listener),
      options_(options) {
  CHECK_EQ(driver.last_applied().Next(), writer.next_sequence());
  CHECK(options.group_commands >= 1 && options.group_commands <= (1 << 20));
}

absl::StatusOr<engine::SequenceNumber> Recorder::Submit(const engine::Command& command,
                                                        engine::Bytes attachment) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<journal::Record> record = sequencer_.Append(ToRow(command), attachment);
  if (!record.ok()) {
    // An attachment that is too long was the caller's fault and took no sequence number.
    if (record.status().code() != absl::StatusCode::kInvalidArgument) status_ = record.status();
    return record.status();
  }
  const engine::SequenceNumber sequence = record->sequence();
  const std::span<const engine::Event> events = driver_.Apply(*record);
  waiting_commands_.push_back(ToCommand(*record->row));
  waiting_event_counts_.push_back(events.size());
  waiting_events_.insert(waiting_events_.end(), events.begin(), events.end());
  if (driver_.at_checkpoint()) {
    status_ = sidecar_.Append(CheckpointHere());
    RETURN_IF_ERROR(status_);
  }
  if (waiting_commands_.size() >= options_.group_commands) RETURN_IF_ERROR(Commit());
  return sequence;
}

absl::Status Recorder::Commit() {
  RETURN_IF_ERROR(status_);
  status_ = MeetPolicy();
  RETURN_IF_ERROR(status_);
  Release();
  return absl::OkStatus();
}

absl::StatusOr<journal::Checkpoint> Recorder::Finish() {
  RETURN_IF_ERROR(Commit());
  const journal::Checkpoint last = CheckpointHere();
  if (last.sequence != engine::SequenceNumber()) status_ = sidecar_.Append(last);
  RETURN_IF_ERROR(status_);
  status_ = writer_.Close();
  RETURN_IF_ERROR(status_);
  RETURN_IF_ERROR(sidecar_.Close());
  return last;
}

absl::Status Recorder::MeetPolicy() {
  switch (options_.ack) {
    case AckPolicy::kNone:
      return absl::OkStatus();
    case AckPolicy::kWritten:
      return writer_.Write();
    case AckPolicy::kDisk:
      return writer_.Sync();
  }
  CHECK(false) << "ack policy " << static_cast<int>(options_.ack);
  return absl::OkStatus();
}

void Recorder::Release() {
  // Moved out first: a listener may submit, and what it submits waits for the next commit.
  const auto commands = std::exchange(waiting_commands_, {});
  const auto event_counts = std::exchange(waiting_event_counts_, {});
  const auto events = std::exchange(waiting_events_, {});
  size_t first = 0;
  for (size_t i = 0; i < commands.size(); ++i) {
    listener_.OnEvents(commands[i], std::span(events).subspan(first, event_counts[i]));
    first += event_counts[i];
  }
}

journal::Checkpoint Recorder::CheckpointHere() const {
  journal::Checkpoint checkpoint = driver_.Checkpoint();
  checkpoint.log = writer_.log_digest();
  return checkpoint;
}

}  // namespace replay
