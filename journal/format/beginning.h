// The file `beginning`: a journal begins after record 1 on purpose. FORMAT.md, section 12.
//
//   segment 0 … 6, deleted        segment 7         segment 8
//   1 … 123456                    123457 …          …
//                                 └ beginning: segment 7, sequence 123457
//
// Without it, a journal whose first segment is missing is DAMAGED, because an intended deletion
// looks the same as an accident. The file is durable before the first segment is deleted.

#ifndef JOURNAL_FORMAT_BEGINNING_H_
#define JOURNAL_FORMAT_BEGINNING_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr char kBeginningFileName[] = "beginning";

// A regular value type. Segments before `segment_index` may be missing; that one may not.
struct Beginning {
  Uuid journal_uuid;
  uint64_t segment_index = 0;
  engine::SequenceNumber first_sequence = {};  // Of that segment.
  std::string reason = {};                     // For people.

  friend bool operator==(const Beginning&, const Beginning&) = default;
};

// Errors: NOT_FOUND (no such file), DATA_LOSS (damaged), the storage's.
absl::StatusOr<Beginning> ReadBeginning(const Directory& directory);

// Replaces the file; durable when it returns. Errors: as WriteControlFile().
absl::Status WriteBeginning(Directory& directory, const Beginning& beginning);

}  // namespace journal

#endif  // JOURNAL_FORMAT_BEGINNING_H_
