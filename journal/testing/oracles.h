// What must hold of a journal after any failure of its writer and any damage to its bytes.
//
//   (a) what is recovered is a prefix of what was submitted
//   (b) it holds everything that was acknowledged; or the verdict is DAMAGED, and nothing is
//   changed (c) never TORN where the log itself says that it was durable; never DAMAGED by a crash
//   alone (d) its digest is that of the same prefix, computed separately (e) recovery changes
//   nothing when it is repeated, and a writer can continue the journal (f) no follower has shown a
//   record that is not in it (g) no sector that holds synced data was written again (h) bytes that
//   are cut off are kept in a file
//
// Each check returns the violation as text; an empty text if there is none. No GoogleTest, so
// that canary_test can check the same of a journal that was broken on purpose.

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

// The records given to writers, and the writers' promises.
struct Submitted {
  const std::vector<OwnedRecord>& log;  // From sequence 1 on.
  uint64_t appended = 0;
  uint64_t acknowledged = 0;
};

// After a crash of a device that does not lie: (a) to (e), (g), (h). Recovers the journal, and
// appends a few records; `submitted` then has all its records.
std::string CheckAfterCrash(MemoryDirectory& directory, Submitted& submitted,
                            const WriterOptions& options);

// The expected result of damage.
struct Expected {
  uint64_t durable = 0;    // The records that the undamaged rest marks as durable.
  bool is_whole = false;   // No record is affected.
  bool is_noticed = true;  // It does not look like a shorter journal.
  // If only one is right. If it is not DAMAGED, a writer must be able to open it.
  std::optional<Verdict> verdict = {};
  bool is_refused = false;  // No writer may open it.
  // The record at which a reader ends, if only one is right; and the one with which it begins:
  // not the first if the first cannot be read, which it must then report.
  std::optional<uint64_t> last_read = {};
  uint64_t first_read = 1;
};

// After damage: (a), (b), (c), and no reader passes what is missing silently. `also_open`: a
// writer too.
std::string CheckAfterDamage(const JournalBytes& files, const std::vector<OwnedRecord>& log,
                             const Expected& expected, bool also_open = true);

// Shows all new records that a follower of `directory` can see: (f) is that
// `shown` stays a prefix of what is recovered.
std::string FollowOn(const Directory& directory, std::vector<OwnedRecord>& shown);
std::string CheckShown(const std::vector<OwnedRecord>& shown, const Submitted& submitted);

}  // namespace journal

#endif  // JOURNAL_TESTING_ORACLES_H_
