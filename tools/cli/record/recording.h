// A journal on disk that is being recorded, with all parts of a recorder connected.
//
//   commands ─► Recorder ─► Sequencer ─► Writer ─► PATH/segment-*.tape
//                  └─► Driver ─► ExchangeMachine    PATH/checkpoints.trace
//
// With two threads, the second one compresses, writes and syncs; no other part is affected.

#ifndef TOOLS_CLI_RECORD_RECORDING_H_
#define TOOLS_CLI_RECORD_RECORDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/doorbell.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/views/venue_memory.h"
#include "journal/digest_sidecar.h"
#include "journal/guarded_clock.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/expiry_timer.h"
#include "replay/machine.h"
#include "replay/recorder.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/input.h"
#include "tools/os/thread.h"

namespace tools {

// Not thread-safe: owned by the verb. If it is destroyed before it has finished, the journal is
// left as after a crash.
class Recording {
 public:
  static constexpr uint64_t kHistoryRecords = 1 << 14;

  struct Options {
    std::string path;
    std::string created_by;      // The command line.
    std::string time_zone = {};  // See journal::JournalMetadata.
    replay::Recorder::Options recorder;
    journal::WriterOptions writer;  // `threads` is set by Recording.
    int thread_count = 1;           // Range [1, 2].
    // Rung when events may be released, instead of a doorbell that waits for an Input; outlives the
    // recording. For a program with a loop of its own.
    engine::Doorbell* bell = nullptr;
    bool is_venue = false;  // Its history begins with what a venue remembers, see Resume().
    // Its history begins with record 1. A journal that has lost it is not resumed:
    // FAILED_PRECONDITION.
    bool needs_whole_history = false;
    bool is_live = false;  // `clock` shows the real time: orders also expire in pauses.
    replay::EngineKind engine = replay::EngineKind::kFast;
  };

  // Creates a journal; nothing may exist at its path. `clock` and `listener` outlive it. Errors:
  // ALREADY_EXISTS and the storage's, with the path.
  static absl::StatusOr<std::unique_ptr<Recording>> Create(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener);

  // Receives what a journal that is resumed holds.
  class HistoryListener {
   public:
    virtual ~HistoryListener() = default;

    struct Restored {
      const replay::Machine& machine;  // In the state where the history begins.
      journal::Reader& reader;
      const journal::Directory& directory;  // Of the journal.
      engine::VenueMemory& memory;          // Of a venue; may be moved from.
    };

    // Not called if the history begins with the first record.
    virtual absl::Status OnRestored(const Restored& restored) = 0;
    virtual void OnHistory(const journal::Record& record,
                           std::span<const engine::Event> events) = 0;
  };

  // An exchange that was brought back.
  struct State {
    std::unique_ptr<replay::Machine> machine;
    std::optional<replay::Driver> driver;            // Of the machine.
    std::optional<engine::SequenceNumber> snapshot;  // Where it was loaded from.
  };

  // Brings `state` to the record `last` of the journal, as Resume() does. Errors: as Resume().
  static absl::Status Restore(const Options& options, journal::Reader& reader,
                              const journal::Directory& directory, engine::SequenceNumber last,
                              HistoryListener& history, Console& console, State& state);

  // Resumes the journal at the path: recovers it and replays it to its end, from the newest usable
  // snapshot before the history or from the first record, with progress on `console`. Recorded
  // commands and events go to `history`, not to the listener: the last kHistoryRecords, or fewer if
  // the records before them are deleted and the snapshots there cannot be used. A venue gets all
  // since a snapshot that has its memory, so that it forgets nothing. Nothing is changed
  // on disk until the replay has succeeded. Errors: NOT_FOUND, DATA_LOSS (the journal is damaged,
  // or ends before a record that a snapshot covers), FAILED_PRECONDITION (it does not begin with
  // record 1, and there is no usable snapshot), the storage's.
  static absl::StatusOr<std::unique_ptr<Recording>> Resume(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener,
                                                           HistoryListener& history,
                                                           Console& console);

