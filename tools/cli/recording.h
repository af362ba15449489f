// A journal on disk that is being recorded, with everything a recorder needs, wired once.
//
//   commands ─► Recorder ─► Sequencer ─► Writer ─► PATH/segment-*.tape
//                  └─► Driver ─► ExchangeMachine    PATH/checkpoints.trace

#ifndef TOOLS_CLI_RECORDING_H_
#define TOOLS_CLI_RECORDING_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/recorder.h"
#include "tools/cli/console.h"

namespace tools {

// Not thread-safe: owned by the verb.
class Recording {
 public:
  struct Options {
    std::string path;
    std::string created_by;  // The command line.
    replay::Recorder::Options recorder;
    journal::WriterOptions writer;
    replay::EngineKind engine = replay::EngineKind::kFast;
  };

  // Begins a journal at a path where there is nothing. `clock` and `listener` outlive it.
  // Errors: ALREADY_EXISTS and the storage's, with the path.
  static absl::StatusOr<std::unique_ptr<Recording>> Create(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener);

  using History = absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)>;

  // Goes on with the journal at the path: recovers it, and replays it into the engine with progress
  // on `console`. What was recorded before goes to `history`, not to the listener.
  // Errors: NOT_FOUND, DATA_LOSS (damaged: nothing was changed), the storage's.
  static absl::StatusOr<std::unique_ptr<Recording>> Resume(const Options& options,
                                                           engine::Clock& clock,
                                                           engine::EventListener& listener,
                                                           Console& console, History history);

  replay::Recorder& recorder() { return *recorder_; }
  const journal::Writer& writer() const { return *writer_; }
  const replay::Driver& driver() const { return driver_; }
  const replay::Machine& machine() const { return *machine_; }

 private:
  explicit Recording(replay::EngineKind engine)
      : machine_(replay::MakeEngine(engine)), driver_(*machine_) {}
  absl::Status Replay(Console& console, History history);

  // Later members refer to earlier ones.
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  std::unique_ptr<replay::Machine> machine_;
  replay::Driver driver_;
  std::unique_ptr<replay::Recorder> recorder_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORDING_H_
