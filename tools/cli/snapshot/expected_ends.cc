#include "tools/cli/snapshot/expected_ends.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/verdict.h"
#include "replay/snapshot/snapshot_store.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {
namespace {

using ExpectedEnds = std::vector<journal::ExpectedEnd>;

absl::StatusOr<ExpectedEnds> ExpectedEndsOf(const journal::JournalInfo& info) {
  ExpectedEnds expected_ends;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(info.path));
  if (snapshots == nullptr) return expected_ends;
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> newest_first,
                   replay::ListSnapshots(*snapshots, info.uuid));
  for (const replay::Snapshot& snapshot : newest_first) {
    if (!snapshot.is_proven_and_whole()) continue;
    expected_ends.push_back({.sequence = snapshot.sequence,
                             .who = absl::StrCat("the snapshot at ", snapshot.sequence.value())});
    break;
  }
  return expected_ends;
}

bool EndsBefore(const journal::JournalInfo& info, const journal::ExpectedEnd& expected_end) {
  return info.verdict != journal::Verdict::kDamaged && info.last_sequence < expected_end.sequence;
}

}  // namespace

absl::StatusOr<std::vector<journal::ExpectedEnd>> FindExpectedEnds(
    const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory);
  if (!reader.ok()) return ExpectedEnds();
  return ExpectedEndsOf((*reader)->info());
}

absl::Status CheckEndsBehindSnapshots(const journal::Directory& directory) {
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

}  // namespace tools
