// The snapshots of a journal: where a replay can start, what a deletion may rely on, and which
// records and markets they prove to have existed.

#ifndef TOOLS_CLI_READ_SNAPSHOTS_H_
#define TOOLS_CLI_READ_SNAPSHOTS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "journal/journal_info.h"
#include "journal/maintenance/retention.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"
#include "replay/engines.h"
#include "replay/market_follower.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/console.h"

namespace tools {

// Returns null if there is no such folder: no snapshot was ever taken. Errors: the storage's.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshots(absl::string_view journal_path);

// Creates the folder if necessary.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshotsForWriting(
    absl::string_view journal_path);

// Returns the state of a new engine of the journal's application at the newest usable snapshot at
// or before `at_most`, or before the first record; prints a note for each snapshot that is skipped.
// Errors: as MakeMachineFor and replay::FindStart.
absl::StatusOr<replay::StartingPoint> StartFromSnapshot(
    const journal::Directory& directory, const journal::JournalInfo& info,
    engine::SequenceNumber at_most, replay::EngineKind engine, Console& console,
    replay::WithMemory with_memory = replay::WithMemory::kNo);

// Returns where the longest possible replay of the journal begins: 0 if its first record exists,
// else the oldest snapshot of this log that looks whole, or the journal's end if there is none.
// Errors: the storage's.
absl::StatusOr<engine::SequenceNumber> OldestStart(const journal::Directory& directory,
                                                   const journal::JournalInfo& info);

// Returns the sequence numbers of the journal's snapshots that have been restored and compared, are
// whole and not beyond its end. The two newest are read completely, and their log digests compared
// with the journal's, because deletion cannot be undone. Unless the journal has lost it, they have
// what a venue remembers. Errors: the storage's and the reader's.
absl::StatusOr<journal::EligibleSnapshots> FindEligibleSnapshots(
    const journal::Directory& directory);

// Returns the end implied by the newest snapshot that was restored and compared; empty if there is
// no such snapshot, or no journal that can be opened. Call it before determining the journal's end,
// because a writer may be active. Errors: the storage's.
absl::StatusOr<std::vector<journal::ExpectedEnd>> FindExpectedEnds(
    const journal::Directory& directory);

// For a process that will append: ensures that it does not reuse the numbers of records that a
// snapshot covers. Errors: DATA_LOSS if the journal ends before them, with instructions; the
// storage's. Returns OK if the journal is DAMAGED or does not exist.
absl::Status CheckEndsAfterSnapshots(const journal::Directory& directory);

// Adds the markets of a pruned journal whose definitions were deleted with its first segments, from
// its snapshots. Does nothing if the journal begins with its first record. If no snapshot can be
// used, prints a note, and output has numbers instead of symbols. Errors: the storage's.
absl::Status AddDeletedMarkets(const journal::Directory& directory,
                               const journal::JournalInfo& info, Console& console,
                               replay::MarketFollower& markets);

}  // namespace tools

#endif  // TOOLS_CLI_READ_SNAPSHOTS_H_
