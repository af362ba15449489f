#include "tools/cli/open_journal.h"

#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"

namespace tools {

absl::StatusOr<OpenedJournal> OpenJournal(const std::string& path) {
  OpenedJournal opened;
  ASSIGN_OR_RETURN(opened.directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(opened.reader, journal::Reader::Open(*opened.directory));
  return opened;
}

}  // namespace tools
