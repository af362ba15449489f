#include "replay/recorder.h"

#include <span>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "replay/event_outputs.h"
#include "replay/output.h"

namespace replay {
namespace {

// Small, so that a released chunk soon becomes available for reuse.
constexpr size_t kChunkCommands = 1024;

// A chunk with room for more gives its memory back: few commands have so many events.
constexpr size_t kEventsToKeep = 16 * kChunkCommands;

// Events that may leave are released while they are still in the L1 cache.
constexpr size_t kCommandsBetweenReleases = 64;

// Commands that shrink the book are accepted when the disk is full; advance_time expires orders.
journal::Writer::Space SpaceFor(engine::CommandKind kind) {
  return engine::InfoOf(kind).accepted_on_full_disk ? journal::Writer::Space::kReserve
                                                    : journal::Writer::Space::kPlenty;
}

}  // namespace

Recorder::Recorder(journal::Writer& writer, engine::Clock& clock, journal::SidecarWriter& sidecar,
                   Driver& driver, engine::EventListener& listener, Options options)
    : writer_(writer),
      sequencer_(writer, clock),
      sidecar_(sidecar),
      driver_(driver),
      listener_(listener),
      options_(options),
      until_release_(kCommandsBetweenReleases) {
  CHECK_EQ(driver.last_applied().Next(), writer.next_sequence());
  CHECK(options.group_commands >= 1 && options.group_commands <= (1 << 20));
  status_ = writer.SetAckPolicy(options.ack);
}

absl::StatusOr<engine::SequenceNumber> Recorder::Submit(const engine::Command& command,
                                                        engine::Bytes attachment) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<journal::Record> record =
      sequencer_.Append(ToRow(command), attachment, SpaceFor(command.kind));
  if (!record.ok()) {
    // Rejected without a sequence number: the attachment is too long, or the disk is full.
    if (!writer_.status().ok()) status_ = record.status();
    return record.status();
  }
  const engine::SequenceNumber sequence = record->sequence();
  ApplyAndWait(*record);
  if (driver_.at_checkpoint()) RETURN_IF_ERROR(Keep(CheckpointHere()));
  if (--until_release_ == 0) Release();
  if (waiting_count_ >= options_.group_commands) {
    RETURN_IF_ERROR(writer_.has_second_thread() ? ReleaseSome() : Commit());
  }
  return sequence;
}

// In parts, so that the driver does not keep the events as well.
void Recorder::ApplyAndWait(const journal::Record& record) {
  if (waiting_.empty() || waiting_.back().complete) {
    if (spare_chunks_.empty()) spare_chunks_.emplace_back();
    waiting_.push_back(std::move(spare_chunks_.back()));
    spare_chunks_.pop_back();
  }
  Chunk& chunk = waiting_.back();
  const size_t first_event = chunk.events.size();
  driver_.ApplyInParts(record, [&](const journal::Record&, std::span<const Output> part) {
    for (const engine::Event& event : AsEvents(part)) chunk.events.push_back(event);  // Usually 1.
  });
  chunk.commands.push_back(ToCommand(*record.row));
  chunk.event_ends.push_back(chunk.events.size());
  listener_.OnApplied(chunk.commands.back(), std::span(chunk.events).subspan(first_event));
  chunk.complete = chunk.commands.size() >= kChunkCommands;
  ++waiting_count_;
}

void Recorder::Chunk::Clear() {
  commands.clear();
  event_ends.clear();
  events.clear();
  if (events.capacity() > kEventsToKeep) events.shrink_to_fit();
  released = 0;
  complete = false;
}

absl::Status Recorder::Commit() {
  RETURN_IF_ERROR(status_);
  status_ = MeetPolicy();
  return ReleaseAcknowledged();
}
absl::Status Recorder::Poll() {
  if (!writer_.has_second_thread()) return Commit();
  RETURN_IF_ERROR(status_);
  status_ = writer_.HandOver();
  return ReleaseAcknowledged();
}
absl::Status Recorder::ReleaseAcknowledged() {
  RETURN_IF_ERROR(status_);
  Release();
  return absl::OkStatus();
}

absl::Status Recorder::SetAckPolicy(AckPolicy policy) {
  RETURN_IF_ERROR(status_);
  const absl::Status status = writer_.SetAckPolicy(policy);
  if (!writer_.status().ok()) status_ = status;
  return status;
}

absl::StatusOr<journal::Checkpoint> Recorder::Finish() {
  RETURN_IF_ERROR(Commit());
  const journal::Checkpoint last = CheckpointHere();
  if (last.sequence != engine::SequenceNumber()) RETURN_IF_ERROR(Keep(last));
  RETURN_IF_ERROR(status_ = writer_.Close());
  for (const journal::Checkpoint& checkpoint : unwritten_checkpoints_) {
    RETURN_IF_ERROR(sidecar_.Append(checkpoint));
  }
  RETURN_IF_ERROR(sidecar_.Close());
  return last;
}

absl::Status Recorder::Keep(const journal::Checkpoint& checkpoint) {
  unwritten_checkpoints_.push_back(checkpoint);
  while (!unwritten_checkpoints_.empty()) {
    const absl::Status status = sidecar_.Append(unwritten_checkpoints_.front());
    if (absl::IsResourceExhausted(status)) return absl::OkStatus();
    if (!status.ok()) return status_ = status;
    unwritten_checkpoints_.pop_front();
  }
  return absl::OkStatus();
}

absl::Status Recorder::MeetPolicy() {
  if (writer_.acknowledged_sequence().Next() == writer_.next_sequence()) return absl::OkStatus();
  RETURN_IF_ERROR(writer_.Write());
  if (writer_.acknowledged_sequence().Next() == writer_.next_sequence()) return absl::OkStatus();
  return writer_.Sync();
}

// Releases enough for one Submit() to add a command; commits only if that is not enough.
absl::Status Recorder::ReleaseSome() {
  Release();
  if (releasing_ || waiting_count_ < options_.group_commands) return absl::OkStatus();
  return Commit();
}

void Recorder::Release() {
  until_release_ = kCommandsBetweenReleases;
  // Events of a command that a listener submits are released by the loop that called the listener,
  // or later.
  if (releasing_) return;
  releasing_ = true;
  const engine::SequenceNumber last = writer_.acknowledged_sequence();
  while (!waiting_.empty() &&
         waiting_.front().commands[waiting_.front().released].sequence <= last) {
    Chunk& chunk = waiting_.front();
    chunk.complete = true;
    size_t first_event = chunk.released == 0 ? 0 : chunk.event_ends[chunk.released - 1];
    while (chunk.released < chunk.commands.size() &&
           chunk.commands[chunk.released].sequence <= last) {
      const size_t i = chunk.released++;
      --waiting_count_;
      listener_.OnEvents(
          chunk.commands[i],
          std::span(chunk.events).subspan(first_event, chunk.event_ends[i] - first_event));
      first_event = chunk.event_ends[i];
    }
    if (chunk.released < chunk.commands.size()) break;
    spare_chunks_.push_back(std::move(chunk));
    waiting_.pop_front();
    spare_chunks_.back().Clear();
  }
  releasing_ = false;
}

journal::Checkpoint Recorder::CheckpointHere() const {
  journal::Checkpoint checkpoint = driver_.Checkpoint();
  checkpoint.log = writer_.log_digest();
  return checkpoint;
}

}  // namespace replay
