// Records a run: takes commands and emits events once these may leave.
//
//   Submit ─► Sequencer ─► journal's open block ─► Driver ─► events wait ─► OnEvents
//             sequence,                            applies   until their record is acknowledged
//             timestamp                               └─► OnApplied
//
// No event leaves before its record meets the ack policy (J3). With a single-threaded writer,
// Commit() writes or syncs, then releases. With a writer thread, Poll() releases the events whose
// records that thread has written or synced. The digests of every checkpoint go to the journal's
// sidecar.

#ifndef REPLAY_RECORDER_H_
#define REPLAY_RECORDER_H_

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "journal/ack_policy.h"
#include "journal/digest_sidecar.h"
#include "journal/record.h"
#include "journal/sequencer.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/driver.h"

namespace replay {

using journal::AckPolicy;

// Not thread-safe: owned by the sequencing thread. All references outlive it.
//
// Failure is sticky: after a journal error every call returns that error, and no more events are
// released. A full disk is not such a failure: new commands are refused with RESOURCE_EXHAUSTED,
// while cancels and reductions are accepted as long as the journal's reserve lasts.
class Recorder final : public engine::CommandSink {
 public:
  struct Options {
    AckPolicy ack = AckPolicy::kWritten;
    // Commits automatically once this many commands wait. Range [1, 1 Mi]. A larger group spreads
    // the cost of a sync over more commands; with a writer thread, it bounds the memory of the
    // waiting commands. Commands already acknowledged are released every 64 commands.
    size_t group_commands = 4096;
  };

  // Continues after driver.last_applied(), which is the last record of `writer`'s journal.
  Recorder(journal::Writer& writer, engine::Clock& clock, journal::SidecarWriter& sidecar,
           Driver& driver, engine::EventListener& listener, Options options);

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override;

  // Prefetches for commands that will be submitted next, `coming` in order; see Machine::Prefetch.
  // Call it again every kPrefetchBatch commands.
  void Prefetch(std::span<const engine::Command> coming) const { driver_.Prefetch(AsRows(coming)); }

  // Makes every submitted command meet the ack policy, then releases the events in order.
  absl::Status Commit();

  // Releases the events that are acknowledged so far and hands the open block to the writer thread;
  // does not wait. Call it whenever no more commands are available. Without a writer thread this is
  // Commit().
  absl::Status Poll();

  // Poll() without handing over the open block: while more commands are available, blocks fill up
  // and are handed over anyway.
  absl::Status ReleaseAcknowledged();

  // OK, or the sticky error that every call returns.
  absl::Status status() const { return status_.ok() ? writer_.status() : status_; }

  // Whether this many more commands may be submitted without a wait for the writer thread. At most
  // a block's worth can be asked for. Without that thread there is no such wait: true.
  bool HasRoomFor(size_t command_count) const {
    return !writer_.has_second_thread() ||
           (writer_.HasRoom() && waiting_count_ + command_count < options_.group_commands);
  }

  // Whether any events wait for release.
  bool has_waiting() const { return waiting_count_ != 0; }

  // Whether any commands are not in the journal's file yet.
  bool has_unwritten() const { return writer_.written_sequence() + 1 < writer_.next_sequence(); }

  AckPolicy ack_policy() const { return writer_.ack_policy(); }
  const journal::Uuid& journal_uuid() const { return writer_.journal_uuid(); }

  // The time at which the next order expires, unless a command comes before; Timestamp::Max() if no
  // order expires.
  engine::SequenceNumber last_applied() const { return driver_.last_applied(); }
  engine::Timestamp next_expiry() const { return driver_.machine().NextTimer(); }

  // Takes effect from the next command on, and is logged in the journal.
  absl::Status SetAckPolicy(AckPolicy policy);

  // Commits, writes the final checkpoint and seals the journal. Returns that checkpoint, log digest
  // included.
  absl::StatusOr<journal::Checkpoint> Finish();

 private:
  // Commands that were applied but not released yet, in order, each with the end index of its
  // events. Nothing is added to a chunk once its release has begun, because a listener may submit.
  struct Chunk {
    std::vector<engine::Command> commands;
    std::vector<size_t> event_ends;
    std::vector<engine::Event> events;
    size_t released = 0;
    bool complete = false;

    // Keeps the capacity, unless it is very large.
    void Clear();
  };

  absl::Status MeetPolicy();
  void ApplyAndWait(const journal::Record& record);
  absl::Status ReleaseSome();
  void Release();
  journal::Checkpoint CheckpointHere() const;
  // Adds the checkpoint to the sidecar after those that wait. A full disk loses none: they wait.
  absl::Status Keep(const journal::Checkpoint& checkpoint);

  journal::Writer& writer_;
  journal::Sequencer sequencer_;
  journal::SidecarWriter& sidecar_;
  Driver& driver_;
  engine::EventListener& listener_;
  const Options options_;

  std::deque<journal::Checkpoint> unwritten_checkpoints_;
  std::deque<Chunk> waiting_;
  std::vector<Chunk> spare_chunks_;  // Empty, but keep their capacity.
  size_t waiting_count_ = 0;
  size_t until_release_;  // Commands until Submit() next calls Release().
  bool releasing_ = false;
  absl::Status status_;  // Sticky.
};

}  // namespace replay

#endif  // REPLAY_RECORDER_H_
