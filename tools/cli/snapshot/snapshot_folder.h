// The folder of a journal's snapshots, and the state that they and the journal give together.

#ifndef TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLDER_H_
#define TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLDER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/journal_info.h"
#include "journal/storage/storage.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/console.h"

namespace tools {

// Null when there is none: no snapshot was ever taken. Errors: the storage's.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshots(absl::string_view journal_path);

// Makes it if need be.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshotsForWriting(
    absl::string_view journal_path);

// replay::FindStart over the journal's folder; what was passed over is noted on `console`.
absl::StatusOr<replay::StartingPoint> StartFromSnapshot(const journal::Directory& directory,
                                                        const journal::JournalInfo& info,
                                                        engine::SequenceNumber at_most,
                                                        replay::MachineFactory make,
                                                        Console& console);

// Where the longest replay of the journal begins: 0 where its first record is there, else at the
// oldest snapshot of this log that looks whole, or the journal's end where none does. Errors: the
// storage's.
absl::StatusOr<engine::SequenceNumber> OldestStart(const journal::Directory& directory,
                                                   const journal::JournalInfo& info);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLDER_H_
