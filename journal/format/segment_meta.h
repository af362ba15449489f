// JournalMetadata as stored in a preamble: one Cap'n Proto message (segment_meta.capnp).

#ifndef JOURNAL_FORMAT_SEGMENT_META_H_
#define JOURNAL_FORMAT_SEGMENT_META_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "journal/journal_metadata.h"

namespace journal {

std::vector<std::byte> EncodeMetadata(const JournalMetadata& metadata);

// Errors: DATA_LOSS.
absl::StatusOr<JournalMetadata> DecodeMetadata(engine::Bytes bytes);

}  // namespace journal

#endif  // JOURNAL_FORMAT_SEGMENT_META_H_
