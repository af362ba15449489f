// Writes a log in memory to disk as a journal, with the digests of an engine that runs it.

#ifndef REPLAY_COMPARE_WRITE_LOG_H_
#define REPLAY_COMPARE_WRITE_LOG_H_

#include "absl/status/status.h"
#include "journal/journal_metadata.h"
#include "journal/storage/storage.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Writes into an empty folder. Equal logs give equal journals: the journal's UUID is derived from
// the contents. If `engine` is null, no digests are written. Errors: the storage's, the engine's.
absl::Status WriteLog(journal::Directory& directory, const Log& log,
                      const journal::JournalMetadata& metadata, Subject* engine);

}  // namespace replay

#endif  // REPLAY_COMPARE_WRITE_LOG_H_
