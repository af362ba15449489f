// The folder of a journal's snapshots, and the states that can be restored from it.

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

// Returns null if there is no such folder: no snapshot was ever taken. Errors: the storage's.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshots(absl::string_view journal_path);

// Creates the folder if necessary.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshotsForWriting(
    absl::string_view journal_path);

// Calls replay::FindStart on the journal's snapshot folder; prints a note for each snapshot that it
// skipped.
absl::StatusOr<replay::StartingPoint> StartFromSnapshot(const journal::Directory& directory,
                                                        const journal::JournalInfo& info,
                                                        engine::SequenceNumber at_most,
                                                        replay::MachineFactory make,
                                                        Console& console);

// Returns where the longest possible replay of the journal begins: 0 if its first record exists,
// else the oldest snapshot of this log that looks whole, or the journal's end if there is none.
// Errors: the storage's.
absl::StatusOr<engine::SequenceNumber> OldestStart(const journal::Directory& directory,
                                                   const journal::JournalInfo& info);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLDER_H_
