#include "tools/cli/base/open_journal.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/kept_rows.h"
#include "journal/storage/posix_storage.h"

namespace tools {

absl::StatusOr<OpenedJournal> OpenJournal(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    return absl::FailedPreconditionError(
        absl::StrCat("'", path, "' is a file, and a journal is a folder; 'ticktape record ", path,
                     " -o JOURNAL' makes one of orders or market data"));
  }
  OpenedJournal opened;
  ASSIGN_OR_RETURN(opened.directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(opened.reader, journal::Reader::Open(*opened.directory));
  return opened;
}

void WarnOfMissingBeginning(const journal::JournalInfo& info, Console& console) {
  if (!info.beginning_is_missing) return;
  console.Note("warning: ", info.path, " is DAMAGED: its first segments are missing, and were not ",
               "pruned; it begins at @", info.first_sequence.value(), " instead of @1");
}

absl::Status CheckBeginsWithFirst(const journal::JournalInfo& info) {
  if (info.first_sequence == engine::SequenceNumber::First()) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(info.path, " begins at @", info.first_sequence.value(),
                   "; an engine can only be driven from a journal that begins at @1"));
}

std::vector<journal::Row> KeptRows(const journal::Directory& directory,
                                   const journal::JournalInfo& info, Console& console) {
  if (info.first_sequence == engine::SequenceNumber::First()) return {};
  absl::StatusOr<std::vector<journal::Row>> kept = journal::ReadKeptRows(directory, info.uuid);
  if (kept.ok()) return *std::move(kept);
  console.Note("warning: ", kept.status().message());
  return {};
}

}  // namespace tools
