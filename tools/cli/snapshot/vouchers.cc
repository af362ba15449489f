#include "tools/cli/snapshot/vouchers.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/verdict.h"
#include "replay/snapshot/snapshot_store.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {

absl::StatusOr<std::vector<journal::Voucher>> FindVouchers(const journal::Directory& directory) {
  std::vector<journal::Voucher> vouchers;
  const auto reader = journal::Reader::Open(directory);
  if (!reader.ok()) return vouchers;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  if (snapshots == nullptr) return vouchers;
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> newest_first,
                   replay::ListSnapshots(*snapshots, (*reader)->info().uuid));
  for (const replay::Snapshot& snapshot : newest_first) {
    if (!snapshot.is_eligible()) continue;
    vouchers.push_back({.sequence = snapshot.sequence,
                        .who = absl::StrCat("the snapshot at ", snapshot.sequence.value())});
    break;
  }
  return vouchers;
}

absl::Status CheckEndsBehindSnapshots(const journal::Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<journal::Voucher> vouchers, FindVouchers(directory));
  if (vouchers.empty()) return absl::OkStatus();
  const auto reader = journal::Reader::Open(directory);
  if (!reader.ok()) return absl::OkStatus();
  const journal::JournalInfo& info = (*reader)->info();
  const journal::Voucher& newest = vouchers.front();
  if (info.verdict == journal::Verdict::kDamaged || newest.sequence <= info.last_sequence) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      info.path, " ends at @", info.last_sequence.value(), ", and ", newest.who,
      " was taken of durable records: the last segments are missing, or this is a copy that was "
      "made while its writer was at work. Nothing was changed, as their numbers would be given to "
      "others. Bring the segments back or copy again; to go on without these records, move the "
      "snapshots behind @",
      info.last_sequence.value(), " away first"));
}

}  // namespace tools
