// The loop of `record`: takes an input to its end, or until it is interrupted, and seals the
// journal.

#ifndef TOOLS_CLI_RECORD_RECORD_INPUT_H_
#define TOOLS_CLI_RECORD_RECORD_INPUT_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/wire/decompressor.h"
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
  // OK, or DATA_LOSS with an offset: the compressed input is damaged there. What came before was
  // given to `take`, which was not called with the end.
  absl::Status damage = absl::OkStatus();

  // Whether the input, with this status, was of no use.
  bool IsNothing(const absl::Status& input_status) const {
    return last.sequence.value() == 0 && !(input_status.ok() && damage.ok());
  }
};

// Whether the input goes on after a chunk; an empty one is the end.
using TakeChunk = absl::FunctionRef<absl::StatusOr<bool>(engine::Bytes)>;

// Gives `take` the input in chunks, the last one empty, until it returns false; then ends the
// recording. An interrupt ends it without the empty chunk. While there is no input, pending work is
// completed first. Errors: those of reading, of the journal and of `take`.
template <typename Session>
absl::StatusOr<Recorded> RecordInput(Input& input, Session& recording, Console& console,
                                     TakeChunk take) {
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

// The same for input that may be compressed: `take` gets the plain bytes.
template <typename Session>
absl::StatusOr<Recorded> RecordPlainInput(Input& input, Session& recording, Console& console,
                                          TakeChunk take) {
  engine::Decompressor plain;
  absl::Status damage;
  const auto take_compressed = [&](engine::Bytes chunk) -> absl::StatusOr<bool> {
    plain.Feed(chunk);
    while (true) {
      const absl::StatusOr<engine::Bytes> piece = plain.Next();
      damage = piece.status();
      if (!piece.ok()) return false;
      if (piece->empty()) break;
      ASSIGN_OR_RETURN(const bool goes_on, take(*piece));
      if (!goes_on) return false;
    }
    return chunk.empty() ? take(chunk) : true;
  };
  ASSIGN_OR_RETURN(Recorded recorded, RecordInput(input, recording, console, take_compressed));
  recorded.damage = damage;
  return recorded;
}

// DATA_LOSS of input that has left no journal.
inline absl::Status NothingRecorded(absl::string_view why, absl::string_view path) {
  return absl::DataLossError(absl::StrCat(why, "\nNothing is recorded: ", path, " is not there"));
}

// Of a table nothing is kept if it is malformed; `input_status` names the file. Errors: DATA_LOSS
// that says so, and why.
inline absl::Status CheckTable(const Input& input, const Recorded& recorded,
                               const absl::Status& input_status, const std::string& path) {
  if (recorded.damage.ok() && input_status.ok()) return absl::OkStatus();
  const std::string why = recorded.damage.ok()
                              ? std::string(input_status.message())
                              : absl::StrCat(input.name(), ": ", recorded.damage.message());
  return NothingRecorded(why, path);
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
