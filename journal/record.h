// A record: one command as the journal stores it, a flat row and an optional attachment.
//
//   0         8           16                                   64
//   ├─────────┼───────────┼─────────────────────────────────────┤
//   │ sequence│ timestamp │ payload, 48 bytes, opaque           │   + attachment (rare, ≤ 1 MiB)
//   └─────────┴───────────┴─────────────────────────────────────┘
//
// The row has the same layout in memory, in a block (FORMAT.md, section 4) and in the log digest.
// The application defines what the payload and the attachment mean.

#ifndef JOURNAL_RECORD_H_
#define JOURNAL_RECORD_H_

#include <algorithm>
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

// The writer refuses a longer attachment: every record must fit a block (FORMAT.md, section 3).
inline constexpr uint64_t kMaxAttachmentBytes = 1 << 20;

// A view of a record. Valid until the next call of the reader or sequencer that returned it.
struct Record {
  const Row* row = nullptr;
  engine::Bytes attachment = {};  // Empty: no attachment. The journal does not distinguish them.

  engine::SequenceNumber sequence() const { return row->sequence; }
  engine::Timestamp timestamp() const { return row->timestamp; }
};

// An attachment in a block: the sequence number of its record, and its bytes.
struct AttachmentView {
  engine::SequenceNumber sequence = {};
  engine::Bytes bytes = {};
};

// A view of records of one block. Valid until the next call of the object that returned it.
struct Batch {
  std::span<const Row> rows;
  std::span<const AttachmentView> attachments;  // Ascending by sequence, all within `rows`.

  bool empty() const { return rows.empty(); }
  // Returns its records from `index` on, at most `count` of them. REQUIRES: index <= rows.size().
  Batch Part(size_t index, size_t count = SIZE_MAX) const {
    Batch part{.rows = rows.subspan(index, std::min(count, rows.size() - index)),
               .attachments = {}};
    if (part.empty() || attachments.empty()) return part;
    const auto sequence = &AttachmentView::sequence;
    part.attachments = {
        std::ranges::lower_bound(attachments, part.rows.front().sequence, {}, sequence),
        std::ranges::upper_bound(attachments, part.rows.back().sequence, {}, sequence)};
    return part;
  }
};

// Removes the attachment of the record `sequence` from the front of `attachments`, which has none
// of an earlier record, and returns its bytes; empty if the record has none.
inline engine::Bytes TakeAttachment(std::span<const AttachmentView>& attachments,
                                    engine::SequenceNumber sequence) {
  if (attachments.empty() || attachments.front().sequence != sequence) return {};
  const engine::Bytes bytes = attachments.front().bytes;
  attachments = attachments.subspan(1);
  return bytes;
}

}  // namespace journal

#endif  // JOURNAL_RECORD_H_
