// Named holds: records that a warehouse or a replica still needs, and that must not be deleted.
//
// A hold is a file `NAME.hold` beside the segments (FORMAT.md, section 12). It keeps its record and
// all records after it. A hold that cannot be read keeps the whole journal: damage to the file must
// not release what it holds.

#ifndef JOURNAL_HOLDS_H_
#define JOURNAL_HOLDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/storage/storage.h"

namespace journal {

// A regular value type.
struct Hold {
  std::string name;                                                   // See CheckHoldName().
  engine::SequenceNumber sequence = engine::SequenceNumber::First();  // The first record kept.
  engine::Timestamp created = {};
  std::string note = {};    // For people: the owner, the reason.
  std::string damage = {};  // If not empty, the file cannot be read, and `sequence` is 1.

  friend bool operator==(const Hold&, const Hold&) = default;
};

// A hold's name is 1 to 64 of a-z, 0-9, '-' and '_'. Errors: INVALID_ARGUMENT.
absl::Status CheckHoldName(absl::string_view name);

// Returns all holds, sorted by file name, damaged ones included. Errors: the storage's.
absl::StatusOr<std::vector<Hold>> ListHolds(const Directory& directory);

// Adds the hold, or moves the one of that name; durable when it returns. Checks that the journal
// still has the record after the hold is durable, so that either a concurrent Prune() sees the hold
// or AddHold() sees the deletion.
// Errors: INVALID_ARGUMENT (the name), OUT_OF_RANGE (the record is deleted or is being deleted;
// there is then no hold of that name), the storage's.
absl::Status AddHold(Directory& directory, const Hold& hold);

// Durable when it returns. Errors: INVALID_ARGUMENT (the name), NOT_FOUND, the storage's.
absl::Status RemoveHold(Directory& directory, absl::string_view name);

}  // namespace journal

#endif  // JOURNAL_HOLDS_H_
