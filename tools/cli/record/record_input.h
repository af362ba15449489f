// The loop of `record`: takes an input to its end, or until it is interrupted, and seals the
// journal.

#ifndef TOOLS_CLI_RECORD_RECORD_INPUT_H_
#define TOOLS_CLI_RECORD_RECORD_INPUT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/os/input.h"

namespace tools {

// What was recorded. A regular value type.
struct Recorded {
  journal::Checkpoint last;  // After the last command.
  double seconds = 0;
  bool interrupted = false;  // By a signal, before the end of the input.
};

// Gives `take` the input in chunks, the last one empty, until it returns false; then ends the
// recording. An interrupt ends it without the empty chunk. While there is no input, pending work is
// completed first. Errors: those of reading, of the journal and of `take`.
template <typename Session>
absl::StatusOr<Recorded> RecordInput(Input& input, Session& recording, Console& console,
                                     absl::FunctionRef<absl::StatusOr<bool>(engine::Bytes)> take) {
  Progress progress(console, "record", "bytes", input.size_bytes());
  uint64_t bytes_read = 0;
  bool interrupted = false;
  while (true) {
    if (!input.IsReady()) RETURN_IF_ERROR(recording.AwaitInput(input, [] {}));
    ASSIGN_OR_RETURN(const engine::Bytes chunk, input.Read());
    interrupted = input.interrupted();
    if (interrupted) break;
    ASSIGN_OR_RETURN(const bool goes_on, take(chunk));
    if (!goes_on) break;
    bytes_read += chunk.size();
    progress.Show(bytes_read);
  }
  ASSIGN_OR_RETURN(const journal::Checkpoint last, recording.Finish());
  return Recorded{.last = last, .seconds = progress.Seconds(), .interrupted = interrupted};
}

// Says where an interrupt ended the recording.
inline void AddInterrupted(Report& report, const Recorded& recorded) {
  if (recorded.interrupted) {
    report.Row("interrupted", "after @", recorded.last.sequence, "; the journal is sealed");
  }
  report.Field("interrupted", recorded.interrupted);
}

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORD_INPUT_H_
