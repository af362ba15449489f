#include "tools/cli/read/snapshots.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "replay/semantics_version.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "tools/cli/base/applications.h"

namespace tools {
namespace {

std::string PathOf(absl::string_view journal_path) {
  return absl::StrCat(journal_path, "/", replay::kSnapshotFolder);
}

// Returns the journal's snapshots that have been restored and compared, and look whole, newest
// first. `snapshots` may be null.
absl::StatusOr<std::vector<replay::Snapshot>> ListProven(const journal::Directory* snapshots,
                                                         const journal::Uuid& journal) {
  std::vector<replay::Snapshot> proven;
  if (snapshots == nullptr) return proven;
  ASSIGN_OR_RETURN(proven, replay::ListSnapshots(*snapshots, journal));
  std::erase_if(proven, [](const auto& snapshot) { return !snapshot.is_proven_and_whole(); });
  return proven;
}

// The number of snapshots that a deletion relies on.
constexpr size_t kReadThrough = 2;

bool IsWhole(const journal::Directory& snapshots, const replay::Snapshot& snapshot) {
  const auto reader = replay::SnapshotFileReader::Open(snapshots, snapshot.file_name);
  if (!reader.ok()) return false;
  while (true) {
    const absl::StatusOr<std::optional<engine::Bytes>> part = (*reader)->Next();
    if (!part.ok()) return false;
    if (!part->has_value()) return true;
  }
}

using ExpectedEnds = std::vector<journal::ExpectedEnd>;

absl::StatusOr<ExpectedEnds> ExpectedEndsOf(const journal::JournalInfo& info) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(info.path));
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> newest_first,
                   ListProven(snapshots.get(), info.uuid));
  if (newest_first.empty()) return ExpectedEnds();
  const engine::SequenceNumber newest = newest_first.front().sequence;
  return ExpectedEnds{
      {.sequence = newest, .who = absl::StrCat("the snapshot at ", newest.value())}};
}

bool EndsBefore(const journal::JournalInfo& info, const journal::ExpectedEnd& expected_end) {
  return info.verdict != journal::Verdict::kDamaged && info.last_sequence < expected_end.sequence;
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
                                                        replay::EngineKind engine, Console& console,
                                                        replay::WithMemory with_memory) {
  RETURN_IF_ERROR(MakeMachineFor(info, engine).status());
  const replay::Application& application = *FindApplication(info.metadata);
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  journal::PrefixDigests digests(directory);
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   replay::FindStart(
                       snapshots.get(), digests, info, at_most,
                       [&] { return application.make_machine(engine); }, with_memory));
  for (const std::string& warning : start.warnings) console.Note("warning: ", warning);
  return start;
}

absl::StatusOr<engine::SequenceNumber> OldestStart(const journal::Directory& directory,
                                                   const journal::JournalInfo& info) {
  if (info.first_sequence <= engine::SequenceNumber::First()) return engine::SequenceNumber();
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  ASSIGN_OR_RETURN(std::vector<replay::Snapshot> proven, ListProven(snapshots.get(), info.uuid));
  std::ranges::reverse(proven);  // Oldest first.
  journal::PrefixDigests digests(directory);
  for (const replay::Snapshot& snapshot : proven) {
    if (snapshot.sequence.Next() < info.first_sequence || snapshot.sequence > info.last_sequence) {
      continue;
    }
    const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
    if (is_of_journal.ok()) return snapshot.sequence;
    if (!absl::IsFailedPrecondition(is_of_journal)) return is_of_journal;
  }
  return info.last_sequence;
}

absl::StatusOr<journal::EligibleSnapshots> FindEligibleSnapshots(
    const journal::Directory& directory) {
  journal::EligibleSnapshots eligible;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  if (snapshots == nullptr) return eligible;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> newest_first,
                   ListProven(snapshots.get(), reader->info().uuid));
  // What is deleted can be remembered only now; in a journal that has lost it, nothing can.
  const bool needs_memory = reader->info().first_sequence <= engine::SequenceNumber::First() ||
                            std::ranges::any_of(newest_first, &replay::Snapshot::has_memory);
  journal::PrefixDigests digests(directory);
  for (const replay::Snapshot& snapshot : newest_first) {
    if (snapshot.sequence > reader->info().last_readable ||
        snapshot.header.semantics_version != replay::kSemanticsVersion) {
      continue;
    }
    if (needs_memory && !snapshot.has_memory) continue;
    if (eligible.size() < kReadThrough) {
      const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
      if (absl::IsFailedPrecondition(is_of_journal)) continue;
      RETURN_IF_ERROR(is_of_journal);
      if (!IsWhole(*snapshots, snapshot)) continue;
      if (needs_memory && !replay::ReadMemory(*snapshots, snapshot.header).ok()) continue;
    }
    eligible.push_back(snapshot.sequence);
  }
  return eligible;
}

absl::StatusOr<std::vector<journal::ExpectedEnd>> FindExpectedEnds(
    const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory);
  if (!reader.ok()) return ExpectedEnds();
  return ExpectedEndsOf((*reader)->info());
}

absl::Status CheckEndsAfterSnapshots(const journal::Directory& directory) {
  const auto before = journal::Reader::Open(directory);
  if (!before.ok()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const ExpectedEnds expected_ends, ExpectedEndsOf((*before)->info()));
  if (expected_ends.empty()) return absl::OkStatus();
  const journal::ExpectedEnd& newest = expected_ends.front();
  if (!EndsBefore((*before)->info(), newest)) return absl::OkStatus();
  // A writer may have appended between listing the snapshots and reading the journal's end.
  const auto reader = journal::Reader::Open(directory);
  if (!reader.ok()) return absl::OkStatus();
  const journal::JournalInfo& info = (*reader)->info();
  if (!EndsBefore(info, newest)) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      info.path, " ends at @", info.last_sequence.value(), ", and ", newest.who,
      " was taken of durable records: the last segments are missing, or this is a copy that was "
      "made while its writer was at work. Nothing was changed, as their numbers would be given to "
      "others. Bring the segments back or copy again; to go on without these records, move the "
      "snapshots after @",
      info.last_sequence.value(), " away first"));
}

absl::Status AddDeletedMarkets(const journal::Directory& directory,
                               const journal::JournalInfo& info, Console& console,
                               replay::MarketFollower& markets) {
  if (info.first_sequence <= engine::SequenceNumber::First()) return absl::OkStatus();
  // Definitions never change, so the latest snapshot has all that earlier ones have.
  const absl::StatusOr<replay::StartingPoint> start =
      StartFromSnapshot(directory, info, info.last_sequence, replay::EngineKind::kFast, console);
  if (absl::IsFailedPrecondition(start.status())) {
    console.Note("note: the journal begins at @", info.first_sequence.value(),
                 ", and no snapshot that can be used says what its markets are called");
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(start.status());
  markets.Know(*start->machine);
  return absl::OkStatus();
}

}  // namespace tools
