// A journal on disk that is being recorded, with everything a recorder needs, wired once.
//
//   commands ─► Recorder ─► Sequencer ─► Writer ─► PATH/segment-*.tape
//                  └─► Driver ─► ExchangeMachine    PATH/checkpoints.trace
//
// With two threads the second one compresses, writes and syncs; nothing else knows of it.

#ifndef TOOLS_CLI_RECORD_RECORDING_H_
#define TOOLS_CLI_RECORD_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
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
#include "tools/cli/base/progress.h"
#include "tools/os/futex_doorbell.h"
#include "tools/os/input.h"
#include "tools/os/input_doorbell.h"
#include "tools/os/monotonic_clock.h"
#include "tools/os/stopwatch.h"
#include "tools/os/thread.h"

namespace tools {

// Not thread-safe: owned by the verb. Destroyed before it has finished, it leaves what a crash
// leaves.
class Recording {
 public:
  struct Options {
    std::string path;
    std::string created_by;  // The command line.
    replay::Recorder::Options recorder;
    journal::WriterOptions writer;  // Its `threads` is set here.
    int thread_count = 1;           // Range [1, 2].
    bool is_live = false;           // `clock` shows the real time: orders expire in pauses too.
    replay::EngineKind engine = replay::EngineKind::kFast;
  };

  // Begins a journal at a path where there is nothing. `clock` and `listener` outlive it.
  // Errors: ALREADY_EXISTS and the storage's, with the path.
  static absl::StatusOr<std::unique_ptr<Recording>> Create(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener);

  using History = absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)>;

  // The machine as it is where `history` begins, and the journal and its folder; not where that is
  // the first record.
  using OnRestored = absl::FunctionRef<absl::Status(const replay::Machine&, journal::Reader&,
                                                    const journal::Directory&)>;

  // Goes on with the journal at the path: recovers it, and brings the engine to its end, from the
  // newest usable snapshot before `history`, or the first record, with progress on `console`. What
  // was recorded goes to `history`, not to the listener: the last kHistoryRecords, or fewer where
  // those before are deleted and the snapshots there cannot be used. Errors: NOT_FOUND, DATA_LOSS
  // (damaged, or it ends before what a snapshot was taken of: nothing was changed; nor where what
  // is replayed is damaged: the engine is brought back before the first write), FAILED_PRECONDITION
  // (it begins later than its first record, and there is no usable snapshot), the storage's.
  static constexpr uint64_t kHistoryRecords = 1 << 14;
  static absl::StatusOr<std::unique_ptr<Recording>> Resume(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener,
                                                           Console& console, OnRestored on_restored,
                                                           History history);

  // What is to be done while no input is there. What has gathered goes on its way, and what may
  // leave leaves; in a pause the journal is made durable (a writer with a thread of its own does so
  // by itself), and in a live run orders expire. Returns once `input` is ready, or nothing is left
  // to do until it is. `turn` is called after each time something may have left, and before a clock
  // is read.
  absl::Status AwaitInput(const Input& input, absl::FunctionRef<void()> turn);

  // Waits until more may leave than at the last Poll(), or for a while. REQUIRES: something waits,
  // and the writer has a thread of its own.
  void AwaitRelease();

  // Of the snapshot that Resume began with; nullopt where it began with the first record.
  const std::optional<engine::SequenceNumber>& snapshot() const { return snapshot_; }

  replay::Recorder& recorder() { return *recorder_; }
  const journal::Writer& writer() const { return *writer_; }
  const replay::Driver& driver() const { return *driver_; }
  const replay::Machine& machine() const { return *machine_; }

 private:
  Recording() = default;
  absl::StatusOr<journal::WriterOptions> PrepareThreads(const Options& options);
  // Makes durable what is only written, and says so in the journal, once no input has come for a
  // while.
  absl::Status HeartbeatUnless(const Input& input);
  absl::Status Begin(const Options& options, engine::Clock& clock, engine::EventListener& listener);
  absl::Status Restore(const Options& options, Console& console, OnRestored on_restored,
                       History history);
  absl::Status ReplaySilently(engine::SequenceNumber last, journal::Reader& reader,
                              Progress& progress);
  absl::Status ReplayUpTo(engine::SequenceNumber last, journal::Reader& reader, Progress& progress,
                          History history);

  // Later members refer to earlier ones.
  MonotonicClock steady_clock_;
  std::unique_ptr<InputDoorbell> sequencing_;
  std::unique_ptr<FutexDoorbell> writing_;
  std::optional<journal::WriterThreads> threads_;
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  std::unique_ptr<replay::Machine> machine_;
  std::optional<replay::Driver> driver_;
  std::unique_ptr<replay::Recorder> recorder_;
  std::optional<replay::ExpiryTimer> expiry_timer_;  // Of a live run.
  std::optional<engine::SequenceNumber> snapshot_;
  std::optional<Stopwatch> since_pause_sync_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_H_
