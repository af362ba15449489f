// A record: one command as the journal knows it, a flat row and perhaps an attachment.
//
//   0         8           16                                   64
//   ├─────────┼───────────┼─────────────────────────────────────┤
//   │ sequence│ timestamp │ payload, 48 bytes, not looked into  │   + attachment (rare, any length)
//   └─────────┴───────────┴─────────────────────────────────────┘
//
// The row has the same layout in memory, in a block (FORMAT.md, section 4) and in the log digest.
// What the payload and the attachment mean is the application's affair.

#ifndef JOURNAL_RECORD_H_
#define JOURNAL_RECORD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"

namespace journal {

// A regular value type: 64 bytes, little-endian, without padding.
struct alignas(8) Row {
  engine::SequenceNumber sequence = {};
  engine::Timestamp timestamp;
  std::array<std::byte, 48> payload = {};

  friend bool operator==(const Row&, const Row&) = default;
};
static_assert(sizeof(Row) == 64);
static_assert(std::is_trivially_copyable_v<Row>);
static_assert(std::has_unique_object_representations_v<Row>);

// The writer refuses a longer attachment: every record must fit a block (FORMAT.md, section 4).
inline constexpr uint64_t kMaxAttachmentBytes = 1 << 20;

// A view of a record. Valid until the reader or sequencer that gave it moves on.
struct Record {
  const Row* row = nullptr;
  engine::Bytes attachment = {};  // Empty: none. The journal does not tell the two apart.

  engine::SequenceNumber sequence() const { return row->sequence; }
  engine::Timestamp timestamp() const { return row->timestamp; }
};

// An attachment as it stands in a block: which record it belongs to, and its bytes.
struct AttachmentView {
  engine::SequenceNumber sequence = {};
  engine::Bytes bytes = {};
};

// Records as they stand in one block. Valid until what gave it moves on.
struct Batch {
  std::span<const Row> rows;
  std::span<const AttachmentView> attachments;  // Ascending by sequence, all within `rows`.

  bool empty() const { return rows.empty(); }
};

}  // namespace journal

#endif  // JOURNAL_RECORD_H_
