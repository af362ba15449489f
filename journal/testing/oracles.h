// What must hold of a journal, whatever happened to its writer or to its bytes.
//
//   (a) what is recovered is a prefix of what was submitted
//   (b) it holds everything that was acknowledged; or the verdict is DAMAGED, and nothing is
//   changed (c) never TORN where the log itself says that it was durable; never DAMAGED by a crash
//   alone (d) its digest is that of the same prefix, computed apart (e) recovery changes nothing
//   when it is done again, and the journal can be gone on with (f) who follows has never seen a
//   record that is not in it (g) no sector that holds synced data was written again (h) what is cut
//   off is kept beside the segment
//
// Each check says what is violated, in words; an empty text says that all holds. No GoogleTest, so
// that canary_test can ask the same of a journal that was broken on purpose.

#ifndef JOURNAL_TESTING_ORACLES_H_
#define JOURNAL_TESTING_ORACLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/finding.h"
#include "journal/storage/storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer_options.h"

namespace journal {

using JournalBytes = std::map<std::string, std::vector<std::byte>>;

// What was given to writers, and what they promised.
struct Submitted {
  const std::vector<OwnedRecord>& log;  // From sequence 1 on.
  uint64_t appended = 0;
  uint64_t acknowledged = 0;
};

// After a crash of a device that keeps its word: (a) to (e), (g), (h). Recovers the journal, and
// goes on with it for a few records; `submitted` then says what is in it.
std::string CheckAfterCrash(MemoryDirectory& directory, Submitted& submitted,
                            const WriterOptions& options);

// What damaged bytes are known to be.
struct Expected {
  uint64_t durable = 0;    // The records that the undamaged rest says were durable.
  bool is_whole = false;   // No record is touched.
  bool is_noticed = true;  // It cannot be taken for a shorter journal.
  // Where only one is right. If it is not DAMAGED, a writer has to open it.
  std::optional<Verdict> verdict = {};
  bool is_refused = false;  // No writer may open it.
  // The record at which a reader ends, where only one is right; and the one with which it begins:
  // not the first where the first cannot be read, which it must then say.
  std::optional<uint64_t> last_read = {};
  uint64_t first_read = 1;
};

// After damage: (a), (b), (c), and nobody passes what is missing without a word. `also_open`: a
// writer too.
std::string CheckAfterDamage(const JournalBytes& files, const std::vector<OwnedRecord>& log,
                             const Expected& expected, bool also_open = true);

// Shows all that a follower of `directory` can see now, behind what it showed before: (f) is that
// `shown` stays a prefix of what is recovered.
std::string FollowOn(const Directory& directory, std::vector<OwnedRecord>& shown);
std::string CheckShown(const std::vector<OwnedRecord>& shown, const Submitted& submitted);

}  // namespace journal

#endif  // JOURNAL_TESTING_ORACLES_H_
