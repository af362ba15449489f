// A follower that shows what is durable shows nothing of records that are only written. It says so.
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

// Not thread-safe: owned by whoever follows.
class UnsyncedNote {
 public:
  // To be called whenever nothing is left to show, at `seconds` of some clock; `shown` is the last
  // record that was. Returns what to say, once: where records behind it were there a while ago, and
  // still cannot be shown. `written` finds the last one that is there, and is called seldom.
  std::optional<std::string> Look(double seconds, engine::SequenceNumber shown,
                                  absl::FunctionRef<engine::SequenceNumber()> written);

 private:
  bool has_said_ = false;
  engine::SequenceNumber shown_;  // Since when nothing more could be shown, and …
  bool was_behind_ = false;       // … whether there was more the last time it was asked.
  double next_look_ = 0;
  double pause_ = 0;
};

// The last record that can be read in `directory`; 0 where none can.
engine::SequenceNumber LastWritten(const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_READ_UNSYNCED_NOTE_H_
