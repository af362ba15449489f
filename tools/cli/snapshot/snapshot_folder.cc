#include "tools/cli/snapshot/snapshot_folder.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/prefix_digests.h"
#include "journal/storage/posix_storage.h"
#include "replay/snapshot/snapshot_store.h"

namespace tools {
namespace {

std::string PathOf(absl::string_view journal_path) {
  return absl::StrCat(journal_path, "/", replay::kSnapshotFolder);
}

}  // namespace

absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshots(absl::string_view journal_path) {
  auto opened =
      journal::OpenPosixDirectory(PathOf(journal_path), journal::DirectoryMode::kReadOnly);
  if (absl::IsNotFound(opened.status())) return nullptr;
  return opened;
}

absl::StatusOr<std::unique_ptr<journal::Directory>> OpenSnapshotsForWriting(
    absl::string_view journal_path) {
  const std::string path = PathOf(journal_path);
  auto opened = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadWrite);
  if (!absl::IsNotFound(opened.status())) return opened;
  return journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate);
}

absl::StatusOr<replay::StartingPoint> StartFromSnapshot(const journal::Directory& directory,
                                                        const journal::JournalInfo& info,
                                                        engine::SequenceNumber at_most,
                                                        replay::MachineFactory make,
                                                        Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  journal::PrefixDigests digests(directory);
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   replay::FindStart(snapshots.get(), digests, info, at_most, make));
  for (const std::string& warning : start.warnings) console.Note("warning: ", warning);
  return start;
}

absl::StatusOr<engine::SequenceNumber> OldestStart(const journal::Directory& directory,
                                                   const journal::JournalInfo& info) {
  if (info.first_sequence <= engine::SequenceNumber::First()) return engine::SequenceNumber();
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  if (snapshots == nullptr) return info.last_sequence;
  ASSIGN_OR_RETURN(std::vector<replay::Snapshot> oldest_first,
                   replay::ListSnapshots(*snapshots, info.uuid));
  std::reverse(oldest_first.begin(), oldest_first.end());
  journal::PrefixDigests digests(directory);
  for (const replay::Snapshot& snapshot : oldest_first) {
    if (!snapshot.is_proven_and_whole() || snapshot.sequence.Next() < info.first_sequence ||
        snapshot.sequence > info.last_sequence) {
      continue;
    }
    const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
    if (is_of_journal.ok()) return snapshot.sequence;
    if (!absl::IsFailedPrecondition(is_of_journal)) return is_of_journal;
  }
  return info.last_sequence;
}

}  // namespace tools
