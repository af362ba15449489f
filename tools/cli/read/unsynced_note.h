// Notes when a follower of durable records cannot show records that are written but not yet
// durable.
//
//   shown     └───────────────┘
//   written   └─────────────────────────────┘  for a while: "… are written, and not durable yet …"

#ifndef TOOLS_CLI_READ_UNSYNCED_NOTE_H_
#define TOOLS_CLI_READ_UNSYNCED_NOTE_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"

namespace tools {

// Not thread-safe: owned by its follower.
class UnsyncedNote {
 public:
  // Call it whenever there is nothing left to show, with the time in seconds of some clock and the
  // last record shown. Returns the note, once: if some time ago there were records after `shown`,
  // and there still are. `written` returns the last record that exists, and is called rarely.
  std::optional<std::string> Look(double seconds, engine::SequenceNumber shown,
                                  absl::FunctionRef<engine::SequenceNumber()> written);

 private:
  bool has_said_ = false;
  engine::SequenceNumber shown_;  // The last record shown, and …
  bool was_behind_ = false;       // … whether there were records after it at the last check.
  double next_look_ = 0;
  double pause_ = 0;
};

// Returns the last record that can be read in `directory`; 0 if there is none.
engine::SequenceNumber LastWritten(const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_READ_UNSYNCED_NOTE_H_