  // Does pending work while there is no input: pushes buffered records on, releases acknowledged
  // replies, and, in a pause, makes the journal durable (a writer with its own thread does that
  // itself) and, in a live run, expires orders. Returns once `input` is ready, or when no work is
  // left until it is. Calls `turn` each time replies may have been released, and before reading a
  // clock.
  absl::Status AwaitInput(const Input& input, absl::FunctionRef<void()> turn);

  // Waits until more replies may be released than at the last Poll(), or for at most a second.
  // REQUIRES: some are waiting, and the writer has its own thread.
  void AwaitRelease();

  // As Recorder::Finish().
  absl::StatusOr<journal::Checkpoint> Finish() { return recorder_->Finish(); }

  // The snapshot that Resume() started from; nullopt if it started from the first record.
  const std::optional<engine::SequenceNumber>& snapshot() const { return state_.snapshot; }

  replay::Recorder& recorder() { return *recorder_; }
  const journal::Writer& writer() const { return *writer_; }
  const replay::Driver& driver() const { return *state_.driver; }
  const replay::Machine& machine() const { return *state_.machine; }

 private:
  Recording() = default;
  absl::StatusOr<journal::WriterOptions> PrepareThreads(const Options& options);
  // If no input arrives for a few milliseconds, makes all written records durable and writes a
  // heartbeat to the journal.
  absl::Status HeartbeatUnless(const Input& input);
  absl::Status Begin(const Options& options, engine::Clock& clock, engine::EventListener& listener);
  // Restores the journal that the writer opens.
  absl::Status RestoreAll(const Options& options, HistoryListener& history, Console& console);

  // Later members refer to earlier ones.
  MonotonicClock steady_clock_;
  std::unique_ptr<InputDoorbell> sequencing_;
  std::unique_ptr<FutexDoorbell> writing_;
  std::optional<journal::WriterThreads> threads_;
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  State state_;
  std::unique_ptr<replay::Recorder> recorder_;
  std::optional<replay::ExpiryTimer> expiry_timer_;  // Live runs only.
  std::optional<Stopwatch> since_pause_sync_;
  std::unique_ptr<Thread> thread_;
};

enum class Booking { kMatched, kMirrored };

// Adds the counts and digests of a recording that took `seconds` and ended at `last`. `booking` is
// what became of its orders.
void AddRecording(Report& report, const Recording& recording, const journal::Checkpoint& last,
                  double seconds, Booking booking = Booking::kMatched);

// The options of every verb that writes a journal.
struct RecordingOptions {
  void Declare(Options& options, bool path_is_required);
  // The same without the journal's path and without --threads, for a program that has both.
  void DeclareHow(Options& options);
  // `created_by` is the command line.
  Recording::Options Get(const std::string& created_by) const;

  Recording::Options recording;  // Get() completes it.
  std::optional<uint64_t> reserve_bytes;
  std::optional<int> thread_count;
  int64_t clock_jump_seconds_max = 86'400;
};

// The real time for a live session, without readings that jump ahead. Not thread-safe: owned by the
// verb. Warns on `console`, which outlives it.
class LiveClock final : public engine::Clock {
 public:
  LiveClock(int64_t jump_seconds_max, Console& console)
      : guarded_(system_, steady_, jump_seconds_max * 1'000'000'000,
                 [&console, jump_seconds_max](engine::Timestamp refused, engine::Timestamp used) {
                   console.Error(
                       absl::StrCat("warning: the clock says ", refused.ToString(), ", more than ",
                                    HumanSeconds(static_cast<double>(jump_seconds_max)),
                                    " ahead of its last value: not used; commands are stamped ",
                                    used.ToString(), " until it is right (--max-clock-jump)\n"));
                 }) {}

  engine::Timestamp Now() override { return guarded_.Now(); }

 private:
  SystemClock system_;
  MonotonicClock steady_;
  journal::GuardedClock guarded_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_H_
