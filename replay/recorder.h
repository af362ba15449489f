// A run that is being recorded: commands in, events out once they may leave.
//
//   Submit ─► Sequencer ─► journal's open block ─► Driver ─► events wait ─► OnEvents
//             sequence,                            applies   until their record is acknowledged
//             timestamp                               └─► OnApplied
//
// No event leaves before its record meets the ack policy (J3). With a writer of one thread,
// Commit() writes or syncs, then releases; with one of two, Poll() releases what the other thread
// has brought that far. Digests of every checkpoint go to the journal's sidecar.

#ifndef REPLAY_RECORDER_H_
#define REPLAY_RECORDER_H_

#include <cstddef>
#include <cstdint>
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
#include "journal/sequencer.h"
#include "journal/writer.h"
#include "replay/driver.h"

namespace replay {

using journal::AckPolicy;

// Not thread-safe: owned by the sequencing thread. All references outlive it.
//
// Failure is sticky: after an error of the journal every call returns it, and no event is released
// any more. A disk that is full for the journal's reserve is none: commands are refused with
// RESOURCE_EXHAUSTED, cancels and reductions pass as long as the reserve lasts.
class Recorder final : public engine::CommandSink {
 public:
  struct Options {
    AckPolicy ack = AckPolicy::kWritten;
    // Commits by itself once so many commands wait. Range [1, 1 Mi]. More amortises a sync over
    // more; with two threads, it bounds the memory of what waits. What waits for nothing leaves
    // every few hundred commands.
    size_t group_commands = 4096;
  };

  // Goes on after driver.last_applied(), which is the last record of `writer`'s journal.
  Recorder(journal::Writer& writer, engine::Clock& clock, journal::SidecarWriter& sidecar,
           Driver& driver, engine::EventListener& listener, Options options);

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override;

  // Commands at hand that will be submitted, `coming` in order; see Machine::Prefetch. To be said
  // again every kPrefetchBatch of them.
  void Prefetch(std::span<const engine::Command> coming) const { driver_.Prefetch(coming); }

  // Makes everything submitted meet its policy, then releases its events, in order.
  absl::Status Commit();

  // Releases what is acknowledged by now, and hands over what has gathered; does not wait. To be
  // called whenever no more commands are at hand. Without a second thread it is Commit().
  absl::Status Poll();

  // Poll(), and hands nothing over: while more commands are at hand, blocks fill up by themselves.
  absl::Status ReleaseAcknowledged();

  // OK, or the error that every call returns.
  absl::Status status() const { return status_.ok() ? writer_.status() : status_; }

  // Whether events wait for their release.
  bool has_waiting() const { return waiting_count_ != 0; }

  // When the next order expires, unless a command comes before; the end of time where there is
  // none.
  engine::Timestamp next_expiry() const { return driver_.machine().NextExpiry(); }

  // From the next command on; logged in the journal.
  absl::Status SetAckPolicy(AckPolicy policy);

  // Commit, the final checkpoint, and the seal. Returns the final checkpoint, log digest included.
  absl::StatusOr<journal::Checkpoint> Finish();

 private:
  // Commands that were applied and not released yet, in order, each with the end of its events.
  // Nothing is added once its release has begun: a listener may submit.
  struct Chunk {
    std::vector<engine::Command> commands;
    std::vector<size_t> event_ends;
    std::vector<engine::Event> events;
    size_t released = 0;
    bool complete = false;
  };

  absl::Status MeetPolicy();
  void Wait(const engine::Command& command, std::span<const engine::Event> events);
  absl::Status ReleaseSome();
  void Release();
  journal::Checkpoint CheckpointHere() const;
  // Adds it to the sidecar behind those that wait; none is lost to a disk that is full for now.
  absl::Status Keep(const journal::Checkpoint& checkpoint);

  journal::Writer& writer_;
  journal::Sequencer sequencer_;
  journal::SidecarWriter& sidecar_;
  Driver& driver_;
  engine::EventListener& listener_;
  const Options options_;

  std::deque<journal::Checkpoint> unwritten_checkpoints_;
  std::deque<Chunk> waiting_;
  std::vector<Chunk> spare_chunks_;  // Empty, with their memory.
  size_t waiting_count_ = 0;
  size_t until_release_;  // So many more are submitted before a look at what may leave.
  bool releasing_ = false;
  absl::Status status_;  // Sticky.
};

}  // namespace replay

#endif  // REPLAY_RECORDER_H_
