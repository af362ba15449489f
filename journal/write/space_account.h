// Computes an upper bound of the disk space that all unwritten records will take. Compression is
// not predictable, so the bound assumes none.
//
//   handed over, not written │ open block so far  │ overhead of it and the next one
//   └───────────────────────────── Unwritten() ──────────────────────────────────┘  <=  the reserve

#ifndef JOURNAL_WRITE_SPACE_ACCOUNT_H_
#define JOURNAL_WRITE_SPACE_ACCOUNT_H_

#include <cstdint>
#include <utility>

#include "engine/base/bytes.h"
#include "journal/format/format.h"
#include "journal/record.h"

namespace journal {

// Not thread-safe: owned by the sequencing half. All values are bytes.
class SpaceAccount {
 public:
  static uint64_t BytesOfRecord(engine::Bytes attachment) {
    return sizeof(Row) + (attachment.empty() ? 0 : attachment.size() + kAttachmentOverhead);
  }

  void AddRecord(engine::Bytes attachment) { open_ += BytesOfRecord(attachment); }

  // Account for handing over the open block, or a block without records. Return its bound.
  uint64_t CloseBlock() { return HandOver(std::exchange(open_, 0) + kBlockOverhead); }
  uint64_t AddBlockWithoutRecords() { return HandOver(kBlockOverhead); }

  // `freed`: the bounds of all blocks written so far. Adds twice the overhead, because the open
  // block may be closed before the next record is appended.
  uint64_t Unwritten(uint64_t freed) const {
    return handed_over_ - freed + open_ + 2 * kBlockOverhead;
  }

 private:
  static constexpr uint64_t kAttachmentOverhead = 3 * 8;
  // Header, head, padding, and a HEARTBEAT block after it.
  static constexpr uint64_t kBlockOverhead = 3 * kAlignment;

  uint64_t HandOver(uint64_t bytes) {
    handed_over_ += bytes;
    return bytes;
  }

  uint64_t open_ = 0;
  uint64_t handed_over_ = 0;  // The sum of all bounds so far.
};

}  // namespace journal

#endif  // JOURNAL_WRITE_SPACE_ACCOUNT_H_
