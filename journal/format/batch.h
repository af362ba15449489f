// The body of a DATA block: records as one Cap'n Proto message (batch.capnp).
//
//   0       8        16       24            32    40
//   ├───────┼────────┼────────┼─────────────┼─────┼────────┬────────┬─ ─ ─┬─────────────┐
//   │framing│root ptr│rows ptr│attachm. ptr │ tag │ row, 64│ row    │     │ attachments │
//   └───────┴────────┴────────┴─────────────┴─────┴────────┴────────┴─ ─ ─┴─────────────┘
//
// A body without attachments is encoded and decoded without Cap'n Proto: 40 fixed bytes, then the
// rows. Every other body goes through the Cap'n Proto accessors. FORMAT.md, section 4.

#ifndef JOURNAL_FORMAT_BATCH_H_
#define JOURNAL_FORMAT_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "journal/format/aligned_buffer.h"
#include "journal/record.h"

namespace journal {

// The offset of the rows in every body that this library writes.
inline constexpr size_t kRowsOffset = 40;

constexpr size_t RowsOnlyBytes(size_t row_count) { return kRowsOffset + row_count * sizeof(Row); }

// Writes the 40 bytes that precede `row_count` rows in a body without attachments.
void WriteRowsOnlyHead(size_t row_count, std::byte* at);

// Encodes records with attachments into `body` and returns its length. REQUIRES: the attachments
// ascend by sequence, none is empty, and all are within the limits of format.h.
size_t EncodeBatch(const Batch& batch, AlignedBuffer& body);

// Not thread-safe: owned by its caller. Reuses its memory.
class BatchDecoder {
 public:
  // Decodes `body`, which is aligned to 8 and outlives the use of records().
  // Errors: DATA_LOSS (malformed, not `row_count` rows, or attachments empty, out of order or of
  // another block), UNIMPLEMENTED (rows with content this build does not know).
  absl::Status Decode(engine::Bytes body, uint32_t row_count);

  Batch records() const { return {.rows = rows_, .attachments = attachments_}; }

 private:
  absl::Status DecodeMessage(engine::Bytes body, uint32_t row_count);
  absl::Status CheckAttachments() const;

  std::span<const Row> rows_;
  std::vector<AttachmentView> attachments_;
  std::vector<Row> copied_rows_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_BATCH_H_
