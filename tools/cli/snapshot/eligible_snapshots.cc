#include "tools/cli/snapshot/eligible_snapshots.h"

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "replay/exchange_machine.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {
namespace {

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

}  // namespace

absl::StatusOr<journal::EligibleSnapshots> FindEligibleSnapshots(
    const journal::Directory& directory) {
  journal::EligibleSnapshots eligible;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  if (snapshots == nullptr) return eligible;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> found,
                   replay::ListSnapshots(*snapshots, reader->info().uuid));
  journal::PrefixDigests digests(directory);
  for (const replay::Snapshot& snapshot : found) {
    if (!snapshot.is_proven_and_whole() || snapshot.sequence > reader->info().last_readable ||
        snapshot.header.semantics_version != replay::kSemanticsVersion) {
      continue;
    }
    if (eligible.size() < kReadThrough) {
      const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
      if (absl::IsFailedPrecondition(is_of_journal)) continue;
      RETURN_IF_ERROR(is_of_journal);
      if (!IsWhole(*snapshots, snapshot)) continue;
    }
    eligible.push_back(snapshot.sequence);
  }
  return eligible;
}

}  // namespace tools
