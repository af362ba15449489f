// Named holds: what a warehouse or a replica still needs of a journal, so that nobody deletes it.
//
// A hold is a file `NAME.hold` beside the segments (FORMAT.md, section 12). It keeps its sequence
// number and everything after. A hold that cannot be read keeps the whole journal: a promise is not
// forgotten because its file is damaged.

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
  std::string name;                                                   // See CheckHoldName.
  engine::SequenceNumber sequence = engine::SequenceNumber::First();  // And all after.
  engine::Timestamp created = {};
  std::string note = {};    // For people: who, why.
  std::string damage = {};  // Not empty: the file cannot be read, and `sequence` is 1.

  friend bool operator==(const Hold&, const Hold&) = default;
};

// 1 to 64 of a-z, 0-9, '-' and '_'. Errors: INVALID_ARGUMENT.
absl::Status CheckHoldName(absl::string_view name);

// By name. Errors: the storage's.
absl::StatusOr<std::vector<Hold>> ListHolds(const Directory& directory);

// Adds the hold, or moves one of that name; durable when it returns. Looks whether the journal
// still has the record only after the hold is durable, so that a deletion that is under way either
// sees the hold or is seen here.
// Errors: INVALID_ARGUMENT (the name), OUT_OF_RANGE (the record is gone or being deleted; the hold
// is not kept), the storage's.
absl::Status AddHold(Directory& directory, const Hold& hold);

// Errors: NOT_FOUND, the storage's.
absl::Status RemoveHold(Directory& directory, absl::string_view name);

}  // namespace journal

#endif  // JOURNAL_HOLDS_H_
