// A run that is being recorded: commands in, events out once they may leave.
//
//   Submit ─► Sequencer ─► journal's open block ─► Driver ─► events wait ─► Commit ─► EventListener
//             sequence,                            applies                  Write or
//             timestamp                                                     Sync first
//
// No event leaves before its record meets the ack policy (J3). Digests of every checkpoint go to
// the journal's sidecar.

#ifndef REPLAY_RECORDER_H_
#define REPLAY_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
#include "journal/sequencer.h"
#include "journal/writer.h"
#include "replay/driver.h"

namespace replay {

// What must hold of a record before its events may be known to anyone outside.
enum class AckPolicy {
  kNone,     // Nothing: a crash of the process may take back what was said.
  kWritten,  // The operating system has it: it survives the process.
  kDisk,     // It is on the medium: it survives the machine.
};

// Not thread-safe: owned by the sequencing thread. All references outlive it.
//
// Failure is sticky: after an error of the journal every call returns it, and no event is released
// any more.
class Recorder final : public engine::CommandSink {
 public:
  struct Options {
    AckPolicy ack = AckPolicy::kWritten;
    // Commits by itself after so many commands. Range [1, 1 Mi]. More amortises a sync over more.
    size_t group_commands = 4096;
  };

  // Goes on after driver.last_applied(), which is the last record of `writer`'s journal.
  Recorder(journal::Writer& writer, engine::Clock& clock, journal::SidecarWriter& sidecar,
           Driver& driver, engine::EventListener& listener, Options options);

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override;

  // Makes everything submitted meet the policy, then releases its events, in order.
  absl::Status Commit();

  // Commit, the final checkpoint, and the seal. Returns the final checkpoint, log digest included.
  absl::StatusOr<journal::Checkpoint> Finish();

 private:
  absl::Status MeetPolicy();
  void Release();
  journal::Checkpoint CheckpointHere() const;

  journal::Writer& writer_;
  journal::Sequencer sequencer_;
  journal::SidecarWriter& sidecar_;
  Driver& driver_;
  engine::EventListener& listener_;
  const Options options_;

  // Applied, not released yet: commands in order, each with how many of the events are its own.
  std::vector<engine::Command> waiting_commands_;
  std::vector<size_t> waiting_event_counts_;
  std::vector<engine::Event> waiting_events_;
  absl::Status status_;  // Sticky.
};

}  // namespace replay

#endif  // REPLAY_RECORDER_H_
